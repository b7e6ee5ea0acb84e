package compile

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/ui"
)

// Target is a kind of client: everything about it that affects its messages.
type Target struct {
	Dialect a2ui.Dialect
	Catalog string // the catalog id as the client knows it; "" = a2ui's basic id
	Flags   Flags
	Rules   *Rules // nil = the zero Rules
}

var zeroRules Rules

func (t Target) rules() *Rules {
	if t.Rules == nil {
		return &zeroRules
	}
	return t.Rules
}

// Flags change how a target is kept up to date.
type Flags uint8

// The flags of a Target.
const (
	// Rebuild sends delete and create in place of every update, for clients
	// known to ignore updates. Text that was typed and not sent is lost there.
	Rebuild Flags = 1 << iota
	// DeleteFirst starts a snapshot with deleteSurface for every wire id of the
	// conversation that could still be on the screen, for clients that cannot
	// be made to discard their renderer.
	DeleteFirst
	// Toasts shows the toasts of a frame as a separate surface until the next frame,
	// for clients that receive only messages.
	Toasts
)

// maxDeletes bounds the epochs of one name that DeleteFirst names: the last ones.
const maxDeletes = 64

// Rules are the settings that the application fixes for all clients.
type Rules struct {
	Limits a2ui.Limits // zero fields take the defaults of a2ui
	// Allowed reports whether the application answers an action, with these context keys; nil = every
	// action. Those of Limn itself are always allowed.
	Allowed func(action string, keys ...string) bool
	// Catalogs are those of surfaces that do not have the basic one: by name, such as
	// form:order, by kind, such as form, or "*". The narrowest counts.
	Catalogs map[string]*a2ui.Catalog
	Words    ui.Words // replaces built-in texts
	// Languages are the words of conversations in other languages, see ui.Router.
	Languages map[string]ui.Words
	Accent    string // the main colour of the basic catalog, as #rrggbb; "" = the client's own
	Base      string // absolute http(s) origin of upload pages and pictures; "" = none
	NoPages   bool   // Base has no HTML pages of conversations
	SendData  bool   // clients send the data of surfaces with inputs (sendDataModel)
	// Until says, in seconds since 1970, how long the address of a picture holds
	// that is drawn now: the same for a day, so that a client which draws again
	// finds the address it knows. nil = processes and charts are words only.
	Until func() int64
}

// Batch is the messages for one surface, to be applied together.
type Batch struct {
	Surface  ui.Name
	Messages []a2ui.Message
	Warnings []Warning // what this target cannot show as declared

	// Leaves says that an Update changes nothing but leaves of data, none of them a
	// list, so that each makes one entry more at most: a client that starts now gets
	// what one got that started before, with Messages and Typed applied to it.
	// Typed is what users wrote into their inputs, which those who follow have.
	Leaves bool
	Typed  []a2ui.Message
}

// Batches is a drawing, in the order it must be sent.
type Batches []Batch

// Messages returns all messages in order.
func (b Batches) Messages() []a2ui.Message {
	var out []a2ui.Message
	for i := range b {
		out = append(out, b[i].Messages...)
	}
	return out
}

// Warnings returns all warnings in order.
func (b Batches) Warnings() []Warning {
	var out []Warning
	for i := range b {
		out = append(out, b[i].Warnings...)
	}
	return out
}

// Snapshot draws every surface of s for an empty renderer, in order of first
// opening. The error, if any, is Failures; surfaces not named there are drawn.
func Snapshot(t Target, s *ui.State) (Batches, error) { return (*Memo)(nil).Snapshot(t, s) }

// Snapshot is the function Snapshot.
func (m *Memo) Snapshot(t Target, s *ui.State) (Batches, error) {
	var out Batches
	var failed Failures
	if t.Flags&DeleteFirst != 0 {
		out = gone(s)
	}
	for _, sf := range s.Surfaces {
		b := Batch{Surface: sf.Name}
		if t.Flags&DeleteFirst != 0 {
			b.Messages = deletes(sf.Name, s.Epochs[sf.Name])
		}
		d, err := m.draw(t, s, sf)
		if err != nil {
			failed = append(failed, Failure{Surface: sf.Name, Err: err})
		} else {
			b.Messages = append(b.Messages, d.emission().create()...)
			b.Warnings = d.warnings
			failed = b.bound(t, failed)
		}
		if len(b.Messages) > 0 {
			out = append(out, b)
		}
	}
	if t.Flags&Toasts != 0 {
		out = out.toast(t, s, t.Flags&DeleteFirst != 0)
	}
	return out, failed.err()
}

