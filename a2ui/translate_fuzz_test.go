package a2ui_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn/a2ui"
)

// FuzzTranslate: whatever is read can be translated to every dialect, what comes
// out is of that dialect, and a stream that fits the rules of its dialect fits
// those of the other.
func FuzzTranslate(f *testing.F) {
	raw, err := os.ReadFile("testdata/translate.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, c := range strings.Split(string(raw), "=== ")[1:] {
		_, body, _ := strings.Cut(c, "\n")
		in, _, _ := strings.Cut(body, "--\n")
		f.Add([]byte(in))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		var msgs []a2ui.Message
		var from a2ui.Dialect
		pure := true
		for line, err := range a2ui.ReadLines(bytes.NewReader(in), a2ui.Limits{}) {
			if err != nil {
				return
			}
			d, m, err := line.Decode()
			pure = pure && err == nil && (from == 0 || d == from)
			from, msgs = d, append(msgs, m)
		}
		valid := pure && from != 0 && a2ui.Validate(a2ui.Rules{Dialect: from}, msgs) == nil
		for _, to := range allDialects {
			var out bytes.Buffer
			if err := a2ui.Translate(&out, bytes.NewReader(in), a2ui.TranslatorOptions{To: to}, nil); err != nil {
				if pure {
					t.Fatalf("%s: %v", to, err)
				}
				continue
			}
			var got []a2ui.Message
			for line, err := range a2ui.ReadLines(&out, a2ui.Limits{MessageBytes: 16 << 20}) {
				if err != nil {
					t.Fatal(err)
				}
				m, err := a2ui.DecodeMessageAs(to, line.Bytes)
				if err != nil {
					if _, _, err := line.DecodeClient(); err == nil {
						continue
					}
					t.Fatalf("%s: %v in %s", to, err, line.Bytes)
				}
				got = append(got, m)
			}
			if valid && len(got) > 0 {
				if p := a2ui.Validate(a2ui.Rules{Dialect: to}, got); p != nil {
					t.Fatalf("%s → %s: Spec complains:%s\n%s", from, to, list(p), in)
				}
			}
		}
	})
}

// TestTranslateGrowth: four times as many messages take about four times as long.
func TestTranslateGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	stream := func(n int) []a2ui.Message {
		msgs := []a2ui.Message{&a2ui.CreateSurface{SurfaceID: "s", CatalogID: a2ui.CatalogID(a2ui.V09)}}
		refs := make(a2ui.Refs, n)
		for i := range refs {
			refs[i] = fmt.Sprint("t", i)
			msgs = append(msgs, &a2ui.UpdateComponents{SurfaceID: "s", Components: []a2ui.Component{{ID: refs[i], Type: "Text",
				Props: []a2ui.Prop{{Name: "text", Value: a2ui.Path(fmt.Sprint("/rows/", i, "/name"))}}}}})
		}
		msgs = append(msgs, &a2ui.UpdateComponents{SurfaceID: "s", Components: []a2ui.Component{{ID: "root", Type: "Column", Props: []a2ui.Prop{{Name: "children", Value: refs}}}}})
		for i := range refs {
			msgs = append(msgs, &a2ui.UpdateData{SurfaceID: "s", Path: fmt.Sprint("/rows/", i, "/name"), Value: a2ui.TextData("x")})
		}
		for i := range refs {
			msgs = append(msgs, &a2ui.UpdateComponents{SurfaceID: "s", Components: []a2ui.Component{{ID: refs[i], Type: "Divider"}}})
		}
		return msgs
	}
	took := func(n int) time.Duration {
		msgs := stream(n)
		best := time.Hour
		for range 3 {
			tr := a2ui.NewTranslator(a2ui.TranslatorOptions{To: a2ui.V08})
			start := time.Now()
			for _, m := range msgs {
				tr.Message(a2ui.V09, m)
			}
			tr.Flush()
			best = min(best, time.Since(start))
		}
		return best
	}
	small, large := took(1000), took(4000)
	t.Logf("1,000: %v, 4,000: %v", small, large)
	if large > 10*small {
		t.Errorf("1,000 components took %v, 4,000 %v", small, large)
	}
}
