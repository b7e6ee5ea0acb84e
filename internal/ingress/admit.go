package ingress

import (
	"cmp"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/card"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/foreign"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// Admitted is an action that counts, or the salvage of one that does not.
type Admitted struct {
	Surface  *ui.Surface
	Action   ui.Action     // as the surface declares it
	Values   []ui.Leaf     // for the draft, in the order of the tree
	Context  ui.Value      // the declared context by key, literals as declared
	Files    []ui.FormFile // of upload fields of the surface, which is open
	Warnings []*ui.Error

	// For a surface of another agent: the message to it, the values that a page posted, and the fault that the
	// user has to correct first.
	Client []byte
	Ops    ui.Ops
	Fix    string

	state *ui.State // holds the surface; nil where only inputs are read
}

// Policy is the app's policy for actions.
type Policy struct {
	Allowed func(action string) bool       // now
	Context func(action string) []ui.Field // keys an action takes beyond those its button declares; nil: none

	// Foreign admits an action of an open surface of another agent, with the right nonce; nil: none counts.
	Foreign func(sf *ui.Surface, e *ui.ActionEvent) (*Admitted, error)
}

// isLegal reports a surface id that another agent may have given: a client may show
// surfaces of several.
func isLegal(id string) bool {
	return id != "" && utf8.ValidString(id) && strings.IndexFunc(id, unicode.IsControl) < 0
}

// Admit checks an action against the state its turn commits on.
//
// On an error the Admitted may still be there: epoch and nonce were right, and
// its Values are to be kept in the draft, which are then only those that were
// sent and can be read. Errors are CodeEnvelope, CodeTooLarge, CodeForbidden,
// CodeStale or CodeSubmitted.
func Admit(s *ui.State, e *ui.ActionEvent, policy Policy) (*Admitted, error) {
	sf, err := surfaceOf(s, e)
	if err != nil {
		return nil, err
	}
	if policy.Foreign != nil && sf.Status == ui.StatusOpen && foreign.Of(sf) != nil {
		return policy.Foreign(sf, e)
	}
	ahead := e.Rev > sf.Rev // a revision that the surface does not have yet
	if e.Name == builtin.ActionAttach && e.Form && !ahead {
		return attach(sf, e)
	}
	at, isComponent := ui.ParseComponentID(e.Component)
	action, found := sf.ActionFor(e)
	regenerate := found && action.Name == builtin.ActionRegenerate
	if sf.Status != ui.StatusOpen && !regenerate {
		if sf.Stub() && !ahead && isComponent && strings.HasSuffix("/"+string(at), "/"+KeyRegenerate) {
			return &Admitted{Surface: sf, Action: ui.Action{Name: builtin.ActionRegenerate}, Context: ui.Map()}, nil
		}
		if edit, ok := card.Edit(sf); ok && at == builtin.KeyEdit && e.Name == edit.Name && policy.Allowed(edit.Name) {
			return &Admitted{Surface: sf, Action: edit, Context: ui.Map(literals(edit)...)}, nil
		}
		return refuse(s, sf, e, action, found)
	}
	for _, f := range e.Files {
		if sf.UploadAt(f.Path) == nil {
			return nil, noUpload(string(f.Path))
		}
	}
	out := &Admitted{Surface: sf, Action: action, Context: ui.Map(), Files: e.Files, state: s}
	counts := found && isComponent && !ahead && e.Rev >= sf.Guard
	var more []ui.Field
	if found && !e.Form && policy.Context != nil {
		more = policy.Context(action.Name)
	}
	unread := out.normalise(e, found, counts, more)
	unread = out.beyond(e, more, unread)
	if err := MayRun(sf, e, action, found && isComponent, policy); err != nil {
		return out, err
	}
	return out, unread
}

// literals are the values that an action always has.
func literals(a ui.Action) (out []ui.Pair) {
	for _, c := range a.Context {
		out = append(out, ui.Pair{Key: c.Key, Value: c.Value})
	}
	return out
}

// Press admits the button at a place of an open surface that the user asks for in words. Its
// values are those that the state has.
func Press(s *ui.State, sf *ui.Surface, at ui.KeyPath, policy Policy) (*Admitted, error) {
	out, err := Admit(s, &ui.ActionEvent{Surface: sf.WireID(), Nonce: sf.Nonce, Rev: sf.Rev,
		Component: at.ComponentID("Button"), Context: jsonx.OfObject(), Form: true}, policy)
	if err != nil {
		return nil, err
	}
	for _, c := range out.Action.Context {
		if v, ok := sf.Get(c.Path); c.Path != "" && ok && v.Kind() != ui.RowsValue {
			out.Context, _ = out.Context.With(v, c.Key)
		}
	}
	return out, nil
}

// surfaceOf finds the surface of an action by its id, epoch and nonce.
func surfaceOf(s *ui.State, e *ui.ActionEvent) (*ui.Surface, error) {
	name, epoch, err := ui.ParseWireID(e.Surface)
	if err != nil && !isLegal(e.Surface) {
		return nil, &ui.Error{Code: CodeEnvelope, Path: place(e, "/surfaceId", builtin.FieldSurface),
			Message: "this is no surface id",
			Hint:    "send it as the message of the surface has it, such as form:guest#e=1", Err: err}
	}
	sf := s.Surface(name)
	if sf == nil || sf.Epoch != epoch {
		return nil, &ui.Error{Code: CodeStale, Path: place(e, "/surfaceId", builtin.FieldSurface),
			Message: "this form is no longer there", Hint: "reload, or ask for it again"}
	}
	if subtle.ConstantTimeCompare([]byte(e.Nonce), []byte(sf.Nonce)) != 1 {
		return nil, &ui.Error{Code: CodeForbidden, Path: place(e, "/context/"+builtin.FieldNonce, builtin.FieldNonce),
			Message: "the action does not come from this form", Hint: place(e, nonceHint, formHint)}
	}
	return sf, nil
}

// refuse answers an action on a surface that takes no input. The values for a surface
// that can be regenerated are kept for it.
func refuse(s *ui.State, sf *ui.Surface, e *ui.ActionEvent, action ui.Action, found bool) (*Admitted, error) {
	if !sf.Stub() {
		return nil, over(sf, e, "")
	}
	out := &Admitted{Surface: sf, Action: action, Context: ui.Map(), state: s}
	_ = out.normalise(e, found, false, nil)
	return out, over(sf, e, "regenerate it; what you typed is kept")
}

// MayRun checks the revision, the component and the name of an action. found reports
// that its component has one.
func MayRun(sf *ui.Surface, e *ui.ActionEvent, action ui.Action, found bool, policy Policy) error {
	switch {
	case e.Rev > sf.Rev:
		return &ui.Error{Code: CodeEnvelope, Path: place(e, "/context/"+builtin.FieldRev, builtin.FieldRev),
			Message: "a revision that does not exist yet", Hint: place(e, revHint, formHint)}
	case e.Rev < sf.Guard && e.Rev == 0: // no surface has it
		return &ui.Error{Code: CodeStale, Path: place(e, "/context/"+builtin.FieldRev, builtin.FieldRev),
			Message: "the action has no revision", Hint: place(e, revHint, formHint)}
	case e.Rev < sf.Guard:
		return &ui.Error{Code: CodeStale, Path: place(e, "/context/"+builtin.FieldRev, builtin.FieldRev),
			Message: "the form changed since", Hint: "what you typed is kept; check it and send it again"}
	case !found && strings.HasSuffix(e.Component, "/"+builtin.KeyRemove+":Button"):
		return &ui.Error{Code: CodeStale, Path: place(e, "/sourceComponentId", builtin.FieldComponent),
			Message: "this row is no longer there", Hint: "nothing was removed: somebody else has done it"}
	case !found:
		return &ui.Error{Code: CodeForbidden, Path: place(e, "/sourceComponentId", builtin.FieldComponent),
			Message: "no action stands there", Hint: "send the id of the button that was pressed"}
	case !e.Form && e.Name != action.Name:
		return &ui.Error{Code: CodeForbidden, Path: "/name", Message: "another action stands on that component",
			Hint: "send the name that its message declares"}
	case action.Masked || !policy.Allowed(action.Name):
		return &ui.Error{Code: CodeForbidden, Path: place(e, "/name", builtin.FieldComponent),
			Message: "this action is not available now",
			Hint:    "draw what the stream sends: its button is hidden while it is not"}
	}
	return nil
}

// over says why a surface takes no input though it is there, and what to do
// about one that has expired.
func over(sf *ui.Surface, e *ui.ActionEvent, expired string) error {
	if sf.Status == ui.StatusSubmitted {
		return &ui.Error{Code: CodeSubmitted, Path: place(e, "/surfaceId", builtin.FieldSurface),
			Message: "this form is submitted",
			Hint:    "nothing was submitted twice; ask for it again to send something else"}
	}
	return &ui.Error{Code: CodeStale, Path: place(e, "/surfaceId", builtin.FieldSurface),
		Message: "this form is " + string(sf.Status), Hint: expired}
}

// attach admits an uploaded file for the upload field whose path is given where
// a button's component id would.
func attach(sf *ui.Surface, e *ui.ActionEvent) (*Admitted, error) {
	at := Path(e.Component)
	switch {
	case sf.Status != ui.StatusOpen:
		return nil, over(sf, e, "regenerate it and choose the file again")
	case sf.UploadAt(at) == nil:
		return nil, noUpload(builtin.FieldPath)
	}
	ctx := ui.Map(ui.Pair{Key: "path", Value: ui.String(string(at))})
	for _, key := range append([]string{"id", "name", "type"}, importKeys...) {
		if _, sent := e.Context.Get(key); !sent {
			continue
		}
		ctx, _ = ctx.With(ui.String(e.Context.At(key).Text()), key)
	}
	return &Admitted{Surface: sf, Action: ui.Action{Name: builtin.ActionAttach}, Context: ctx}, nil
}

func noUpload(where string) error {
	return &ui.Error{Code: CodeEnvelope, Path: excerpt.Head(where, 64),
		Message: "no upload field of this form is bound there",
		Hint:    "send the path of an upload field, such as /draft/file"}
}

// place names a part of an action for errors: the part of an envelope, or the field in
// which a form or an upload sent it.
func place(e *ui.ActionEvent, envelope, field string) string {
	if e.Form {
		return field
	}
	return envelope
}

// KeyRegenerate is the key of the one button of an expired surface, below its root.
const KeyRegenerate = "!regenerate"

// DerivedKey is the idempotency key of an action that came without one: the
// same click from a client that dispatches it several times has the same key.
// Repeat says that the action counts each click; then the timestamp is part of it.
func DerivedKey(e *ui.ActionEvent, repeat bool) string {
	h := sha256.New()
	part := func(s string) {
		h.Write([]byte(strconv.Itoa(len(s)) + ":" + s))
	}
	if e.Call != "" { // its id names the call of a surface, whatever else is sent; see BodyHash
		part(e.Surface)
		part(e.Call)
		part(strconv.FormatBool(e.Returns))
		return "f-" + hex.EncodeToString(h.Sum(nil)[:24])
	}
	part(e.Surface)
	part(e.Nonce)
	part(strconv.FormatUint(e.Rev, 10))
	part(e.Component)
	part(e.Name)
	h.Write(jsonx.AppendCanonical(nil, sentContext(e)))
	if repeat {
		part(e.Timestamp)
	}
	for _, f := range e.Files { // an id names the content
		part(string(f.Path))
		part(f.ID)
		part(cmp.Or(f.ID, f.Name))
	}
	return "d-" + hex.EncodeToString(h.Sum(nil)[:24])
}

// importKeys are the members that reading an uploaded file adds to the context of
// limn.attach.
var importKeys = []string{"text", "notes", "code", "why"}

// sentContext is the context of an action without the text the server read from the
// uploaded file: the file's id identifies the bytes that were sent, and a retry is
// recognised without reading them again.
func sentContext(e *ui.ActionEvent) jsonx.Value {
	if !e.Form || e.Name != builtin.ActionAttach || e.Context.Kind != jsonx.Object {
		return e.Context
	}
	sent := make([]jsonx.Member, 0, len(e.Context.Members))
	for _, m := range e.Context.Members {
		if !slices.Contains(importKeys, m.Key) {
			sent = append(sent, m)
		}
	}
	return jsonx.OfObject(sent...)
}

// BodyHash identifies what an event says, without its timestamp: two posts
// with one key must agree on it.
func BodyHash(e *ui.Event) string {
	h := sha256.New()
	h.Write([]byte(string(e.Kind) + "\x00" + e.Text + "\x00"))
	if e.Action != nil {
		h.Write([]byte(DerivedKey(e.Action, false)))
		if e.Action.Call != "" && !e.Action.Returns {
			h.Write(jsonx.AppendCanonical([]byte("\x00"+e.Action.Name+"\x00"), e.Action.Context))
		}
	}
	if e.Error != nil {
		h.Write([]byte(cmp.Or(e.Error.Code, "-") + "\x00" + e.Error.Surface + "\x00" + e.Error.Path + "\x00" +
			e.Error.Message))
	}
	h.Write([]byte(e.Surface))
	if e.Preference != nil {
		b, _ := ui.Encode(e.Preference) // strings, numbers and a time that was checked
		h.Write(b)
	}
	if e.Shared != nil {
		b, _ := ui.Encode(e.Shared) // strings and parsed JSON
		h.Write(b)
	}
	if e.Kind == ui.EventData || e.Kind == ui.EventOperator || e.Kind == ui.EventRecord {
		h.Write(e.Data.AppendJSON(nil))
	}
	if e.Kind == ui.EventReply {
		h.Write(jsonx.Append(nil, e.Results))
	}
	return hex.EncodeToString(h.Sum(nil))
}
