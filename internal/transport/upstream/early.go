package upstream

import (
	"sync"
	"time"

	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/internal/modelrun"
	"github.com/limn-ui/limn/ui"
)

// soon is how long a whole surface waits for the end of its answer.
const soon = 100 * time.Millisecond

// intake shows whole surfaces while their answer goes on: users do not wait for a slow agent, and one that
// answers at once makes one frame.
type intake struct {
	*gateway.Intake
	early modelrun.Show
	mu    sync.Mutex // guards Intake and the rest
	timer *time.Timer
	kept  bool // something was shown
	over  bool // nothing more is shown before the end
}

// take reads a line.
func (in *intake) take(line func() error) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	err := line()
	if in.timer == nil && in.Pending() {
		in.timer = time.AfterFunc(soon, in.show)
	}
	return err
}

// show shows the whole surfaces. Nothing is read meanwhile.
func (in *intake) show() {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.timer = nil; in.over {
		return
	}
	said, ok := in.early(in.Complete)
	if !ok {
		in.over = true
		in.Later(said)
	}
	in.kept = in.kept || ok && len(said.Messages) > 0
}

// end ends the answer.
func (in *intake) end() (said gateway.Said, warnings []*ui.Error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.over = true; in.timer != nil {
		in.timer.Stop()
	}
	said, warnings = in.End()
	said.Shown = in.kept
	return said, warnings
}
