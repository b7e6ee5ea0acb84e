package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/sqlite"
)

var (
	subscribers = 1000
	idleStreams = 9000
	stored      = 100_000
	settling    = 2 * time.Second // until running work has ended
)

// shorten makes every size so small that all groups run in seconds. The figures
// mean nothing then; that the program runs through does.
func shorten() {
	loadClients, loadTime, warmUp = 8, 300*time.Millisecond, 100*time.Millisecond
	subscribers, idleStreams, stored, recordCount = 20, 50, 1000, 2000
	doorRounds, doorStreams = 5, 20
	gatewayMessages, gatewayRounds, gatewaySide = 10, 1, 2
	gatewaySlice, gatewaySlices, gatewayAgents, gatewayClients = 100*time.Millisecond, 1, 5, 10
	syncClients, syncPrepends, syncPaths, syncOps = 20, 20, 200, 200
	settling, *slopeTime = 100*time.Millisecond, 2*time.Second
}

// fanout counts what 1,000 streams of one conversation get while its form is
// submitted as fast as it is answered.
func fanout(int) []figure {
	file, drop := tempFile()
	defer drop()
	srv := startServer("sqlite:" + file)
	defer srv.stop()
	poster := newClient(srv.addr)
	defer poster.close()
	poster.deaf = true
	var frames, size atomic.Int64
	var conns []net.Conn
	var wg sync.WaitGroup
	for range subscribers {
		conn := follow(srv.addr, poster.conversation, poster.token)
		conns = append(conns, conn)
		wg.Go(func() { // ends with its connection
			buf := make([]byte, 64<<10)
			for {
				n, err := conn.Read(buf)
				if err != nil {
					return
				}
				frames.Add(int64(bytes.Count(buf[:n], []byte("\nid: ")))) // one cut in two is missed, seldom
				size.Add(int64(n))
			}
		})
	}
	drive([]*client{poster}, 0, warmUp, 0)
	was, bytesWas, begin := frames.Load(), size.Load(), time.Now()
	posted, _ := drive([]*client{poster}, 0, loadTime, 0)
	got, bytesGot, took := frames.Load()-was, size.Load()-bytesWas, time.Since(begin).Seconds()
	for _, conn := range conns {
		conn.Close()
	}
	wg.Wait()
	return []figure{{Name: "fanout_msg_s", Value: float64(got) / took, Unit: "1/s", Must: 200_000, Aim: 350_000,
		AtLeast: true,
		Others:  map[string]float64{"bytes each": float64(bytesGot) / float64(max(got, 1)), "frames/s": posted}}}
}

// follow opens a stream on a separate connection, and returns the connection after the
// head of the answer.
func follow(addr, conversation, token string) net.Conn {
	conn, err := net.Dial("tcp", addr)
	must(err)
	_, err = fmt.Fprintf(conn,
		"GET /v1/conversations/%s/stream?format=limn&version=v0.9 HTTP/1.1\r\nHost: x\r\n"+
			"Authorization: Bearer %s\r\n\r\n", conversation, token)
	must(err)
	head := make([]byte, 12)
	_, err = io.ReadFull(conn, head)
	must(err)
	if !bytes.HasSuffix(head, []byte("200")) {
		panic("stream answered " + string(head))
	}
	return conn
}

// idle is the cost of a stream on which nothing happens, each of a different
// conversation.
func idle(int) []figure {
	file, drop := tempFile()
	defer drop()
	srv := startServer("sqlite:" + file)
	defer srv.stop()
	made := make([]struct{ ID, Token string }, idleStreams)
	for i := range made {
		(&caller{base: "http://" + srv.addr}).json("POST", "/v1/conversations", nil, &made[i])
	}
	http.DefaultClient.CloseIdleConnections()
	time.Sleep(settling)
	_, before := srv.settled()
	conns := make([]net.Conn, idleStreams)
	for i, m := range made {
		conns[i] = follow(srv.addr, m.ID, m.Token)
	}
	time.Sleep(settling)
	_, after := srv.settled()
	for _, c := range conns {
		c.Close()
	}
	return []figure{{Name: "idle_kib", Value: (after - before) / float64(idleStreams), Unit: "KiB", Must: 10, Aim: 7,
		Others: map[string]float64{"streams": float64(idleStreams)}}}
}

