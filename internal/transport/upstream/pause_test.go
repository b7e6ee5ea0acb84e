package upstream

import (
	"encoding/json"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/ui"
)

// TestFewerAndFewerFrames: a slow agent that changes its surface all the time makes a frame now and then, since each
// holds the whole surface, and what it changed in between is in the next one.
func TestFewerAndFewerFrames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := gateway.Load("gateway.yaml", []byte("agents: [{name: a, title: A, url: 'http://127.0.0.1:1/'}]\nfallback: a\n"))
		if err != nil {
			t.Fatal(err)
		}
		frames, messages := 0, 0
		in := &intake{Intake: c.Intake(c.Agent("a"), ui.NewState("c")), early: func(whole func() gateway.Said) (gateway.Said, bool) {
			said := whole()
			frames, messages = frames+1, messages+len(said.Messages)
			return said, true
		}}
		defer (&answers{list: map[string][]*intake{}}).begin("c", in)()
		take := func(line string) {
			_ = in.take(func() error {
				in.Take(json.RawMessage(line), time.Now())
				return nil
			})
		}
		take(`{"version":"v0.9","createSurface":{"surfaceId":"m","catalogId":"https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"}}`)
		take(`{"version":"v0.9","updateComponents":{"surfaceId":"m","components":[{"id":"root","component":"Text","text":{"path":"/v"}}]}}`)
		for i := range 200 { // for twenty seconds
			take(fmt.Sprintf(`{"version":"v0.9","updateDataModel":{"surfaceId":"m","path":"/v","value":"%d"}}`, i))
			time.Sleep(100 * time.Millisecond)
			synctest.Wait()
		}
		said, warnings := in.end()
		if frames < 5 || frames > 10 || messages+len(said.Messages) != 202 || len(warnings) > 0 {
			t.Errorf("%d frames with %d messages, %d at the end, %v", frames, messages, len(said.Messages), warnings)
		}
	})
}
