package a2ui

import (
	"slices"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// listLimits are the limits of an input with several messages: each may be as
// long as lim allows, all together sixteen times as much.
func listLimits(lim Limits) jsonx.Limits {
	j := wire.JSONLimits(lim)
	j.Bytes, j.Depth, j.Entries = 16*lim.MessageBytes, j.Depth+2, 1_000_000
	return j
}

// DecodeMessages reads the forms in which transports carry messages: one
// message, an array of them, or an object whose member messages is such an array
// (other members, as the published samples have them, are ignored). All messages
// are of one dialect; a v0.9.1 batch may hold v0.9. The error is a *Problem, of a
// list with the number of the message, from 1, as Line.
func DecodeMessages(b []byte) (Dialect, []Message, error) {
	return decodeList(b, Limits{}.WithDefaults(), EnvelopeInvalid, LimitBytes,
		func(c *wire.Codec, v jsonx.Node) (Message, error) { return c.Decode(v) })
}

// DecodeClientMessages is DecodeMessages for what clients send.
func DecodeClientMessages(b []byte, lim Limits) (Dialect, []ClientMessage, error) {
	return decodeList(b, lim.WithDefaults(), ClientInvalid, wire.ClientTooLarge,
		func(c *wire.Codec, v jsonx.Node) (ClientMessage, error) { return c.DecodeClient(v) })
}

func decodeList[M any](b []byte, lim Limits, code, tooLarge Code,
	decode func(*wire.Codec, jsonx.Node) (M, error)) (Dialect, []M, error) {
	doc, err := jsonx.Scan(b, listLimits(lim))
	if err != nil {
		return 0, nil, wire.FromJSON(err, b, code, tooLarge)
	}
	v := doc.Root()
	if wrapped, has := v.Get("messages"); has && wrapped.Kind() == jsonx.Array {
		v = wrapped
	}
	items := []jsonx.Node{v}
	if v.Kind() == jsonx.Array {
		items = items[:0]
		for e := v.Entries(); e.OK(); e = e.Next() {
			items = append(items, e.Value())
		}
	}
	if len(items) > lim.Messages {
		return 0, nil, wire.Bad(tooLarge, "", "the list has %d messages, the limit is %d", len(items), lim.Messages)
	}
	d, problem := common(items, len(b), lim, code, tooLarge)
	if problem != nil {
		return d, nil, problem
	}
	out := make([]M, len(items))
	for i, item := range items {
		if out[i], err = decode(d.codec(), item); err != nil {
			return d, nil, Line{Number: i + 1}.number(err)
		}
	}
	return d, out, nil
}

// common finds the one dialect of all messages: the last of those that they are
// of, if it reads every version among them.
func common(items []jsonx.Node, end int, lim Limits, code, tooLarge Code) (Dialect, *Problem) {
	found := make([]Dialect, len(items))
	for i, item := range items {
		until := end
		if i+1 < len(items) {
			until = items[i+1].Off()
		}
		var p *Problem
		// a comma, a bracket
		if found[i], p = detect(item, 0, code); p == nil && until-item.Off() > lim.MessageBytes+2 {
			p = wire.Bad(tooLarge, "", "the message has more than %d bytes", lim.MessageBytes)
		}
		if p != nil {
			p.Line = i + 1
			return found[i], p
		}
	}
	if len(found) == 0 {
		return 0, nil
	}
	d := slices.Max(found)
	for i, item := range items {
		if found[i] == d {
			continue
		}
		if _, p := detect(item, d, code); p != nil {
			p.Line = i + 1
			return d, p
		}
	}
	return d, nil
}

// AppendMessages writes messages as one JSON array.
func AppendMessages(dst []byte, d Dialect, msgs []Message) ([]byte, error) {
	from := len(dst)
	dst = append(dst, '[')
	for i, m := range msgs {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = AppendMessage(dst, d, m); err != nil {
			return dst[:from], Line{Number: i + 1}.number(err)
		}
	}
	return append(dst, ']'), nil
}
