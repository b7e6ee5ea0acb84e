package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/limn-ui/limn/datasync"
)

// written is one write of a history, which peers/agree.mjs plays, too.
type written struct {
	Actor int    `json:"actor"`
	Key   string `json:"key"`
	Value int    `json:"value"`
}

// TestAgrees: histories without deletions, in which nobody writes a key at the same time
// as somebody else, end as those of Yjs and Automerge do.
func TestAgrees(t *testing.T) {
	switch _, err := os.Stat("peers/node_modules"); {
	case err == nil:
	case os.Getenv("LIMN_REQUIRE") == "1":
		t.Fatal("Yjs and Automerge are missing: sh scripts/deps.sh npm installs them")
	default:
		t.Skip("Yjs and Automerge are missing: sh scripts/deps.sh npm installs them")
	}
	random := rand.New(rand.NewPCG(3, 1))
	histories := make([][][]written, 50)
	for i := range histories {
		for range 10 {
			round := []written{}
			for k := range 12 {
				if random.IntN(3) == 0 {
					round = append(round, written{random.IntN(3), fmt.Sprint("k", k), random.IntN(1000)})
				}
			}
			histories[i] = append(histories[i], round)
		}
	}
	in, err := json.Marshal(histories)
	if err != nil {
		t.Fatal(err)
	}
	node := exec.Command("node", "peers/agree.mjs")
	node.Stdin = bytes.NewReader(in)
	out, err := node.Output()
	if err != nil {
		t.Fatal(err)
	}
	var theirs [][]map[string]int
	if err := json.Unmarshal(out, &theirs); err != nil {
		t.Fatal(err)
	}
	for i, history := range histories {
		for j, want := range theirs[i] {
			for k, got := range played(t, history) {
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("history %d: place %d of ours has %v, document %d of theirs %v", i, k, got, j, want)
				}
			}
		}
	}
}

func played(t *testing.T, history [][]written) (maps []map[string]int) {
	places := []*datasync.Replica{replica("p0"), replica("p1"), replica("p2")}
	for n, round := range history {
		for _, w := range round {
			must(places[w.Actor].Edit(datasync.Update{Path: "/" + w.Key, Value: fmt.Sprint(w.Value)}))
		}
		var sent []datasync.Batch
		for i, r := range places { // the clocks differ by minutes
			sent = append(sent, flushed(r, time.Duration(n-i*100)*time.Second))
		}
		for i, r := range places {
			for j, b := range sent {
				if i != j && len(b.Updates) > 0 {
					_, err := r.Receive(b, syncStart.Add(time.Hour))
					must(err)
				}
			}
		}
	}
	for _, r := range places {
		m := map[string]int{}
		if err := json.Unmarshal(r.Doc().JSON(), &m); err != nil {
			t.Fatal(err)
		}
		maps = append(maps, m)
	}
	return maps
}
