package web_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/datasync"
)

// TestSharedHostile: a client sends what it should not, and the two beside it go on.
func TestSharedHostile(t *testing.T) {
	t.Parallel()
	c := guests(t, func(cfg *app.Config) { cfg.Extensions = []string{app.DataSync} })
	ann := newSharer(t, c, "r-ann")
	bob := newSharer(t, c, "r-bob")
	ann.watches(t)
	past := map[string]string{}
	n := 0
	round := func(after string) {
		n++
		want := fmt.Sprint("round ", n)
		ann.types(t, "/draft/name", `"`+want+`"`)
		b := ann.flush(t)
		past[fmt.Sprint(n)] = string(b.AppendJSON(nil))
		if got := ann.send(b); got.StatusCode != 200 {
			t.Errorf("after %s: %d %s", after, got.StatusCode, got.Text)
		}
		for !strings.Contains(bob.shows(), `"name":"`+want+`"`) {
			bob.read(t)
		}
		for ann.shows() != bob.shows() {
			ann.read(t)
		}
		if got := draft(c, "/draft/name"); got != want {
			t.Errorf("after %s the server has %q, want %q", after, got, want)
		}
	}
	round("nothing")

	now := time.Now()
	stamp := func(i int, actor string) string {
		return datasync.Stamp{Time: now.UnixMilli(), Count: i, Actor: actor}.String()
	}
	future := func(actor string) string {
		return datasync.Stamp{Time: now.Add(time.Hour).UnixMilli(), Actor: actor}.String()
	}
	eve := func(updates, versions string) string {
		return fmt.Sprintf(`{"dataModelChanged":{"surfaceId":%q,"actorId":"r-eve","updates":[%s],"versions":{%s}}}`,
			form, updates, versions)
	}
	many := func(count int, of func(i int) string) string {
		var all []string
		for i := range count {
			all = append(all, of(i))
		}
		return strings.Join(all, ",")
	}
	version := func(actor string) string { return fmt.Sprintf("%q:%q", actor, future(actor)) }
	vip := fmt.Sprintf(`{"path":"/draft/vip","value":true,"hlc":%q}`, stamp(1, "r-eve"))
	tombstone := func(path string) func(i int) string {
		return func(i int) string {
			return fmt.Sprintf(`{"path":%q,"value":null,"hlc":%q}`, strings.ReplaceAll(path, "#", fmt.Sprint(i)), stamp(i, "r-eve"))
		}
	}
	for _, tt := range []struct {
		name, body string
		status     int
		code       string
	}{
		{"a vector of others' future", eve(vip, version("r-ann")+","+version("r-bob")+","+version("limn.app")), 200, ""},
		{"a vector of its own future", eve(vip, version("r-eve")), 200, ""},
		{"a question with a vector that lies", eve("", version("r-ann")), 200, ""},
		{"a vector of 5,000 actors", eve(vip, many(5000, func(i int) string { return version(fmt.Sprint("r-", i)) })), 0, "SYNC_LIMIT"},
		{"tombstones of what never was", eve(many(1000, tombstone("/draft/x#")), ""), 0, "SYNC_PATH_INVALID"},
		{"tombstones of one value", eve(many(1000, tombstone("/draft/vip")), ""), 200, ""},
		{"too many tombstones", eve(many(1001, tombstone("/draft/vip")), ""), 0, "SYNC_LIMIT"},
		{"10 MB", eve(`{"path":"/draft/name","value":"`+strings.Repeat("x", 10<<20)+`","hlc":"`+stamp(1, "r-eve")+`"}`, ""), 413,
			"HTTP_BODY_TOO_LARGE"},
	} {
		got := ann.post("/events", tt.body)
		if tt.status != 0 && got.StatusCode != tt.status || tt.status == 0 && got.StatusCode/100 != 4 || !strings.Contains(got.Text, tt.code) {
			t.Errorf("%s: %d %.300s, want %d %s", tt.name, got.StatusCode, got.Text, tt.status, tt.code)
		}
		round(tt.name)
	}

	seq, sf := c.State().Seq, c.State().Surface("form:guest")
	if len(sf.Stamps) > 3 || len(sf.Actors) > 3 || sf.Actors["r-ann"].Last >= future("r-ann") {
		t.Errorf("the surface keeps %d stamps of %d actors: %+v", len(sf.Stamps), len(sf.Actors), sf.Actors)
	}
	for range 3 { // all that Ann ever sent, in any order
		for _, b := range past {
			if got := ann.post("/events", `{"dataModelChanged":`+b+`}`); got.StatusCode != 200 {
				t.Fatalf("%d %s", got.StatusCode, got.Text)
			}
		}
	}
	if got := c.State().Seq; got != seq {
		t.Errorf("a history that is played again made %d frames", got-seq)
	}
	round("the whole history again")
}
