package sheet

import (
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestRecord: records and their cells are those of encoding/csv, which reads the
// text later.
func TestRecord(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom([]string{",", ",", `"`, `"`, "\n", "\r", "\r\n", "a", " ", "é", `""`, `",`, `"a"`})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 0, 20).Draw(t, "text"), "")
		lazy := rapid.Bool().Draw(t, "lazy")
		r := csv.NewReader(strings.NewReader(text))
		r.LazyQuotes, r.FieldsPerRecord = lazy, -1
		for rest := text; ; {
			want, err := r.Read()
			cells, after, ok := record(rest, ',', lazy)
			if err == nil != ok || ok && cells != len(want) {
				t.Fatalf("%q: %d %v, want %q %v", text, cells, ok, want, err)
			}
			if err != nil {
				if !errors.Is(err, io.EOF) && lazy {
					t.Fatalf("%q: %v", text, err)
				}
				return
			}
			rest = after
		}
	})
}
