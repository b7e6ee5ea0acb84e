package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/catalog"
	"github.com/limn-ui/limn/internal/official"
)

// example is one official example as a stream of compact JSON lines.
type example struct {
	lines    [][]byte
	messages []a2ui.Message
}

// corpus reads the official basic examples of v0.9.
func corpus() (list []example, size int) {
	files := official.Files("v0_9/catalogs/basic/examples/*.json")
	if len(files) == 0 {
		fmt.Fprintln(os.Stderr, "bench: no figures of the protocol:", official.ErrMissing)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		must(err)
		var doc struct{ Messages []json.RawMessage }
		must(json.Unmarshal(b, &doc))
		var e example
		for _, raw := range doc.Messages {
			var line bytes.Buffer
			must(json.Compact(&line, raw))
			_, m, err := a2ui.DecodeMessage(line.Bytes())
			must(err)
			e.lines, e.messages = append(e.lines, line.Bytes()), append(e.messages, m)
			size += line.Len() + 1
		}
		list = append(list, e)
	}
	return list, size
}

// protocol measures package a2ui on the official examples.
func protocol(count int) []figure {
	list, size := corpus()
	if len(list) == 0 {
		return nil
	}
	speed := func(µs float64) float64 { return float64(size) / µs } // MB/s
	out := []figure{decoding(count, list, speed)}
	out = append(out, parsing(count, list, size)...)
	out = append(out, validating(list), encoding(count, list), wide(count), compiling(count))
	return out
}

var rulesV09 = a2ui.Rules{Dialect: a2ui.V09}

// decoding compares decode and full validation with a plain decode into maps.
func decoding(count int, list []example, speed func(float64) float64) figure {
	schema, err := official.Server("v0.9")
	must(err)
	var decoder a2ui.Decoder
	var batch []a2ui.Message
	validator := a2ui.NewValidator(rulesV09)
	ours := func() {
		for _, e := range list {
			batch = batch[:0]
			for _, line := range e.lines {
				_, m, err := decoder.Message(line)
				must(err)
				batch = append(batch, m)
			}
			validator.Reset()
			if p := validator.Check(batch); len(p) > 0 {
				panic(&p[0])
			}
		}
	}
	plain := func() { eachLine(list, func(line []byte) { var v any; must(json.Unmarshal(line, &v)) }) }
	published := func() { eachLine(list, func(line []byte) { must(schema.Check(line)) }) }
	t := alternate(count, ours, plain)
	return figure{Name: "validate_vs_json", Value: t[1] / t[0], Unit: "×", Must: 1, AtLeast: true,
		Others: map[string]float64{
			"decode and validate, MB/s":               speed(t[0]),
			"encoding/json to any, MB/s":              speed(t[1]),
			"jsonschema v6 with its own decode, MB/s": speed(micros(1, published)),
		}}
}

func eachLine(list []example, fn func([]byte)) {
	for _, e := range list {
		for _, line := range e.lines {
			fn(line)
		}
	}
}

// validating counts the allocations of validating decoded messages.
func validating(list []example) figure {
	v := a2ui.NewValidator(rulesV09)
	n, _ := allocations(func() {
		for _, e := range list {
			v.Reset()
			if p := v.Check(e.messages); len(p) > 0 {
				panic(&p[0])
			}
		}
	})
	return figure{Name: "validate_allocs", Value: n, Unit: "allocs", Must: 2000}
}

// encoding writes the decoded messages again.
func encoding(count int, list []example) figure {
	var buf []byte
	t := micros(count, func() {
		buf = buf[:0]
		for _, e := range list {
			for _, m := range e.messages {
				var err error
				buf, err = a2ui.AppendMessage(buf, a2ui.V09, m)
				must(err)
				buf = append(buf, '\n')
			}
		}
	})
	return figure{Name: "encode_mb_s", Value: float64(len(buf)) / t, Unit: "MB/s", Must: 500, AtLeast: true}
}

// wide decodes and judges one message of 400 components, and a hostile one of
// the same size; the worse of the two counts.
func wide(count int) figure {
	good, hostile := wideMessages()
	var decoder a2ui.Decoder
	validator := a2ui.NewValidator(rulesV09)
	run := func(line []byte, want bool) func() {
		create := &a2ui.CreateSurface{SurfaceID: "s", CatalogID: a2ui.CatalogID(a2ui.V09), Root: "root"}
		return func() {
			_, m, err := decoder.Message(line)
			must(err)
			validator.Reset()
			if p := validator.Check([]a2ui.Message{create, m}); (len(p) == 0) != want {
				panic(fmt.Sprint(len(p), " problems"))
			}
		}
	}
	schema, err := official.Server("v0.9")
	must(err)
	published := micros(1, func() { must(schema.Check(good)) })
	t := alternate(count, run(good, true), run(hostile, false))
	_, kept := allocations(run(good, true))
	_, worst := allocations(run(hostile, false))
	return figure{Name: "msg400_ms", Value: max(t[0], t[1]) / 1e3, Unit: "ms", Must: 0.5, Others: map[string]float64{
		"well-formed, ms": t[0] / 1e3, "hostile, ms": t[1] / 1e3, "well-formed, MB": kept / 1e6,
		"hostile, MB":       worst / 1e6,
		"jsonschema v6, ms": published / 1e3, "kB": float64(len(good)) / 1e3,
	}}
}