// slope is how the memory of a server grows under a steady load. Resident memory
// rises and falls with garbage, by more than an hour of a leak would add: so it is
// the objects that a collection leaves which are counted, every few seconds.
func slope(int) []figure {
	file, drop := tempFile()
	defer drop()
	srv := startServer("sqlite:" + file)
	defer srv.stop()
	var clients []*client
	for range loadClients {
		clients = append(clients, newClient(srv.addr))
	}
	const rate = 500
	drive(clients, 0, *slopeTime/5, rate) // warm-up: caches and the heap find their size
	var at, kib, rss []float64
	done := make(chan struct{})
	begin := time.Now()
	go func() {
		defer close(done)
		drive(clients, 0, *slopeTime, rate)
	}()
	tick := time.NewTicker(max(*slopeTime/100, time.Second))
	defer tick.Stop()
	for running := true; running; {
		select {
		case <-tick.C:
			live, resident := srv.settled()
			at, kib, rss = append(at, time.Since(begin).Minutes()), append(kib, live), append(rss, resident)
		case <-done:
			running = false
		}
	}
	for _, c := range clients {
		c.close()
	}
	return []figure{{Name: "memory_slope", Value: line(at, kib), Unit: "KiB/min", Others: map[string]float64{
		"minutes": slopeTime.Minutes(), "samples": float64(len(at)), "first MiB": kib[0] / 1024,
		"last MiB":         kib[len(kib)-1] / 1024,
		"resident KiB/min": line(at, rss), "resident MiB": rss[len(rss)-1] / 1024}}}
}

// line is the slope of the straight line through points, by least squares.
func line(x, y []float64) float64 {
	var sx, sy, sxx, sxy float64
	n := float64(len(x))
	for i := range x {
		sx, sy, sxx, sxy = sx+x[i], sy+y[i], sxx+x[i]*x[i], sxy+x[i]*y[i]
	}
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}

// start is how long a process takes from its start until it is ready, with many
// conversations stored and some that a crash left in the middle.
func start(count int) []figure {
	file, drop := tempFile()
	defer drop()
	fill(file)
	var times []float64
	for range count {
		begin := time.Now()
		srv := startServer("sqlite:" + file)
		resp, err := http.Get("http://" + srv.addr + "/readyz")
		must(err)
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			panic(resp.Status)
		}
		times = append(times, float64(time.Since(begin).Microseconds())/1e3)
		srv.stop()
	}
	return []figure{{Name: "start_100k_ms", Value: median(times), Unit: "ms", Must: 500, Aim: 200}}
}

// fill makes a store of many conversations with three frames each.
func fill(file string) {
	st, err := sqlite.Open(file)
	must(err)
	ctx := context.Background()
	frame := []byte(`{"v":1,"seq":1,"event":"e","at":"2026-11-20T09:00:00Z","outcome":{"kind":"done"},"text":"` +
		strings.Repeat("x", 300) + `"}`)
	var wg sync.WaitGroup
	for worker := range 64 {
		wg.Go(func() {
			for i := worker; i < stored; i += 64 {
				id := fmt.Sprintf("c%06d", i)
				must(st.Create(ctx, store.Conversation{ID: id, Log: "0123456789abcdef", Owner: fmt.Sprintf("p%d", i/10),
					Created: time.Now()}))
				for seq := range uint64(3) {
					must(st.Append(ctx, id, store.Commit{Expect: seq, Frame: frame}))
				}
			}
		})
	}
	wg.Wait()
	must(st.Close())
}
