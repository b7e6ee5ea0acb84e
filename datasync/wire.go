package datasync

import (
	"maps"
	"slices"

	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// AppendJSON appends the batch as the body of the messages updateDataModel and
// dataModelChanged.
func (b Batch) AppendJSON(dst []byte) []byte {
	dst = jsonx.AppendString(append(dst, `{"surfaceId":`...), b.Surface)
	dst = jsonx.AppendString(append(dst, `,"actorId":`...), b.Actor)
	dst = append(dst, `,"updates":[`...)
	for i, u := range b.Updates {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsonx.AppendString(append(dst, `{"path":`...), u.Path)
		if u.Value != "" {
			dst = append(append(dst, `,"value":`...), u.Value...)
		}
		dst = u.Stamp.append(append(dst, `,"hlc":"`...))
		dst = append(dst, '"')
		if u.Pos != "" || u.Unplace && u.Value != deleted {
			dst = jsonx.AppendString(append(dst, `,"pos":`...), u.Pos)
		}
		dst = append(dst, '}')
	}
	dst = append(dst, `],"versions":{`...)
	for i, actor := range slices.Sorted(maps.Keys(b.Versions)) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(jsonx.AppendString(dst, actor), ':', '"')
		dst = append(b.Versions[actor].append(dst), '"')
	}
	return append(dst, "}}"...)
}

// ParseBatch reads the body of a message as AppendJSON writes it. What a Doc refuses by
// its limits is not checked here, except for the number of updates and the size in bytes.
func ParseBatch(body []byte, l Limits) (Batch, error) {
	l = l.withDefaults()
	doc, err := jsonx.Scan(body, jsonx.Limits{Bytes: l.Bytes, Depth: l.Depth + 4, Entries: 64 * l.Updates,
		String: max(l.Value, l.Path)})
	if err != nil {
		return Batch{}, &ui.Error{Code: CodeBatch, Message: "the message is no JSON within the limits", Err: err}
	}
	root := doc.Root()
	var b Batch
	if b.Surface, err = text(root, "surfaceId"); err != nil {
		return Batch{}, err
	}
	if b.Actor, err = text(root, "actorId"); err != nil {
		return Batch{}, err
	}
	if !validActor(b.Actor) {
		return Batch{}, ui.Errorf(CodeActor, "/actorId", "the name of the sending actor is invalid")
	}
	updates, ok := root.Get("updates")
	if !ok || updates.Kind() != jsonx.Array {
		return Batch{}, ui.Errorf(CodeBatch, "/updates", "want an array of updates")
	}
	if updates.Len() > l.Updates {
		return Batch{}, ui.Errorf(CodeLimit, "/updates", "more than %d updates", l.Updates)
	}
	b.Updates = make([]Update, 0, updates.Len())
	for e := updates.Entries(); e.OK(); e = e.Next() {
		u, err := parseUpdate(e.Value())
		if err != nil {
			return Batch{}, err
		}
		b.Updates = append(b.Updates, u)
	}
	versions, ok := root.Get("versions")
	if !ok || versions.Kind() != jsonx.Object {
		return Batch{}, ui.Errorf(CodeBatch, "/versions", "want an object: what the sender has seen")
	}
	b.Versions = make(Vector, min(versions.Len(), l.Actors))
	for e := versions.Entries(); e.OK(); e = e.Next() {
		s, err := ParseStamp(e.Value().Text())
		if err != nil || s.Actor != e.Key() {
			return Batch{}, ui.Errorf(CodeStamp, "/versions", "a member is not an actor with a stamp of its own")
		}
		if b.Versions[s.Actor] = s; len(b.Versions) > l.Actors+2 { // an answer says for whom, and which part
			return Batch{}, ui.Errorf(CodeLimit, "/versions", "more than %d actors", l.Actors)
		}
	}
	return b, nil
}

// text is a member that has to be a string.
func text(n jsonx.Node, key string) (string, error) {
	v, ok := n.Get(key)
	if !ok || v.Kind() != jsonx.String || v.Text() == "" {
		return "", ui.Errorf(CodeBatch, "/"+key, "want a text")
	}
	return v.Text(), nil
}

func parseUpdate(n jsonx.Node) (u Update, err error) {
	if u.Path, err = pathOf(n); err != nil {
		return u, err
	}
	if u.Stamp, err = ParseStamp(n.At("hlc").Text()); err != nil {
		e := ui.AsError(err, CodeStamp, "")
		return u, &ui.Error{Code: e.Code, Path: u.Path, Message: e.Message, Hint: e.Hint}
	}
	pos, placed := n.Get("pos")
	if placed && pos.Kind() != jsonx.String {
		return u, ui.Errorf(CodeBatch, u.Path, "pos is no text")
	}
	u.Pos, u.Unplace = pos.Text(), placed && pos.Text() == ""
	value, ok := n.Get("value")
	switch {
	case ok:
		return u.with(value.Value())
	case !placed:
		u.Value = deleted // as the proposal says in words; its schema says null
	}
	return u, nil
}

// pathOf allows "": RFC 6901 calls the whole document so.
func pathOf(n jsonx.Node) (string, error) {
	v, ok := n.Get("path")
	if !ok || v.Kind() != jsonx.String {
		return "", ui.Errorf(CodePath, "", "an update has no path")
	}
	return v.Text(), nil
}

// with returns the update with a value, in canonical form. A text "pos" inside of it is
// its position, as some peers write it.
func (u Update) with(v jsonx.Value) (Update, error) {
	if v.Kind == jsonx.Array {
		e := ui.Errorf(CodeValue, u.Path, "a value is an array")
		e.Hint = "write a list as an object of items by id, each with a position"
		return u, e
	}
	if pos, ok := v.Get("pos"); ok && pos.Kind == jsonx.String && u.Pos == "" && !u.Unplace {
		u.Pos = pos.Str
	}
	u.Value, u.canonical = string(jsonx.AppendCanonical(nil, v)), true
	return u, nil
}
