package deliver

import (
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/session"
)

// key names an encoded frame; two subscribers with one key share it.
type key struct {
	conversation string
	target       string
	catalog      string // clients know the same one by different ids
	format       Format
	rebuild      bool
	seq          uint64
}

type encoded struct {
	messages [][]byte
	warnings []string
}

// cached and cachedBytes bound the encoded frames that are kept.
const (
	cached      = 1024
	cachedBytes = 32 << 20
)

// encode draws a frame, or takes the drawing another subscriber made.
func (d *Deliverer) encode(r Request, st session.Step) (encoded, error) {
	k := key{r.Conversation, r.Target.Name, r.Target.A2UI.Catalog, r.Format, r.Rebuild, st.Frame.Seq}
	d.mu.Lock()
	e, ok := d.cache[k]
	d.mu.Unlock()
	if ok {
		return e, nil
	}
	t := r.Target
	if r.Rebuild {
		t.A2UI.Flags |= compile.Rebuild
	}
	messages, warnings, err := t.update(st.Before, st.After, st.Frame)
	if err != nil {
		return encoded{}, err
	}
	e = encoded{messages, warnings}
	d.keep(k, e)
	return e, nil
}

func (d *Deliverer) keep(k key, e encoded) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.cache[k]; ok {
		return
	}
	d.cache[k] = e
	d.order = append(d.order, k)
	d.size += e.size()
	for len(d.order) > cached || d.size > cachedBytes {
		d.size -= d.cache[d.order[0]].size()
		delete(d.cache, d.order[0])
		d.order = d.order[1:]
	}
}

func (e encoded) size() int {
	n := 0
	for _, m := range e.messages {
		n += len(m)
	}
	return n
}
