package a2ui_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/official"
)

var allDialects = a2ui.Dialects()

// translated translates a stream message by message, as it would travel: every
// message is written and read again.
func translated(t testing.TB, from, to a2ui.Dialect, msgs []a2ui.Message) (*a2ui.Translator, []a2ui.Message,
	[]a2ui.Loss) {
	t.Helper()
	tr := a2ui.NewTranslator(a2ui.TranslatorOptions{To: to})
	var out []a2ui.Message
	var losses []a2ui.Loss
	take := func(list []a2ui.Message, l []a2ui.Loss) {
		losses = append(losses, l...)
		for _, m := range list {
			b, err := a2ui.AppendMessage(nil, to, m)
			if err != nil {
				t.Fatalf("%s → %s: %v in %#v", from, to, err, m)
			}
			back, err := a2ui.DecodeMessageAs(to, b)
			if err != nil {
				t.Fatalf("%s → %s: %v in %s", from, to, err, b)
			}
			out = append(out, back)
		}
	}
	for _, m := range msgs {
		take(tr.Message(from, m))
	}
	take(tr.Flush())
	return tr, out, losses
}

// rendered applies a stream; what a renderer refuses is an error.
func rendered(d a2ui.Dialect, mode client.Mode, msgs []a2ui.Message) (*client.Client, []*client.Error) {
	c := client.With(client.Config{Dialect: d, Mode: mode, AnyComponent: true})
	return c, c.ApplyAll(msgs)
}

// shownHashes are the hashes of all surfaces that are created.
func shownHashes(c *client.Client) string {
	var b strings.Builder
	for _, id := range c.Surfaces() {
		if s, _ := c.State(id); s.Created {
			fmt.Fprintln(&b, id, c.ShownHash(id))
		}
	}
	return b.String()
}

func dump(c *client.Client) string {
	var b strings.Builder
	for _, id := range c.Surfaces() {
		b.WriteString(c.Dump(id))
	}
	return b.String()
}

// seen tells whether a loss changes what a user sees.
func seen(losses []a2ui.Loss) bool {
	return slices.ContainsFunc(losses, func(l a2ui.Loss) bool { return l.What.Shown() })
}

// parsedByAll are losses without those that only a Strict client sees: renderers
// of v0.8 read JSON texts as JSON.
func parsedByAll(losses []a2ui.Loss) []a2ui.Loss {
	return slices.DeleteFunc(slices.Clone(losses), func(l a2ui.Loss) bool { return l.What == "parsed" })
}

// examplesOf returns the published examples of a dialect as messages.
func examplesOf(t testing.TB, d a2ui.Dialect) map[string][]a2ui.Message {
	out := map[string][]a2ui.Message{}
	for _, pattern := range map[a2ui.Dialect][]string{
		a2ui.V08:    {"v0_8/json/catalogs/*/examples/*.json"},
		a2ui.V09:    {"v0_9/catalogs/*/examples/*.json"},
		a2ui.V091:   {"v0_9_1/catalogs/*/examples/*.json"},
		a2ui.V10RC:  {"v1_0/catalogs/*/examples/*.json"},
		a2ui.V10Oct: {"v1_0/catalogs/*/examples/*.json"},
		a2ui.V10:    {"v1_0/catalogs/*/examples/*.json"},
	}[d] {
		for _, file := range official.Files(pattern) {
			read := d
			if d == a2ui.V10 || d == a2ui.V10Oct {
				read = a2ui.V10RC // published with the keys of the release candidate
			}
			var msgs []a2ui.Message
			for _, item := range exampleMessages(t, file) {
				m, err := a2ui.DecodeMessageAs(read, jsonx.Append(nil, item))
				if err != nil {
					t.Fatalf("%s: %v", file, err)
				}
				msgs = append(msgs, m)
			}
			out[filepath.Base(filepath.Dir(filepath.Dir(file)))+"/"+filepath.Base(file)] = msgs
		}
	}
	return out
}

