package ingress

import (
	"slices"
	"strings"
	"time"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/datasync"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// memberShared is the message of the extension data-sync by which clients send writes.
const memberShared = "dataModelChanged"

// maxShared is how many writes one message can have.
const maxShared = 1000

// MaxAhead is how far the clock of a client may go before ours.
const MaxAhead = time.Minute

// sharedEvent reads the message dataModelChanged. Errors are CodeEnvelope, those of
// datasync.ParseBatch, and datasync.CodePath.
func sharedEvent(message, body jsonx.Value) (*ui.Event, error) {
	for _, m := range message.Members {
		if m.Key != memberShared && m.Key != "version" {
			return nil, &ui.Error{Code: CodeEnvelope, Path: "/" + excerpt.Head(m.Key, 64),
				Message: "a member that is not known beside " + memberShared, Hint: "send each message by itself"}
		}
	}
	version, given := message.Get("version") // the proposal's messages have none
	if d, err := a2ui.ParseDialect(version.Text()); given && (err != nil || !d.Features().BareValues) {
		return nil, &ui.Error{Code: CodeEnvelope, Path: "/version", Message: "want a version of A2UI from v0.9",
			Hint: `send {"dataModelChanged":{…}}, with "version":"v0.9" in it or without`}
	}
	b, err := datasync.ParseBatch(jsonx.Append(nil, body), datasync.Limits{Updates: maxShared})
	if err != nil {
		return nil, err
	}
	out := &ui.SharedEvent{Surface: excerpt.Head(b.Surface, 128), Actor: b.Actor, Before: map[string]string{}}
	for _, u := range b.Updates {
		p := Path(u.Path)
		if !p.Under(ui.DraftRoot) {
			return nil, notShared(u.Path)
		}
		if u.Pos != "" || u.Unplace {
			e := notShared(u.Path)
			e.Message, e.Hint = "rows are added, moved and removed by the buttons of their table",
				"send the action of the button; cells can be written by themselves"
			return nil, e
		}
		v, err := jsonx.ParseString(u.Value, jsonx.Limits{})
		if err != nil {
			return nil, notShared(u.Path) // a value of ParseBatch is canonical JSON
		}
		out.Writes = append(out.Writes, ui.SharedWrite{Path: p, Value: v, Stamp: u.Stamp.String()})
	}
	for actor, s := range b.Versions {
		out.Before[actor] = s.String()
	}
	return &ui.Event{V: ui.Version, Kind: ui.EventShared, Shared: out}, nil
}

func notShared(path string) *ui.Error {
	return &ui.Error{Code: datasync.CodePath, Path: excerpt.Head(path, 256), Message: "no input is bound there",
		Hint: "write the values of inputs, such as /draft/name"}
}

// Merged is a SharedEvent against the state it is decided on.
type Merged struct {
	Surface *ui.Surface
	Wins    []ui.Leaf          // that are later than the values there
	Gone    []ui.Leaf          // of rows and inputs which are not there any more, and not known
	Writes  map[ui.Path]string // their stamps
	Last    string             // of the actor, if nothing before these writes is missing; else as before
}

// Merge checks the writes of a client and finds those that count: of each leaf the one
// with the latest stamp. It takes all of them or, with an error, none. Errors are
// CodeEnvelope, CodeStale, CodeSubmitted, CodeTooLarge, datasync.CodePath, CodeAhead and
// CodeActor.
func Merge(s *ui.State, e *ui.Event) (Merged, error) {
	in := e.Shared
	name, epoch, err := ui.ParseWireID(in.Surface)
	sf := s.Surface(name)
	switch {
	case err != nil || sf == nil || sf.Epoch != epoch:
		return Merged{}, &ui.Error{Code: CodeStale, Path: "/surfaceId", Message: "this form is no longer there",
			Hint: "drop what waits for it"}
	case sf.Status != ui.StatusOpen:
		return Merged{}, over(sf, &ui.ActionEvent{}, "regenerate it; what you typed is kept")
	}
	known := sf.Actors[in.Actor]
	if strings.HasPrefix(in.Actor, builtin.ServerActors) || known.By != "" && known.By != e.Principal {
		return Merged{}, &ui.Error{Code: datasync.CodeActor, Path: "/actorId",
			Message: "the actor " + in.Actor + " is somebody else", Hint: "take a random name of your own"}
	}
	out := Merged{Surface: sf, Writes: map[ui.Path]string{}, Last: known.Last}
	owners, last := ownersOf(sf), ""
	wins := map[ui.Path]ui.Value{}
	for _, w := range in.Writes {
		if err := mayWrite(sf, in, w, e.At); err != nil {
			return Merged{}, err
		}
		v, there, err := sharedValue(sf, owners, w)
		if err != nil {
			return Merged{}, err
		}
		own := strings.HasSuffix(w.Stamp, ":"+in.Actor) // others' writes are here already
		if own {
			last = max(last, w.Stamp)
		}
		if !there && own && w.Stamp > known.Last {
			out.Gone = append(out.Gone, ui.Leaf{Path: w.Path, Value: v})
		}
		if there && own && w.Stamp > sf.Stamps[w.Path].At && w.Stamp > out.Writes[w.Path] {
			out.Writes[w.Path], wins[w.Path] = w.Stamp, v
		}
	}
	for _, w := range in.Writes {
		if v, ok := wins[w.Path]; ok && out.Writes[w.Path] == w.Stamp {
			out.Wins = append(out.Wins, ui.Leaf{Path: w.Path, Value: v})
		}
	}
	if in.Before[in.Actor] <= known.Last { // nothing of it was lost on the way
		out.Last = max(known.Last, last)
	}
	return out, nil
}

// mayWrite checks the stamp of a write: it is the sender's, or known already,
// and not of the future.
func mayWrite(sf *ui.Surface, in *ui.SharedEvent, w ui.SharedWrite, now time.Time) error {
	s, err := datasync.ParseStamp(w.Stamp)
	if err != nil {
		return err
	}
	if s.Actor != in.Actor && w.Stamp > sf.Actors[s.Actor].Last {
		return &ui.Error{Code: datasync.CodeActor, Path: string(w.Path),
			Message: "a write of the actor " + s.Actor + ", which did not send it", Hint: "send the writes of your own"}
	}
	clock, err := datasync.NewClock(in.Actor, datasync.Stamp{})
	if err != nil {
		return err
	}
	return clock.Receive(s, now, MaxAhead)
}

// sharedValue is the value of a write in the form that its input has. there is false for
// an input, or a cell of a row, that is gone.
func sharedValue(sf *ui.Surface, owners map[ui.Path]owner, w ui.SharedWrite) (v ui.Value, there bool, err error) {
	adm, value := Admitted{Surface: sf}, w.Value
	if list, ok := value.Get(builtin.ListMember); ok && len(value.Members) == 1 {
		value = list
	}
	if o := owners[w.Path]; o.input != nil {
		err = adm.value(o, ui.Context{Key: string(w.Path[1:]), Path: w.Path}, value, true, true, false)
	} else if !left(sf, owners, w.Path) {
		v, there, err = sharedCell(sf, owners, w.Path, value)
	}
	if err != nil {
		shaped := *ui.AsError(err, CodeEnvelope, "")
		shaped.Path = string(w.Path)
		return v, false, &shaped
	}
	if len(adm.Values) > 0 {
		return adm.Values[0].Value, true, nil
	}
	return v, there, nil
}

// sharedCell is sharedValue for a cell.
func sharedCell(sf *ui.Surface, owners map[ui.Path]owner, p ui.Path, value jsonx.Value) (v ui.Value, there bool,
	err error) {
	at, column := cut(p)
	rows, row := cut(at)
	rs := owners[rows].rows
	if rs == nil || !ui.ValidKey(row) {
		return v, false, notShared(string(p))
	}
	i := slices.IndexFunc(rs.Columns, func(f ui.Field) bool { return f.Name == column })
	if i < 0 {
		return v, false, notShared(string(p))
	}
	v, ok := scalar(rs.Columns[i], value, false)
	if !ok {
		return v, false, wrongKind(string(p), rs.Columns[i].Type)
	}
	table, _ := sf.Get(rows)
	_, there = table.Record(row)
	adm := Admitted{Surface: sf}
	return v, there, adm.tooLong(p, v, string(p))
}

// left reports whether p had an input that is gone since: the draft keeps its value, and no
// input or rowset is there or above it. Whoever did not know may write to it, without effect.
func left(sf *ui.Surface, owners map[ui.Path]owner, p ui.Path) bool {
	v, ok := sf.Get(p)
	if !ok || v.Kind() == ui.MapValue || v.Kind() == ui.RowsValue {
		return false
	}
	for at := p; at != ""; at, _ = cut(at) {
		if _, owned := owners[at]; owned {
			return false
		}
	}
	return true
}

// cut splits the last segment from a path.
func cut(p ui.Path) (ui.Path, string) {
	i := strings.LastIndexByte(string(p), '/')
	if i < 0 {
		return "", ""
	}
	return p[:i], string(p[i+1:])
}
