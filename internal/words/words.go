// Package words holds the texts that Limn shows to people: one file a language, which is
// named by the language's tag. A line is a key, " = " and the text, in which \n is a line break; a line that
// begins with # is for translators. Every file has the keys of en.txt, and in each text
// the names in braces of the English one.
//
// In: the tag of a language. Out: its texts, read once, and their fingerprint. Package ui
// shows them.
package words

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"strings"
	"sync"
)

//go:embed *.txt
var files embed.FS

// English is the language of the texts that another language lacks.
const English = "en"

// Languages are the languages that have a file, English first, the others in the order of
// their tags. A file named it.txt makes the program speak Italian: no list names it.
var Languages = func() []string {
	names, err := fs.Glob(files, "*.txt")
	if err != nil {
		panic(err) // the pattern is wrong
	}
	tags := []string{English}
	for _, name := range names {
		if tag := strings.TrimSuffix(name, ".txt"); tag != English {
			tags = append(tags, tag)
		}
	}
	return tags
}()

// file is the file of a language.
type file struct {
	texts func() map[string]string
	print func() string
}

var byLanguage = func() map[string]file {
	all := map[string]file{}
	for _, lang := range Languages {
		all[lang] = file{sync.OnceValue(func() map[string]string { return read(lang) }),
			sync.OnceValue(func() string { sum := sha256.Sum256(data(lang)); return hex.EncodeToString(sum[:]) })}
	}
	return all
}()

// In returns the texts of a language by key, nil if there are none. The caller must not
// change them.
func In(lang string) map[string]string {
	if f, ok := byLanguage[lang]; ok {
		return f.texts()
	}
	return nil
}

// Fingerprint changes with the texts of a language; "" if there are none.
func Fingerprint(lang string) string {
	if f, ok := byLanguage[lang]; ok {
		return f.print()
	}
	return ""
}

// data is a file. A test reads all of them.
func data(lang string) []byte {
	b, err := files.ReadFile(lang + ".txt")
	if err != nil {
		panic(err)
	}
	return b
}

func read(lang string) map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(string(data(lang))) {
		line = strings.TrimRight(line, "\n")
		if key, text, ok := strings.Cut(line, " = "); ok && !strings.HasPrefix(line, "#") {
			out[key] = strings.ReplaceAll(text, `\n`, "\n")
		}
	}
	return out
}