// TestTranslateExamples: the law, on every published example, between all
// dialects: unless a loss says otherwise, the translation shows the same. And
// every translation is valid.
func TestTranslateExamples(t *testing.T) {
	t.Parallel()
	for _, from := range allDialects {
		examples := examplesOf(t, from)
		if len(examples) == 0 {
			t.Logf("the published examples of %s are missing (set A2UI_SPEC_DIR)", from)
		}
		for _, to := range allDialects {
			t.Run(from.String()+"→"+to.String(), func(t *testing.T) {
				var same, lossy, unseen int
				for name, msgs := range examples {
					_, out, losses := translated(t, from, to, msgs)
					a, wrong := rendered(from, client.Strict, msgs)
					b, bad := rendered(to, client.Strict, out)
					if len(bad) > len(wrong) {
						t.Errorf("%s: refused: %v", name, errors.Join(asErrors(bad)...))
					}
					equal := shownHashes(a) == shownHashes(b)
					switch {
					case equal && !seen(losses):
						same++
					case !equal && seen(losses):
						lossy++
					case equal:
						unseen++
						t.Logf("%s: equal, and yet %v", name, losses)
					default:
						t.Errorf("%s: shows something else\n%s\n%s\n%v", name, dump(a), dump(b), losses)
					}
					validTranslation(t, name, from, to, msgs, out)
					c, wrong := rendered(from, client.LikeWebCore, msgs)
					d, bad := rendered(to, client.LikeWebCore, out)
					if len(bad) > len(wrong) ||
						len(wrong) == 0 && !seen(parsedByAll(losses)) && shownHashes(c) != shownHashes(d) {
						t.Errorf("%s: renderers show something else\n%s\n%s\n%v", name, dump(c), dump(d),
							errors.Join(asErrors(bad)...))
					}
				}
				t.Logf("%d the same without loss, %d differ with a loss, %d the same with a loss", same, lossy, unseen)
			})
		}
	}
}

func asErrors(in []*client.Error) (out []error) {
	for _, e := range in {
		out = append(out, e)
	}
	return out
}

// validTranslation holds a translation against the target's rules, if the
// original fits its own, and against the published schema.
func validTranslation(t *testing.T, name string, from, to a2ui.Dialect, in, out []a2ui.Message) {
	t.Helper()
	for _, profile := range []a2ui.Profile{a2ui.Spec, a2ui.Safe} {
		if a2ui.Validate(rulesOf(from, profile, in), in) != nil {
			continue
		}
		if p := a2ui.Validate(rulesOf(to, profile, out), out); p != nil {
			t.Errorf("%s: profile %d complains:%s", name, profile, list(p))
		}
	}
	schema, err := official.Server(to.String())
	if err != nil || strings.HasPrefix(name, "minimal/") { // the schemas are those of the basic catalogs
		return
	}
	for _, m := range out {
		b, err := a2ui.AppendMessage(nil, to, m)
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Check(b); err != nil {
			t.Errorf("%s: the published schema complains: %.3000v\n%s", name, err, b)
		}
	}
}

// rulesOf are rules with the catalog that a stream names.
func rulesOf(d a2ui.Dialect, profile a2ui.Profile, msgs []a2ui.Message) a2ui.Rules {
	r := a2ui.Rules{Dialect: d, Profile: profile, Catalog: a2ui.Basic(d)}
	for _, m := range msgs {
		if c, ok := m.(*a2ui.CreateSurface); ok && c.CatalogID != "" {
			next := *a2ui.Basic(d)
			next.ID, next.Functions = c.CatalogID, withCapitalize(next.Functions)
			r.Catalog = &next
		}
	}
	return r
}

// TestTranslateSafe: what is safe for the clients of one version is safe for
// those of another after its translation, and there and back.
func TestTranslateSafe(t *testing.T) {
	t.Parallel()
	for _, from := range allDialects {
		msgs := form(from, 3)
		if p := a2ui.Validate(a2ui.Rules{Dialect: from, Profile: a2ui.Safe}, msgs); p != nil {
			t.Fatalf("%s: the form is not safe:%s", from, list(p))
		}
		for _, to := range allDialects {
			_, out, losses := translated(t, from, to, msgs)
			if p := a2ui.Validate(a2ui.Rules{Dialect: to, Profile: a2ui.Safe}, out); p != nil {
				t.Errorf("%s → %s: Safe complains:%s", from, to, list(p))
			}
			_, again, more := translated(t, to, from, out)
			if p := a2ui.Validate(a2ui.Rules{Dialect: from, Profile: a2ui.Safe}, again); p != nil {
				t.Errorf("%s → %s → %s: Safe complains:%s", from, to, from, list(p))
			}
			a, _ := rendered(from, client.Strict, msgs)
			b, _ := rendered(from, client.Strict, again)
			if !seen(losses) && !seen(more) && shownHashes(a) != shownHashes(b) {
				t.Errorf("%s → %s → %s shows something else\n%s\n%s", from, to, from, dump(a), dump(b))
			}
		}
	}
}
