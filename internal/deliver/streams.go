package deliver

import (
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/ui"
)

// streams are those that are open.
type streams struct {
	who   map[string][]*Sub // by principal
	from  map[string]int    // how many, by network
	count int
}

func newStreams() streams { return streams{who: map[string][]*Sub{}, from: map[string]int{}} }

var errTooMany error = &ui.Error{Code: recovery.CodeStreams, Message: "you have too many streams open",
	Hint: "close one, or share one stream"}

// add counts a stream in, unless a limit is reached.
func (o *streams) add(cfg Config, s *Sub) error {
	switch {
	case cfg.Streams > 0 && o.count >= cfg.Streams:
		return &ui.Error{Code: recovery.CodeStreams, Message: "the server has as many streams as it can serve"}
	case cfg.PerNetwork > 0 && s.network != "" && o.from[s.network] >= cfg.PerNetwork:
		return &ui.Error{Code: recovery.CodeStreams, Message: "your network has too many streams open",
			Hint: "close some, or share one stream"}
	case cfg.PerPrincipal > 0 && len(o.who[s.principal]) >= cfg.PerPrincipal:
		return errTooMany
	}
	o.who[s.principal] = append(o.who[s.principal], s)
	o.from[s.network]++
	o.count++
	return nil
}

// remove counts a stream out.
func (o *streams) remove(s *Sub) {
	list := without(o.who[s.principal], s)
	if o.who[s.principal] = list; len(list) == 0 {
		delete(o.who, s.principal)
	}
	if o.from[s.network]--; o.from[s.network] == 0 {
		delete(o.from, s.network)
	}
	o.count--
}

func (o *streams) all() (all []*Sub) {
	for _, list := range o.who {
		all = append(all, list...)
	}
	return all
}
