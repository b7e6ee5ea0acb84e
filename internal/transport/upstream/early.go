package upstream

import (
	"slices"
	"sync"
	"time"

	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/internal/modelrun"
	"github.com/limn-ui/limn/ui"
)

// soon is how long a whole surface waits for the end of its answer. Each time that one was shown the next waits twice
// as long, up to late: a frame holds the whole surface.
const (
	soon = 100 * time.Millisecond
	late = 5 * time.Second
)

// intake shows whole surfaces while their answer goes on: users do not wait for a slow agent, and one that
// answers at once makes one frame.
type intake struct {
	*gateway.Intake
	early  modelrun.Show
	others func() []*intake // of the same agent and conversation, which go on as well

	mu    sync.Mutex // guards Intake and the rest
	timer *time.Timer
	pause time.Duration // before the next is shown; 0: soon
	shown []gateway.Said
	over  bool // nothing more is shown before the end
}

// take reads a line.
func (in *intake) take(line func() error) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	err := line()
	if in.timer == nil && in.Pending() {
		in.pause = max(in.pause, soon)
		in.timer = time.AfterFunc(in.pause, in.show)
	}
	return err
}

// show shows the whole surfaces, after those of other answers: what came first is not written over what came later.
func (in *intake) show() {
	for _, other := range in.others() {
		other.showOwn()
	}
	in.showOwn()
}

// showOwn shows the whole surfaces of one answer. Nothing is read meanwhile.
func (in *intake) showOwn() {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.timer != nil {
		in.timer.Stop()
	}
	if in.timer = nil; in.over || !in.Pending() {
		return
	}
	said, ok := in.early(in.Complete)
	if !ok {
		in.over = true
		in.Later(said)
	}
	if ok && len(said.Messages) > 0 {
		in.shown, in.pause = append(in.shown, said), min(2*in.pause, late)
	}
}

// end ends the answer, after what others have to show.
func (in *intake) end() (said gateway.Said, warnings []*ui.Error) {
	for _, other := range in.others() {
		other.showOwn()
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.over = true; in.timer != nil {
		in.timer.Stop()
	}
	return in.End()
}

// answers are the answers that go on.
type answers struct {
	mu   sync.Mutex
	list map[string][]*intake // by the agent's own id of the conversation; guarded by mu
}

// begin adds an answer, until over is called.
func (a *answers) begin(conversation string, in *intake) (over func()) {
	others := func() []*intake { // with a.mu
		return slices.DeleteFunc(slices.Clone(a.list[conversation]), func(o *intake) bool { return o == in })
	}
	in.others = func() []*intake {
		a.mu.Lock()
		defer a.mu.Unlock()
		return others()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.list[conversation] = append(a.list[conversation], in)
	return func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.list[conversation] = others(); len(a.list[conversation]) == 0 {
			delete(a.list, conversation)
		}
	}
}
