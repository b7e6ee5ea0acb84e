package a2ui_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/official"
)

// corpus is the measure of all decoders: the lines of the 43 published v0.9
// examples, each example a stream of its own.
func corpus(b *testing.B) (streams [][][]byte, size int64) {
	for _, file := range official.Files("v0_9/catalogs/basic/examples/*.json") {
		var lines [][]byte
		for _, item := range exampleMessages(b, file) {
			lines = append(lines, jsonx.Append(nil, item))
			size += int64(len(lines[len(lines)-1]) + 1)
		}
		streams = append(streams, lines)
	}
	if streams == nil {
		b.Skip(official.ErrMissing)
	}
	return streams, size
}

// decodeAll reads a stream.
func decodeAll(b *testing.B, r *a2ui.Decoder, lines [][]byte, into []a2ui.Message) []a2ui.Message {
	for _, line := range lines {
		_, m, err := r.Message(line)
		if err != nil {
			b.Fatal(err)
		}
		into = append(into, m)
	}
	return into
}

// BenchmarkCorpusFloor is what encoding/json takes to read the corpus to any,
// without a look at what it says.
func BenchmarkCorpusFloor(b *testing.B) {
	streams, size := corpus(b)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, lines := range streams {
			for _, line := range lines {
				var v any
				if err := json.Unmarshal(line, &v); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
}

// BenchmarkCorpusScan finds the nodes only, BenchmarkCorpusParse makes values of
// them.
func BenchmarkCorpusScan(b *testing.B) {
	streams, size := corpus(b)
	b.SetBytes(size)
	b.ReportAllocs()
	var doc jsonx.Doc
	for b.Loop() {
		for _, lines := range streams {
			for _, line := range lines {
				if err := doc.Scan(line, jsonx.Limits{}); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
}

func BenchmarkCorpusParse(b *testing.B) {
	streams, size := corpus(b)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, lines := range streams {
			for _, line := range lines {
				if _, err := jsonx.Parse(line, jsonx.Limits{}); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
}

func BenchmarkCorpusDecode(b *testing.B) {
	streams, size := corpus(b)
	b.SetBytes(size)
	b.ReportAllocs()
	var msgs []a2ui.Message
	var r a2ui.Decoder
	for b.Loop() {
		for _, lines := range streams {
			msgs = decodeAll(b, &r, lines, msgs[:0])
		}
	}
}

func BenchmarkCorpusValidate(b *testing.B) {
	v := a2ui.NewValidator(a2ui.Rules{Dialect: a2ui.V09})
	streams, size := corpus(b)
	b.SetBytes(size)
	b.ReportAllocs()
	var msgs []a2ui.Message
	var r a2ui.Decoder
	for b.Loop() {
		for _, lines := range streams {
			msgs = decodeAll(b, &r, lines, msgs[:0])
			v.Reset()
			if p := v.Check(msgs); p != nil {
				b.Fatal(list(p))
			}
		}
	}
}

func BenchmarkCorpusCheck(b *testing.B) {
	v := a2ui.NewValidator(a2ui.Rules{Dialect: a2ui.V09})
	streams, size := corpus(b)
	var all [][]a2ui.Message
	for _, lines := range streams {
		all = append(all, decodeAll(b, new(a2ui.Decoder), lines, nil))
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, msgs := range all {
			v.Reset()
			if p := v.Check(msgs); p != nil {
				b.Fatal(list(p))
			}
		}
	}
}

func BenchmarkCorpusEncode(b *testing.B) {
	streams, _ := corpus(b)
	var all []a2ui.Message
	for _, lines := range streams {
		all = decodeAll(b, new(a2ui.Decoder), lines, all)
	}
	var out []byte
	b.ReportAllocs()
	for b.Loop() {
		out = out[:0]
		for _, m := range all {
			var err error
			if out, err = a2ui.AppendMessage(out, a2ui.V09, m); err != nil {
				b.Fatal(err)
			}
			out = append(out, '\n')
		}
	}
	b.SetBytes(int64(len(out)))
}

// wide is one message with 400 components below a root: one that is right, or
// one in which every component has faults of its own and lies in a circle.
func wide(hostile bool) []byte {
	var kids, list bytes.Buffer
	for i := range 399 {
		fmt.Fprintf(&kids, `,"c%d"`, i)
		if hostile {
			fmt.Fprintf(&list,
				`,{"id":"c%d","component":"Column","children":["c%d","c%d","gone%d"],"align":"up","colour":[[{"call":"f"}]]}`, i, i, i+1, i)
			continue
		}
		fmt.Fprintf(&list,
			`,{"id":"c%d","component":"TextField","label":"Field number %d","value":{"path":"/draft/field/%d"},`, i, i,
			i)
		fmt.Fprintf(&list,
			`"checks":[{"condition":{"call":"required","args":{"value":{"path":"/draft/field/%d"}}},"message":"Please fill it in."}]}`, i)
	}
	return fmt.Appendf(nil,
		`{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[{"id":"root","component":"Column","children":[%s]}%s]}}`,
		kids.Bytes()[1:], list.Bytes())
}

// BenchmarkMessage400 reads and judges one message with 400 components.
func BenchmarkMessage400(b *testing.B) {
	create := &a2ui.CreateSurface{SurfaceID: "s", CatalogID: a2ui.CatalogID(a2ui.V09)}
	for _, hostile := range []bool{false, true} {
		line := wide(hostile)
		b.Run(map[bool]string{false: "good", true: "hostile"}[hostile], func(b *testing.B) {
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			var r a2ui.Decoder
			v := a2ui.NewValidator(a2ui.Rules{Dialect: a2ui.V09})
			for b.Loop() {
				_, m, err := r.Message(line)
				if err != nil {
					b.Fatal(err)
				}
				v.Reset()
				if p := v.Check([]a2ui.Message{create, m}); (p != nil) != hostile {
					b.Fatal(list(p))
				}
			}
		})
	}
}