// gone deletes the surfaces that were closed.
func gone(s *ui.State) (out Batches) {
	names := make([]ui.Name, 0, len(s.Epochs))
	for n := range s.Epochs {
		if s.Surface(n) == nil {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	for _, n := range names {
		out = append(out, Batch{Surface: n, Messages: deletes(n, s.Epochs[n])})
	}
	return out
}

func deletes(n ui.Name, epoch uint32) (out []a2ui.Message) {
	first := uint32(1)
	if epoch > maxDeletes {
		first = epoch - maxDeletes + 1
	}
	for e := first; e <= epoch; e++ {
		out = append(out, &a2ui.DeleteSurface{SurfaceID: ui.WireID(n, e)})
	}
	return out
}

// Update draws what frame f changed, for a renderer that shows before; after is
// the state f leads to. Surfaces the frame does not name are left alone. The
// error, if any, is Failures, as for Snapshot. A frame that shows nothing gives
// no batches.
func Update(t Target, before, after *ui.State, f *ui.Frame) (Batches, error) {
	return (*Memo)(nil).Update(t, before, after, f)
}

// Update is the function Update.
func (m *Memo) Update(t Target, before, after *ui.State, f *ui.Frame) (Batches, error) {
	var out Batches
	var failed Failures
	for _, c := range touched(before, after, f) {
		b := Batch{Surface: c.Surface}
		if err := b.update(m, t, before, after, f, c); err != nil {
			failed = append(failed, Failure{Surface: c.Surface, Err: err})
			continue
		}
		failed = b.bound(t, failed)
		if len(b.Messages) > 0 || len(b.Warnings) > 0 {
			out = append(out, b)
		}
	}
	if t.Flags&Toasts != 0 {
		out = out.toast(t, after, before.Toasts != nil)
	}
	return out, failed.err()
}

// touched lists the surfaces a frame may have changed: those the frame names and, when
// it committed something, those that show committed values.
func touched(before, after *ui.State, f *ui.Frame) []ui.Change {
	if !slices.ContainsFunc(f.Ops, func(op ui.Op) bool { _, ok := op.(*ui.Commit); return ok }) ||
		before.Committed.Equal(after.Committed) {
		return f.Changes
	}
	out := slices.Clone(f.Changes)
	for _, s := range after.Surfaces {
		named := slices.ContainsFunc(out, func(c ui.Change) bool { return c.Surface == s.Name })
		if !named {
			out = append(out, ui.Change{Surface: s.Name, Epoch: s.Epoch, Kind: ui.ChangedUpdated, Rev: s.Rev,
				Guard: s.Guard})
		}
	}
	return out
}

func (b *Batch) update(m *Memo, t Target, before, after *ui.State, f *ui.Frame, c ui.Change) error {
	old, now := before.Surface(c.Surface), after.Surface(c.Surface)
	switch {
	case old == nil && now == nil: // opened and closed in one frame
		return nil
	case now == nil:
		b.Messages = []a2ui.Message{&a2ui.DeleteSurface{SurfaceID: old.WireID()}}
		return nil
	case old != nil && old.Epoch == now.Epoch && t.Flags&Rebuild == 0:
		return b.change(m, t, before, after, f, c)
	}
	d, err := m.draw(t, after, now)
	if err != nil {
		return err
	}
	if old != nil {
		b.Messages = []a2ui.Message{&a2ui.DeleteSurface{SurfaceID: old.WireID()}}
	}
	b.Messages, b.Warnings = append(b.Messages, d.emission().create()...), d.warnings
	return nil
}

// bound refuses a batch of more messages than the limit, as for data with many
// containers, each of which needs a separate message.
func (b *Batch) bound(t Target, failed Failures) Failures {
	limit := t.rules().Limits.WithDefaults().Messages
	if len(b.Messages) <= limit {
		return failed
	}
	err := ui.Errorf(codeMessages, "", "drawing the surface takes %d messages, the limit is %d", len(b.Messages), limit)
	failed, b.Messages, b.Warnings = append(failed, Failure{Surface: b.Surface, Err: err}), nil, nil
	return failed
}

// allowed reports whether the application or Limn itself answers an action with these
// context keys.
func (r *Rules) allowed(action string, keys ...string) bool {
	return r.Allowed == nil || strings.HasPrefix(action, "limn.") || r.Allowed(action, keys...)
}

// words are those of a conversation with a language.
func (r *Rules) words(language string) ui.Words {
	if words, ok := r.Languages[language]; ok {
		return words
	}
	return r.Words
}

// catalog returns the catalog of a surface that does not have the basic one, or nil.
func (r *Rules) catalog(name ui.Name) *a2ui.Catalog {
	kind, _, _ := strings.Cut(string(name), ":")
	for _, of := range []string{string(name), kind, "*"} {
		if c := r.Catalogs[of]; c != nil {
			return c
		}
	}
	return nil
}

// drawingVersion grows whenever the same surface is drawn differently.
const drawingVersion = 8

// Fingerprint names, in 8 hex digits, everything but the State that decides the
// messages of a target: this package's drawing, the target, its rules, and app, the
// declaration of the application. Two equal fingerprints draw equal bytes, up to the
// actions that Rules.Allowed refuses.
func Fingerprint(t Target, app string) string {
	r := t.rules()
	parts := []string{strconv.Itoa(drawingVersion), t.Dialect.String(), t.Catalog, strconv.Itoa(int(t.Flags)), r.Base,
		strconv.FormatBool(r.Until != nil), app}
	if r.NoPages {
		parts = append(parts, "no pages")
	}
	if r.SendData {
		parts = append(parts, "send data")
	}
	limits, _ := json.Marshal(r.Limits) // a struct of ints
	parts = append(parts, string(limits))
	for _, of := range slices.Sorted(maps.Keys(r.Catalogs)) {
		c := r.Catalogs[of]
		parts = append(parts, "catalog", of, c.ID)
		for _, name := range slices.Sorted(maps.Keys(c.Components)) {
			parts = append(parts, name)
			for _, p := range c.Components[name].Props {
				parts = append(parts, p.Name)
			}
		}
		parts = append(append(parts, "functions"), slices.Sorted(maps.Keys(c.Functions))...)
	}
	for _, lang := range slices.Concat([]string{""}, slices.Sorted(maps.Keys(r.Languages))) {
		parts = append(parts, "language", lang, r.words(lang).Fingerprint())
	}
	b, _ := json.Marshal(parts) // strings: unambiguous
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:4])
}
