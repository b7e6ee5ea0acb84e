package a2ui_test

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonx"
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

// TestTranslateGrowth: four times as many messages are about four times the work.
func TestTranslateGrowth(t *testing.T) {
	stream := func(n int) []a2ui.Message {
		msgs := []a2ui.Message{&a2ui.CreateSurface{SurfaceID: "s", CatalogID: a2ui.CatalogID(a2ui.V09)}}
		refs := make(a2ui.Refs, n)
		for i := range refs {
			refs[i] = fmt.Sprint("t", i)
			msgs = append(msgs, &a2ui.UpdateComponents{SurfaceID: "s",
				Components: []a2ui.Component{{ID: refs[i], Type: "Text",
					Props: []a2ui.Prop{{Name: "text", Value: a2ui.Path(fmt.Sprint("/rows/", i, "/name"))}}}}})
		}
		msgs = append(msgs, &a2ui.UpdateComponents{SurfaceID: "s",
			Components: []a2ui.Component{{ID: "root", Type: "Column",
				Props: []a2ui.Prop{{Name: "children", Value: refs}}}}})
		for i := range refs {
			msgs = append(msgs, &a2ui.UpdateData{SurfaceID: "s", Path: fmt.Sprint("/rows/", i, "/name"),
				Value: a2ui.TextData("x")})
		}
		for i := range refs {
			msgs = append(msgs, &a2ui.UpdateComponents{SurfaceID: "s",
				Components: []a2ui.Component{{ID: refs[i], Type: "Divider"}}})
		}
		return msgs
	}
	work := func(n int) float64 {
		msgs := stream(n)
		return testing.AllocsPerRun(1, func() {
			tr := a2ui.NewTranslator(a2ui.TranslatorOptions{To: a2ui.V08})
			for _, m := range msgs {
				tr.Message(a2ui.V09, m)
			}
			tr.Flush()
		})
	}
	if small, large := work(1000), work(4000); large > 5*small {
		t.Errorf("1,000 components took %.0f allocations, 4,000 %.0f", small, large)
	}
}

// allocated is how many bytes f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestTranslateWholeModel: a call that reads the whole model many times does not copy it as often.
func TestTranslateWholeModel(t *testing.T) {
	const n = 2000
	data, operands := jsonx.OfObject(), make(a2ui.List, n)
	for i := range n {
		data.Members = append(data.Members, a2ui.Member{Key: fmt.Sprint("k", i), Value: a2ui.TextData("x")})
		operands[i] = a2ui.Path("/")
	}
	call := a2ui.Call{Func: "and", Args: []a2ui.Prop{{Name: "values", Value: operands}}}
	if size := allocated(func() {
		tr := a2ui.NewTranslator(a2ui.TranslatorOptions{To: a2ui.V08})
		tr.Message(a2ui.V09, &a2ui.CreateSurface{SurfaceID: "s", CatalogID: a2ui.CatalogID(a2ui.V09)})
		tr.Message(a2ui.V09, &a2ui.UpdateData{SurfaceID: "s", Path: "/", Value: data})
		tr.Message(a2ui.V09, &a2ui.UpdateComponents{SurfaceID: "s", Components: []a2ui.Component{{ID: "root",
			Type: "CheckBox", Props: []a2ui.Prop{{Name: "value", Value: call}}}}})
	}); size > 64<<20 {
		t.Errorf("a call of %d paths to %d values allocates %d bytes", n, n, size)
	}
}

// TestTranslateHoles: writes far past the end of lists do not fill memory.
func TestTranslateHoles(t *testing.T) {
	const n = 100
	if size := allocated(func() {
		tr := a2ui.NewTranslator(a2ui.TranslatorOptions{To: a2ui.V08})
		tr.Message(a2ui.V09, &a2ui.CreateSurface{SurfaceID: "s", CatalogID: a2ui.CatalogID(a2ui.V09)})
		for i := range n {
			tr.Message(a2ui.V09, &a2ui.UpdateData{SurfaceID: "s", Path: fmt.Sprint("/a/", (i+1)<<16), Value: a2ui.TextData("x")})
			tr.Message(a2ui.V09, &a2ui.UpdateData{SurfaceID: "s", Path: fmt.Sprintf("/b%d/15000", i), Value: a2ui.TextData("x")})
		}
	}); size > 10<<20 {
		t.Errorf("%d writes past the end of lists allocate %d bytes", 2*n, size)
	}
}
