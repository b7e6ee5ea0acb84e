package a2ui_test

import (
	"fmt"
	"testing"

	"github.com/limn-ui/limn/a2ui"
)

func corpusLines(b *testing.B) (lines []byte) {
	for _, msgs := range examples(b) {
		for _, m := range msgs {
			lines = append(append(lines, m...), '\n')
		}
	}
	return lines
}

func parse4(b *testing.B, o a2ui.ParserOptions, in []byte) {
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	out := 0
	for b.Loop() {
		out = 0
		p := a2ui.NewParser(o)
		for i := 0; i < len(in); i += 4 {
			parts, err := p.Write(in[i:min(i+4, len(in))])
			if err != nil {
				b.Fatal(err)
			}
			for _, part := range parts {
				for _, m := range part.Messages {
					out += len(m.JSON) + 1
				}
			}
		}
		if parts, err := p.Close(); len(parts) > 0 || err != nil {
			b.Fatal(parts, err)
		}
	}
	b.ReportMetric(float64(out)/float64(len(in)), "out/in")
}

// BenchmarkParse4 is the official v0.9 examples in chunks of four bytes, decoded
// and validated; out/in is how many bytes leave for one that came.
func BenchmarkParse4(b *testing.B) { parse4(b, a2ui.ParserOptions{}, corpusLines(b)) }

// BenchmarkParse4Eager lets each component leave at once.
func BenchmarkParse4Eager(b *testing.B) { parse4(b, a2ui.ParserOptions{Eager: true}, corpusLines(b)) }

// BenchmarkParse4JSON neither decodes nor validates.
func BenchmarkParse4JSON(b *testing.B) {
	parse4(b, a2ui.ParserOptions{Check: a2ui.CheckNothing}, corpusLines(b))
}

// BenchmarkParseRows is one message of many rows: MB/s must not fall.
func BenchmarkParseRows(b *testing.B) {
	o := a2ui.ParserOptions{Rules: a2ui.Rules{Limits: a2ui.Limits{MessageBytes: 8 << 20, Components: 10_000}}}
	for _, rows := range []int{400, 1600, 6400} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) { parse4(b, o, rowsMessage(rows)) })
	}
}
