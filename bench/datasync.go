package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/limn-ui/limn/datasync"
)

// The shapes are those of crdt-benchmarks with N = 6000, as peers/measure.mjs has them:
// B3.1 and B3.3, in which clients set a number or a text, and B1.10, in which numbers are
// put before a list.
var (
	syncClients  = 1540 // 20 × ⌊√N⌋
	syncPrepends = 6000
	syncPaths    = 10_000
	syncOps      = 10_000 // of each of five actors
)

// sharing measures package datasync beside Yjs, Loro and Automerge.
func sharing(count int) []figure {
	long := strings.Repeat("x", 770)
	var updates, doc, updates33, doc33, updates110, doc110 int
	us := alternate(count,
		func() { updates, doc = manyClients(func(i int) string { return fmt.Sprint(i) }) },
		func() { updates33, doc33 = manyClients(func(i int) string { return fmt.Sprintf(`"%d%s"`, i, long) }) },
		func() { updates110, doc110 = prepended() },
		converge)
	b31, peers := us[0]/1e3, peerTimes(count)
	others := map[string]float64{"B3.3 ms": us[1] / 1e3, "B1.10 ms": us[2] / 1e3,
		"B3.3 updates kB": float64(updates33) / 1e3, "B1.10 updates kB": float64(updates110) / 1e3,
		"B3.3 doc kB": float64(doc33) / 1e3, "B1.10 doc kB": float64(doc110) / 1e3}
	var against []figure
	for _, than := range []struct {
		name string
		must float64
	}{{"yjs", 3}, {"loro", 2}, {"automerge", 0}} {
		if of := peers[than.name]; of != nil {
			against = append(against, figure{Name: "sync_b31_vs_" + than.name, Value: of["b31"] / b31, Unit: "×",
				Must: than.must, AtLeast: true})
		}
	}
	for name, of := range peers {
		for shape, at := range map[string]string{"B3.1": "b31", "B3.3": "b33", "B1.10": "b110"} {
			if ms, there := of[at]; there {
				others[name+" "+shape+" ms"] = ms
				others[name+" "+shape+" updates kB"] = of[at+"_updates"] / 1e3
				others[name+" "+shape+" doc kB"] = of[at+"_doc"] / 1e3
			}
		}
	}
	list := append([]figure{{Name: "sync_b31_ms", Value: b31, Unit: "ms", Must: 25, Others: others}}, against...)
	raw, zipped := updateBytes()
	return append(list,
		figure{Name: "sync_b31_kb", Value: float64(updates) / 1e3, Unit: "kB", Must: 60},
		figure{Name: "sync_doc_kb", Value: float64(doc) / 1e3, Unit: "kB", Must: 32},
		figure{Name: "sync_delta_ms", Value: deltaTime(count) / 1e3, Unit: "ms", Must: 1},
		figure{Name: "sync_update_b", Value: raw, Unit: "B", Must: 100},
		figure{Name: "sync_gzip_b", Value: zipped, Unit: "B", Must: 40},
		figure{Name: "sync_converge_s", Value: us[3] / 1e6, Unit: "s", Must: 1})
}

func replica(actor string) *datasync.Replica {
	r, err := datasync.Open(datasync.Options{Surface: "s", Actor: actor})
	must(err)
	return r
}

var syncStart = time.Date(2026, 1, 12, 16, 0, 0, 0, time.UTC)

func flushed(r *datasync.Replica, at time.Duration) datasync.Batch {
	b, err := r.Flush(syncStart.Add(at), nil)
	must(err)
	return b
}

func packed(b datasync.Batch) []byte {
	data, err := b.AppendBinary(nil)
	must(err)
	return data
}

func take(r *datasync.Replica, data []byte) {
	var b datasync.Batch
	must(b.UnmarshalBinary(data))
	_, err := r.Receive(b, syncStart.Add(time.Hour))
	must(err)
}

