package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/official"
)

// targets are the versions that examples are translated to, and the spellings of v1.0.
var targets = a2ui.Dialects()

// TestConformanceTranslations translates every published example to every version:
// the result is valid, and shows what the original shows unless the translation said
// what it could not carry.
func TestConformanceTranslations(t *testing.T) {
	list, err := official.Examples()
	if err != nil {
		t.Skip(err)
	}
	for _, example := range list {
		t.Run(example.Name(), func(t *testing.T) {
			t.Parallel()
			for _, to := range targets {
				if _, err := translateExample(example, to); err != nil {
					t.Errorf("to %s: %v", to, err)
				}
			}
		})
	}
}

// TestConformanceTranslationsSay: the comparison sees what nobody said was lost.
func TestConformanceTranslationsSay(t *testing.T) {
	t.Parallel()
	const create = `{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"` + "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json" + `"}}`
	text := func(text string) []json.RawMessage {
		return []json.RawMessage{json.RawMessage(create), json.RawMessage(`{"version":"v0.9","updateComponents":{"surfaceId":"s",` +
			`"components":[{"id":"root","component":"Text","text":"` + text + `"}]}}`)}
	}
	a, errA := shown(a2ui.V09, text("Hello"))
	b, errB := shown(a2ui.V09, text("Goodbye"))
	if err := errors.Join(errA, errB); err != nil || a == b {
		t.Errorf("%q and %q look the same: %v", a, b, err)
	}
}

// translateExample returns what could not be carried.
func translateExample(e official.Example, to a2ui.Dialect) (losses []a2ui.Loss, err error) {
	from, err := a2ui.ParseDialect(e.Dialect)
	if err != nil {
		return nil, err
	}
	raws, err := exampleMessages(e.File)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	report := func(_ int, l a2ui.Loss) { losses = append(losses, l) }
	in := bytes.NewReader(slices.Concat(joinLines(raws)...))
	if err := a2ui.Translate(&out, in, a2ui.TranslatorOptions{To: to}, report); err != nil {
		return nil, fmt.Errorf("translate: %w", err)
	}
	var lines []json.RawMessage
	var msgs []a2ui.Message
	for line := range bytes.Lines(out.Bytes()) {
		m, err := a2ui.DecodeMessageAs(to, line)
		if err != nil {
			return nil, fmt.Errorf("decode: %w", err)
		}
		lines, msgs = append(lines, line), append(msgs, m)
	}
	rules := a2ui.Rules{Dialect: to, Catalog: a2ui.Basic(to)}
	if minimal := a2ui.Minimal(to); minimal != nil {
		rules.Catalogs = []*a2ui.Catalog{minimal}
	}
	if problems := a2ui.Validate(rules, msgs); len(problems) > 0 {
		return nil, fmt.Errorf("validate: %w", &problems[0])
	}
	rules.Profile = a2ui.Safe // looks into texts, too
	for _, problem := range a2ui.Validate(rules, msgs) {
		if problem.Code == wire.ComponentCallArgs {
			return nil, fmt.Errorf("clients cannot compute it: %w", &problem)
		}
	}
	if slices.ContainsFunc(losses, func(l a2ui.Loss) bool { return l.What.Shown() }) {
		return losses, nil
	}
	want, err := shown(from, raws)
	if err != nil {
		return nil, fmt.Errorf("the example: %w", err)
	}
	got, err := shown(to, lines)
	if err == nil && got != want {
		err = fmt.Errorf("nothing was said to be lost, and it shows\n%s\ninstead of\n%s", got, want)
	}
	return losses, err
}

// shown is what a user sees when all messages are there.
func shown(d a2ui.Dialect, raws []json.RawMessage) (string, error) {
	known := []*a2ui.Catalog{a2ui.Basic(d)}
	if minimal := a2ui.Minimal(d); minimal != nil {
		known = append(known, minimal)
	}
	screen := client.With(client.Config{Dialect: d, Catalogs: known})
	for _, raw := range raws {
		if err := screen.Feed(raw); err != nil {
			return "", err
		}
	}
	var b strings.Builder
	for _, id := range screen.Surfaces() {
		fmt.Fprintf(&b, "%s %x\n", id, screen.ShownHash(id))
	}
	if b.Len() == 0 {
		return "", errors.New("no surface")
	}
	return b.String(), nil
}

// exampleMessages are those of a file.
func exampleMessages(file string) ([]json.RawMessage, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var named struct{ Messages json.RawMessage } // beside a name and a description
	if json.Unmarshal(b, &named) == nil && named.Messages != nil {
		b = named.Messages
	}
	return split(b)
}

// joinLines ends each message with a line end, on a line of its own.
func joinLines(raws []json.RawMessage) (lines [][]byte) {
	for _, raw := range raws {
		var line bytes.Buffer
		_ = json.Compact(&line, raw)
		lines = append(lines, append(line.Bytes(), '\n'))
	}
	return lines
}

// documentTranslations writes what became of the examples in every version.
func documentTranslations(line func(string, ...any)) {
	line("\n## Translated examples\n")
	line("Each is translated to every version and every spelling of v1.0; the result is valid (profile Spec), and shows the same unless the")
	line("translation says what it could not carry (`a2ui.Loss`). `go test ./cmd/limn/a2uicmd -run Published` does it with")
	line("`limn translate` and `limn validate`, asks the published schemas, and for v0.8 and v0.9 the processors of `@a2ui/web_core`.\n")
	line("| from | to | examples | of them with a loss | what was lost | failed |")
	line("|---|---|---:|---:|---|---:|")
	list, _ := official.Examples()
	sets := map[string][]official.Example{}
	for _, e := range list {
		sets[e.Dialect] = append(sets[e.Dialect], e)
	}
	for _, from := range slices.Sorted(maps.Keys(sets)) {
		into, rows := map[string][]string{}, []string{} // versions with one result are in one row
		for _, to := range targets {
			carried, lossy, failed, kinds := 0, 0, 0, map[string]int{}
			for _, e := range sets[from] {
				losses, err := translateExample(e, to)
				if err != nil {
					failed++
					continue
				}
				if carried++; len(losses) > 0 {
					lossy++
				}
				for _, l := range losses {
					kinds[string(l.What)]++
				}
			}
			var lost []string
			for _, kind := range sortedKeys(kinds) {
				lost = append(lost, fmt.Sprintf("%d %s", kinds[kind], kind))
			}
			row := fmt.Sprintf("%d | %d | %s | %d |", carried, lossy, strings.Join(lost, ", "), failed)
			if into[row] == nil {
				rows = append(rows, row)
			}
			into[row] = append(into[row], to.String())
		}
		for _, row := range rows {
			line("| %s | %s | %s", from, strings.Join(into[row], " "), row)
		}
	}
}
