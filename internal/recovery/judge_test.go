package recovery

import (
	"fmt"
	"testing"
	"time"

	"github.com/limn-ui/limn/ui"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func stateWith(t *testing.T, ops ...ui.Op) *ui.State {
	t.Helper()
	root := ui.Nodes{&ui.Column{Key: "main", Children: ui.Nodes{}}}
	ops = append([]ui.Op{&ui.Open{Surface: "form:a", Nonce: "n", Root: root},
		&ui.Open{Surface: "form:b", Nonce: "n", Root: root}}, ops...)
	s, _, err := ui.Apply(ui.NewState("c"), &ui.Frame{Seq: 1, At: noon, Ops: ops}, ui.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestFingerprintIgnoresPlaces(t *testing.T) {
	t.Parallel()
	a := Fingerprint("VALIDATION_FAILED", "/components/3/text", "Cannot read 12 of form:a#e=4")
	for _, same := range []string{Fingerprint("VALIDATION_FAILED", "/components/17/text",
		"cannot  read 3 of form:a#e=12"),
		Fingerprint("VALIDATION_FAILED", "/components/0193aabb-0193/text", "Cannot read 1 of form:a#e=1")} {
		if same != a {
			t.Error("two reports of one fault have two prints")
		}
	}
	for _, other := range []string{Fingerprint("X", "/components/3/text", "Cannot read 12 of form:a#e=4"),
		Fingerprint("VALIDATION_FAILED", "/components/3/label", "Cannot read 12 of form:a#e=4"),
		Fingerprint("VALIDATION_FAILED", "/components/3/text", "Cannot write 12 of form:a#e=4")} {
		if other == a {
			t.Error("two faults have one print")
		}
	}
}

// TestClient holds what is done about what renderers report.
func TestClient(t *testing.T) {
	t.Parallel()
	mark := &ui.Mark{Surface: "form:a", Epoch: 1, Print: "p"}
	reset := &ui.Mark{Surface: "form:a", Epoch: 1, Print: ui.FaultReset}
	var many []ui.Op
	for i := range MaxRebuilds {
		many = append(many, &ui.Mark{Surface: "form:a", Epoch: 1, Print: fmt.Sprint("other", i)})
	}
	for _, c := range []struct {
		name  string
		ops   []ui.Op
		at    ui.Name
		epoch uint32
		after time.Duration
		want  Action
	}{
		{"first", nil, "form:a", 1, 0, Rebuild},
		{"another surface", []ui.Op{mark}, "form:b", 1, 0, Rebuild},
		{"second", []ui.Op{mark}, "form:a", 1, 0, Reset},
		{"second in the next epoch", []ui.Op{mark, &ui.Reset{Surface: "form:a", Nonce: "m"}}, "form:a", 2, 0, Reset},
		{"second at the end of the time", []ui.Op{mark}, "form:a", 1, Again, Reset},
		{"second too late", []ui.Op{mark}, "form:a", 1, Again + 1, Rebuild},
		{"clock went back", []ui.Op{mark}, "form:a", 1, -time.Hour, Reset},
		{"two resets", []ui.Op{mark, reset, reset}, "form:a", 1, 0, Reset},
		{"at the cap", []ui.Op{mark, reset, reset, reset}, "form:a", 1, 0, SurfaceFail},
		{"at the cap, another's resets", []ui.Op{&ui.Mark{Surface: "form:b", Epoch: 1, Print: "p"}, reset, reset, reset}, "form:b", 1, 0, Reset},
		{"old epoch", nil, "form:a", 2, 0, ""},
		{"gone", nil, "form:c", 1, 0, ""},
		{"no surface", nil, "", 0, 0, Rebuild},
		{"no surface, again", []ui.Op{&ui.Mark{Print: "p"}}, "", 0, 0, ""},
		{"one more of many", many, "form:a", 1, 0, ""},
		{"one of many again", append(many, mark), "form:a", 1, 0, Reset},
		{"many, long ago", many, "form:a", 1, Again + 1, Rebuild},
	} {
		if got := Client(stateWith(t, c.ops...), c.at, c.epoch, "p", noon.Add(c.after)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestDrawing(t *testing.T) {
	t.Parallel()
	mark := &ui.Mark{Surface: "form:a", Epoch: 1, Print: "CODE"}
	reset := &ui.Mark{Surface: "form:a", Epoch: 1, Print: ui.FaultReset}
	for _, c := range []struct {
		name string
		ops  []ui.Op
		do   Action
		want Action
	}{
		{"soft stays", []ui.Op{mark}, Soft, Soft}, {"first", nil, SurfaceFail, SurfaceFail}, {"again", []ui.Op{mark}, SurfaceFail, Reset},
		{"severe", nil, Reset, Reset}, {"severe at the cap", []ui.Op{reset, reset, reset}, Reset, SurfaceFail},
		{"again at the cap", []ui.Op{mark, reset, reset, reset}, SurfaceFail, SurfaceFail},
	} {
		if got := Drawing(stateWith(t, c.ops...), "form:a", "CODE", c.do, noon); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func FuzzPrint(f *testing.F) {
	f.Add("X", "/a/1", "M 0193aabbcc")
	f.Fuzz(func(t *testing.T, code, path, message string) {
		if p := Fingerprint(code, path, message); len(p) != 24 {
			t.Fatal(p)
		}
	})
}
