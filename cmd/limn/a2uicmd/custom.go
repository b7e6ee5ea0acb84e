package a2uicmd

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/catalog"
)

// catalogError says where a catalog's file is wrong.
type catalogError struct {
	file    string
	place   place
	problem a2ui.Problem
}

// Error implements error.
func (e *catalogError) Error() string {
	at := e.file
	if e.place.line > 0 {
		at += ":" + strconv.Itoa(e.place.line)
	}
	if e.problem.Path != "" {
		at += ": " + e.problem.Path
	}
	return at + ": " + e.problem.Message
}

// ReadCatalogs compiles catalogs from their files, each for the version it says.
func ReadCatalogs(files []string) (list []*a2ui.Catalog, err error) {
	for _, file := range files {
		c, _, err := customCatalog(0, file)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

// customCatalog compiles a custom catalog; version 0 is the one the document
// says.
func customCatalog(d a2ui.Dialect, file string) (*a2ui.Catalog, a2ui.Dialect, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, d, err
	}
	defer f.Close()
	doc, err := io.ReadAll(io.LimitReader(f, catalog.MaxBytes+1))
	if err != nil {
		return nil, d, fmt.Errorf("read catalog: %w", err)
	}
	var c *a2ui.Catalog
	document, err := catalog.DecodeDocument(doc, catalog.Options{Dialect: d})
	if err == nil {
		d = document.Dialect()
		c, err = document.Compile()
	}
	var bad *catalog.Error
	if !errors.As(err, &bad) {
		return c, d, err
	}
	at := 0
	known := bad.Path != ""
	var syntax *json.SyntaxError
	if err := json.Unmarshal(doc, new(json.RawMessage)); errors.As(err, &syntax) {
		at, known = offset(err, doc), true
	} else {
		at = pointed(doc, bad.Path)
	}
	p := piece{raw: doc, text: doc, line: 1}
	p.move(at)
	p.raw = nil // the place is known
	e := &catalogError{file: file, problem: a2ui.Problem{Code: "CATALOG", Path: bad.Path, Message: bad.Message}}
	if e.place = placeOf(p, a2ui.Problem{Line: 1, Column: 1}); !known {
		e.place.column, e.place.text = 0, nil
	}
	return nil, d, e
}

// pointed is the offset of the value of a JSON Pointer in a valid document, or
// of the last part of the way that is there. A member begins at its key.
func pointed(doc []byte, pointer string) int {
	dec := json.NewDecoder(bytes.NewReader(doc))
	at := 0
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	for _, segment := range strings.Split(pointer, "/")[1:] {
		found := false
		open, _ := dec.Token()
		for i := 0; dec.More() && !found; i++ {
			start := int(dec.InputOffset())
			key := strconv.Itoa(i)
			if open == json.Delim('{') {
				token, _ := dec.Token()
				key, _ = token.(string)
			}
			if found = key == unescape.Replace(segment); found {
				at = start + len(doc[start:]) - len(bytes.TrimLeft(doc[start:], ", \t\r\n"))
			} else {
				dec.Decode(new(json.RawMessage)) //nolint:errcheck // the document is valid
			}
		}
		if !found {
			break
		}
	}
	return at
}
