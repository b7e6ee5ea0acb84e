package deliver

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/html"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// Target is a drawing clients can ask for: HTML, or A2UI in one dialect.
type Target struct {
	Name string         // what clients ask for: html, or the name of the dialect, such as v0.9
	A2UI compile.Target // unless HTML is set
	// the same with Limn's own components, for clients that know them; nil: not offered
	Own  *compile.Target
	HTML func(*ui.State) html.Options
	// Page is the address of the page, for clients that can show no catalog of ours: their
	// frames have words and this address, and no messages. "": the target is one of those above.
	Page string
	// Syncs says that its clients share drafts while they are typed (app.DataSync).
	Syncs bool
}

// WithOwn is the target with Limn's own components.
func (t Target) WithOwn() Target {
	t.A2UI = *t.Own
	return t
}

// Fingerprint changes when the same state would draw differently: 8 hex digits.
func (t Target) Fingerprint(app string) string {
	if t.Syncs {
		app += "\x00syncs"
	}
	if t.Page != "" {
		return textPrint
	}
	if t.HTML == nil {
		return compile.Fingerprint(t.A2UI, app)
	}
	sum := sha256.Sum256([]byte(htmlVersion + app))
	return hex.EncodeToString(sum[:4])
}

// textPrint is the fingerprint of words alone.
const textPrint = "7e870000"

// htmlVersion names the HTML drawing; raise it when package html draws
// differently, or replays take frames of before for changed ones.
const htmlVersion = "html-1\x00"

// snapshot draws a whole state: each message as JSON.
func (t Target) snapshot(s *ui.State) ([][]byte, []string, error) {
	if t.Page != "" {
		return nil, nil, nil
	}
	if t.HTML != nil {
		out := [][]byte{jsonx.AppendString(nil, string(html.AppendSnapshot(nil, s, t.HTML(s))))}
		return t.withShared(out, nil, nil, nil, s)
	}
	b, err := compile.Snapshot(t.A2UI, s)
	out, warnings, err := t.encode(b, err)
	out = t.withCalls(out, nil, s)
	return t.withShared(out, warnings, err, nil, s)
}

// withShared adds the shared drafts to a drawing, for clients that share them.
func (t Target) withShared(out [][]byte, warnings []string, err error, before, after *ui.State) ([][]byte, []string,
	error) {
	if err != nil || !t.Syncs {
		return out, warnings, err
	}
	more, err := t.shared(before, after)
	return append(out, more...), warnings, err
}

// Update draws one frame for a client that shows the state before it: each
// message as JSON, and warnings.
func (t Target) Update(before, after *ui.State, f *ui.Frame) ([][]byte, []string, error) {
	if t.Page != "" {
		return nil, nil, nil
	}
	if t.HTML != nil {
		var out [][]byte
		for _, stream := range html.Update(before, after, f, t.HTML(after)) {
			out = append(out, jsonx.AppendString(nil, stream))
		}
		return t.withShared(out, nil, nil, before, after)
	}
	b, err := compile.Update(t.A2UI, before, after, f)
	if t.Syncs {
		plain(b, before, after)
	}
	out, warnings, err := t.encode(b, err)
	return t.withShared(t.withCalls(out, before, after), warnings, err, before, after)
}

// step is Update for a committed step, as its turn has drawn it if that was here and now.
func (t Target) step(st conversation.Step, print string) (messages [][]byte, warnings []string, err error) {
	if messages, warnings, ok := st.Drawn(print); ok && !t.Syncs {
		return t.withCalls(messages, st.Before, st.After), warnings, nil
	}
	return t.Update(st.Before, st.After, st.Frame)
}

// Messages draws a committed step, each message as JSON.
func (d *Deliverer) Messages(t Target, st conversation.Step) ([][]byte, error) {
	messages, _, err := t.step(st, d.Fingerprint(t))
	return messages, err
}

// drawing has all that the fingerprint of an A2UI target of a server depends on.
type drawing struct {
	name, catalog string
	rules         *compile.Rules
	flags         compile.Flags
	syncs         bool
}

// Fingerprint is that of a target for the application, computed once.
func (d *Deliverer) Fingerprint(t Target) string {
	if t.Page != "" {
		return textPrint
	}
	k := drawing{t.Name, t.A2UI.Catalog, t.A2UI.Rules, t.A2UI.Flags, t.Syncs}
	if print, ok := d.prints.Load(k); ok {
		return print.(string)
	}
	print := t.Fingerprint(d.cfg.App)
	d.prints.Store(k, print)
	return print
}

// Render draws a whole state, each message as JSON.
func (d *Deliverer) Render(t Target, s *ui.State) ([][]byte, error) {
	messages, _, err := t.snapshot(s)
	return messages, err
}

// Gone is the message that takes a surface away from an A2UI client.
func (d *Deliverer) Gone(t Target, sf *ui.Surface) ([]byte, error) {
	return a2ui.AppendMessage(nil, t.A2UI.Dialect, &a2ui.DeleteSurface{SurfaceID: sf.WireID()})
}

// encode writes the good batches even when a surface failed: the turn proved
// them all, so a failure here means an older state, and the rest still counts.
func (t Target) encode(b compile.Batches, drawErr error) ([][]byte, []string, error) {
	var warnings []string
	for _, w := range b.Warnings() {
		warnings = append(warnings, w.String())
	}
	if drawErr != nil {
		warnings = append(warnings, drawErr.Error())
	}
	var out [][]byte
	for _, m := range b.Messages() {
		line, err := a2ui.AppendMessage(nil, t.A2UI.Dialect, m)
		if err != nil {
			return nil, nil, err
		}
		out = append(out, line)
	}
	return out, warnings, nil
}