// wideMessages are a column of 400 components, and one in which every component has a
// separate fault or is part of a cycle.
func wideMessages() (good, hostile []byte) {
	var ids, fine, bad []string
	for i := range 399 {
		id := fmt.Sprintf("c%d", i)
		ids = append(ids, `"`+id+`"`)
		fine = append(fine,
			fmt.Sprintf(
				`{"id":%q,"component":"TextField","label":"Field number %d","value":{"path":"/draft/field/%d"}}`, id, i,
				i))
		bad = append(bad,
			fmt.Sprintf(
				`{"id":%q,"component":"Column","children":[%q,"c%d","missing%d"],"align":"up",`+
					`"colour":{"call":"nothing"}}`, id, id, i+1, i))
	}
	root := `{"id":"root","component":"Column","children":[` + strings.Join(ids, ",") + `]}`
	message := func(list []string) []byte {
		return []byte(`{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[` + root + "," +
			strings.Join(list, ",") + `]}}`)
	}
	return message(fine), message(bad)
}

// allocations counts what one call of fn allocates, after a first one.
func allocations(fn func()) (n, bytes float64) {
	fn()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	const calls = 10
	for range calls {
		fn()
	}
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs-before.Mallocs) / calls, float64(after.TotalAlloc-before.TotalAlloc) / calls
}

// parsing feeds the examples to the parser of model text as a model streams
// them, four bytes at a time: how fast, how much comes out for what went in, and
// how the time grows with the message.
func parsing(count int, list []example, size int) []figure {
	var texts []string
	for _, e := range list {
		texts = append(texts, "<a2ui-json>["+string(bytes.Join(e.lines, []byte(",\n")))+"]</a2ui-json>")
	}
	out := 0
	t := micros(count, func() {
		out = 0
		for i, text := range texts {
			n, got := streamed(text)
			if out += n; got == 0 {
				panic(fmt.Sprint("example ", i, " gave no message"))
			}
		}
	})
	grown := growth(count)
	return []figure{
		{Name: "parse4_mb_s", Value: float64(size) / t, Unit: "MB/s", Must: 15, AtLeast: true,
			Others: map[string]float64{"examples that pass": float64(len(texts))}},
		{Name: "parse_growth", Value: max(grown[1], grown[2]) / grown[0], Unit: "×", Must: 1.1,
			Others: map[string]float64{
				"400 rows, ns a byte": grown[0] * 1e3, "1,600 rows": grown[1] * 1e3, "6,400 rows": grown[2] * 1e3}},
		{Name: "parse4_amplification", Value: float64(out) / float64(size), Unit: "×", Must: 1.1},
	}
}

// growth is the time for a byte of 400, 1,600 and 6,400 rows. It is the least of
// many turns: what disturbs a run only ever adds to it.
func growth(count int) []float64 {
	least := make([]float64, 3)
	for range 2 * count {
		for i, rows := range []int{400, 1600, 6400} {
			text := rowsText(rows)
			if t := micros(1, func() { streamed(text) }) / float64(len(text)); least[i] == 0 || t < least[i] {
				least[i] = t
			}
		}
	}
	return least
}

// streamed parses a text in chunks of four bytes and returns the bytes and the
// number of the messages that came out.
func streamed(text string) (size, messages int) {
	limits := a2ui.Limits{MessageBytes: 4 << 20, Components: 10_000, DataEntries: 100_000}
	p := a2ui.NewParser(a2ui.ParserOptions{Rules: a2ui.Rules{Dialect: a2ui.V09, Limits: limits}})
	take := func(parts []a2ui.Part, err error) {
		must(err)
		for i := range parts {
			for j := range parts[i].Messages {
				size += len(parts[i].Messages[j].JSON) + 1
				messages++
			}
		}
	}
	for from := 0; from < len(text); from += 4 {
		take(p.Write([]byte(text[from:min(from+4, len(text))])))
	}
	take(p.Close())
	return size, messages
}

// rowsText is a surface with a row of two texts for each of n things.
func rowsText(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<a2ui-json>[{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":%q}},`+
		`{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[{"id":"root","component":"Column",`+
		`"children":[`, a2ui.CatalogID(a2ui.V09))
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"r%d"`, i)
	}
	b.WriteString(`]}`)
	for i := range n {
		fmt.Fprintf(&b, `,{"id":"r%d","component":"Text","text":"Row number %d of the list"}`, i, i)
	}
	b.WriteString(`]}}]</a2ui-json>`)
	return b.String()
}

// compiling compiles a custom catalog of the basic one's size: the basic one.
func compiling(count int) figure {
	doc, err := official.Catalog("v0.9", "basic")
	must(err)
	t := alternate(count,
		func() { _, err := catalog.Compile(doc, a2ui.V09); must(err) },
		func() { _, err := official.Fresh("v0.9"); must(err) })
	return figure{Name: "catalog_ms", Value: t[0] / 1e3, Unit: "ms", Must: 5, Others: map[string]float64{
		"jsonschema v6, catalog and envelope, ms": t[1] / 1e3, "kB": float64(len(doc)) / 1e3}}
}