// manyClients has each client write the same path, and one take what all of them send.
func manyClients(value func(i int) string) (updates, doc int) {
	sent := make([][]byte, syncClients)
	for i := range sent {
		r := replica(fmt.Sprint("c", i))
		must(r.Edit(datasync.Update{Path: "/v", Value: value(i)}))
		sent[i] = packed(flushed(r, time.Duration(i)*time.Millisecond))
		updates += len(sent[i])
	}
	r := replica("all")
	for _, data := range sent {
		take(r, data)
	}
	return updates, len(r.Doc().Snapshot())
}

// prepended puts numbers before a list, each sent by itself.
func prepended() (updates, doc int) {
	from, to := replica("a"), replica("b")
	first := ""
	for i := range syncPrepends {
		first, _ = datasync.KeyBetween("", first)
		must(from.Edit(datasync.Update{Path: fmt.Sprint("/list/", i), Value: fmt.Sprint(i), Pos: first}))
		data := packed(flushed(from, 0))
		updates += len(data)
		take(to, data)
	}
	return updates, len(to.Doc().Snapshot())
}

// converge has five actors write, and each take the writes of the others.
func converge() {
	places := make([]*datasync.Replica, 5)
	sent := make([][]byte, len(places))
	for i := range places {
		places[i] = replica(fmt.Sprint("p", i))
		all := datasync.Batch{Surface: "s", Actor: fmt.Sprint("p", i)}
		for n := range syncOps {
			must(places[i].Edit(datasync.Update{Path: fmt.Sprintf("/rows/r%d/c%d", n%1000, n%7), Value: fmt.Sprint(n)}))
			if n%100 == 99 {
				all.Updates = append(all.Updates, flushed(places[i], time.Duration(n)*time.Millisecond).Updates...)
			}
		}
		sent[i] = packed(all)
	}
	for i, r := range places {
		for j, data := range sent {
			if i != j {
				take(r, data)
			}
		}
	}
	want := places[0].Doc().JSON()
	for _, r := range places[1:] {
		if !bytes.Equal(r.Doc().JSON(), want) {
			panic("places differ")
		}
	}
}

// deltaTime is how long it takes to find one change in a document of many paths, in µs.
func deltaTime(count int) float64 {
	r := replica("a")
	for i := range syncPaths {
		must(r.Edit(datasync.Update{Path: fmt.Sprint("/p", i), Value: "1"}))
		if i%100 == 99 {
			flushed(r, 0)
		}
	}
	seen := r.Doc().Seen()
	must(r.Edit(datasync.Update{Path: "/p77", Value: "2"}))
	flushed(r, 0)
	return micros(count, func() {
		if b := r.Doc().Delta("s", "a", seen); len(b.Updates) != 1 {
			panic("not one change")
		}
	})
}

// updateBytes is the size of one update as JSON, and of one in a gzipped batch of 100.
func updateBytes() (raw, zipped float64) {
	r := replica("renderer-1")
	for i := range 100 {
		must(r.Edit(datasync.Update{Path: fmt.Sprintf("/form/field_%d", i), Value: fmt.Sprintf(`"value %d"`, i*37)}))
	}
	text := flushed(r, 0).AppendJSON(nil)
	var buf bytes.Buffer
	w := gzip.NewWriter(&buf)
	_, err := w.Write(text)
	must(err)
	must(w.Close())
	return float64(len(text)) / 100, float64(buf.Len()) / 100
}

// peerTimes asks the other libraries; without Node.js or their packages there are none.
func peerTimes(count int) (report map[string]map[string]float64) {
	_, err := os.Stat("peers/node_modules")
	var out []byte
	if err == nil {
		node := exec.Command("node", "peers/measure.mjs",
			fmt.Sprint(count), fmt.Sprint(syncClients), fmt.Sprint(syncPrepends))
		node.Stderr = os.Stderr
		out, err = node.Output()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench: sync_b31_vs_yjs and sync_b31_vs_loro are not measured, "+
			"npm ci --prefix bench/peers installs the others:", err)
		return nil
	}
	must(json.Unmarshal(out, &report))
	return report
}
