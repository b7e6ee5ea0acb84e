package transport_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/ui"
)

// The clients of the benchmarks are another process: this test program, told by
// its environment to be one.
const clientsEnv = "LIMN_TEST_CLIENTS"

func TestMain(m *testing.M) {
	if spec := os.Getenv(clientsEnv); spec != "" {
		runClients(spec)
		return
	}
	os.Exit(m.Run())
}

// runClients opens n streams of addr+path (with %d for its number), says so,
// reads until each has had a number of events, says how late the marked ones
// were, and ends with its input.
func runClients(spec string) {
	var addr, path string
	var n, events int
	if _, err := fmt.Sscan(spec, &addr, &path, &n, &events); err != nil {
		panic(err)
	}
	var opened, done sync.WaitGroup
	var mu sync.Mutex
	var late []time.Duration
	opened.Add(n)
	done.Add(n)
	for i := range n {
		name := path
		if strings.Contains(path, "%d") {
			name = fmt.Sprintf(path, i)
		}
		go func() {
			mine := follow(addr, name, events, opened.Done)
			mu.Lock()
			late = append(late, mine...)
			mu.Unlock()
			done.Done()
		}()
		if i%100 == 99 {
			<-time.After(5 * time.Millisecond) // the backlog of the listener is short
		}
	}
	opened.Wait()
	fmt.Println("opened")
	done.Wait()
	slices.Sort(late)
	at := func(p float64) int64 {
		if len(late) == 0 {
			return 0
		}
		return late[int(p*float64(len(late)-1))].Microseconds()
	}
	fmt.Println("done", at(0.5), at(0.99), at(1))
	io.Copy(io.Discard, os.Stdin) //nolint:errcheck // until the benchmark ends
}

// follow reads a stream: head and snapshot, then events.
func follow(addr, path string, events int, opened func()) (late []time.Duration) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		panic(err)
	}
	if _, err := io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		panic(err)
	}
	head := make([]byte, 1024) // it comes in one write
	if n, err := c.Read(head); err != nil || !bytes.Contains(head[:n], []byte("id: ")) {
		panic(fmt.Sprintf("%v: %s", err, head))
	}
	opened()
	if events == 0 {
		return nil
	}
	buf := make([]byte, 16<<10)
	for left := events * eventSize; left > 0; {
		n, err := c.Read(buf)
		if err != nil {
			panic(err)
		}
		left -= n
		if i := bytes.IndexByte(buf[:n], '@'); i >= 0 && n > i+20 { // the time begins each text
			if ns, err := strconv.ParseInt(string(buf[i+1:i+20]), 10, 64); err == nil {
				late = append(late, time.Duration(time.Now().UnixNano()-ns))
			}
		}
	}
	return late
}

// clients starts the other process and waits until its streams are open.
func clients(b *testing.B, s *site, path string, n, events int) *bufio.Scanner {
	b.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s %s %d %d", clientsEnv, s.Listener.Addr(), path, n, events))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { in.Close(); cmd.Process.Kill(); cmd.Wait() })
	lines := bufio.NewScanner(out)
	if !lines.Scan() || lines.Text() != "opened" {
		b.Fatalf("the clients said %q", lines.Text())
	}
	return lines
}

// eventSize is that of a frame of the benchmarks on the wire; their numbers have
// eight digits.
const eventSize = 512

// begin lets the next frame have number 10,000,001, so that all are of one size.
func (s *source) begin(id string) {
	st := *ui.NewState(id)
	st.Seq = 10_000_000
	s.start = map[string]*ui.State{id: &st}
}

// text is that of a frame of eventSize.
func (s *site) text(b *testing.B, mark string) string {
	b.Helper()
	id := deliver.Cursor{Log: logID, Seq: 10_000_001, Part: -1, Fingerprint: "01234567"}.String()
	n := eventSize - len("id: "+id+"\ndata: "+
		`{"kind":"frame","seq":10000001,"text":"","messages":[],"event":"e","outcome":{"kind":"done"}}`+"\n\n")
	return mark + strings.Repeat("x", n-len(mark))
}

// BenchmarkFanout: frames of 512 bytes to 1,000 subscribers of one conversation,
// as fast as they are taken.
//
//	go test ./internal/transport -run - -bench Fanout -benchtime 3000x
func BenchmarkFanout(b *testing.B) {
	const n = 1000
	s := serve(b, deliver.Config{PerPrincipal: -1})
	s.begin("c")
	plain := s.text(b, "")
	lines := clients(b, s, "/c", n, b.N)
	b.ResetTimer()
	for range b.N {
		for s.deliver.Stats().Held > 64<<10 {
			<-time.After(100 * time.Microsecond)
		}
		s.say(b, "c", plain)
	}
	if !lines.Scan() {
		b.Fatal("the clients ended")
	}
	b.ReportMetric(float64(b.N)*n/b.Elapsed().Seconds(), "msg/s")
}

// BenchmarkLatency: the same at ten frames a second and 1,000 subscribers.
//
//	go test ./internal/transport -run - -bench Latency -benchtime 50x
func BenchmarkLatency(b *testing.B) {
	s := serve(b, deliver.Config{PerPrincipal: -1})
	s.begin("c")
	lines := clients(b, s, "/c", 1000, b.N)
	for range b.N {
		<-time.After(100 * time.Millisecond)
		s.say(b, "c", s.text(b, fmt.Sprintf("@%019d", time.Now().UnixNano())))
	}
	var p50, p99, worst float64
	if !lines.Scan() {
		b.Fatal("the clients ended")
	}
	fmt.Sscanf(lines.Text(), "done %f %f %f", &p50, &p99, &worst)
	b.ReportMetric(p50/1000, "p50-ms")
	b.ReportMetric(p99/1000, "p99-ms")
	b.ReportMetric(worst/1000, "max-ms")
}

// BenchmarkIdle: memory of 9,000 streams that say nothing, of as many
// conversations.
//
//	go test ./internal/transport -run - -bench Idle -benchtime 1x
func BenchmarkIdle(b *testing.B) {
	const n = 9000
	s := serve(b, deliver.Config{})
	debug.FreeOSMemory()
	before := resident(b)
	clients(b, s, "/c%d", n, 0)
	debug.FreeOSMemory()
	if open := s.deliver.Stats().Streams; open != n {
		b.Fatalf("%d streams are open: ulimit -n must allow %d", open, n+100)
	}
	b.ReportMetric(float64(resident(b)-before)/n, "KiB/stream")
	b.ReportMetric(0, "ns/op")
}

// resident is this process's memory in KiB.
func resident(b *testing.B) int {
	b.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Skip(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	kib, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		b.Fatal(err)
	}
	return kib
}
