package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// The load figures are measured against a server in a separate process on the same
// machine. The clients write and read HTTP/1.1 by hand, so that most of the machine is
// the server's.

var (
	loadClients = 64
	loadTime    = 10 * time.Second
	warmUp      = 3 * time.Second
)

// load is the whole way under load: POST an action → durable → delivered to the
// SSE stream of its conversation, by 64 clients with a conversation each.
func load(int) []figure {
	file, drop := tempFile()
	defer drop()
	out := loadOn("sqlite", "sqlite:"+file, 4000, 8000)
	if dsn, drop := schema(); dsn != "" {
		defer drop()
		out = append(out, loadOn("postgres", dsn, 3000, 6000)...)
	}
	return out
}

func loadOn(name, dsn string, least, aim float64) []figure {
	srv := startServer(dsn)
	defer srv.stop()
	var clients []*client
	for range loadClients {
		clients = append(clients, newClient(srv.addr))
	}
	server, self := srv.cpu(), ownCPU()
	rate, times := drive(clients, warmUp, loadTime, 0)
	acted := rate * (warmUp + loadTime).Seconds()
	perAction := func(d time.Duration) float64 { return float64(d.Microseconds()) / acted }
	for _, c := range clients {
		c.close()
	}
	p := func(q int) float64 { return float64(times[len(times)*q/1000].Microseconds()) / 1e3 }
	out := []figure{{Name: "actions_" + name + "_s", Value: rate, Unit: "1/s", Must: least, Aim: aim, AtLeast: true,
		Others: map[string]float64{"p50 ms": p(500), "p99.9 ms": p(999),
			"server CPU us": perAction(srv.cpu() - server), "clients CPU us": perAction(ownCPU() - self)}}}
	if name == "sqlite" {
		info, err := os.Stat(strings.TrimPrefix(dsn, "sqlite:"))
		must(err)
		out[0].Others["KiB kept"] = float64(info.Size()) / 1024 / acted
		out = append(out, figure{Name: "actions_" + name + "_p99_ms", Value: p(990), Unit: "ms", Must: 40, Aim: 20})
	}
	return out
}

// drive has every client post one action after the other, at rate in all per
// second (0: as fast as they are answered), and returns what began in time. Of a client
// that is too slow for that it is the first action after warm.
func drive(clients []*client, warm, measured time.Duration, rate float64) (perSecond float64, times []time.Duration) {
	begin := time.Now()
	var count atomic.Int64
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i, c := range clients {
		wg.Go(func() {
			var mine []time.Duration
			next := begin.Add(time.Duration(i) * time.Millisecond)
			for {
				if rate > 0 {
					next = next.Add(time.Duration(float64(time.Second) * float64(len(clients)) / rate))
					time.Sleep(time.Until(next))
				}
				start := time.Now()
				if start.Sub(begin) > warm+measured && len(mine) > 0 {
					break
				}
				c.act()
				if start.Sub(begin) > warm {
					count.Add(1)
					mine = append(mine, time.Since(start))
				}
			}
			mu.Lock()
			times = append(times, mine...)
			mu.Unlock()
		})
	}
	wg.Wait()
	slices.Sort(times)
	return float64(count.Load()) / measured.Seconds(), times
}

// client is one browser: a connection to post on and one that follows.
type client struct {
	conversation, token string

	post, stream net.Conn
	in, events   *bufio.Reader
	head, body   []byte // of every post, but for the number in it
	n            int
	buf          []byte
	seqs         chan uint64
	deaf         bool
}

func newClient(addr string) *client {
	c := &caller{base: "http://" + addr}
	c.startWith("new ticket", "form:ticket")
	body, err := json.Marshal(map[string]any{"version": "v0.9", "action": map[string]any{
		"name": "limn.submit", "surfaceId": c.surface.WireID(), "sourceComponentId": "c#main/buttons/submit:Button",
		"timestamp": "2026-11-20T09:00:00Z",
		"context": map[string]any{"limn_nonce": c.surface.Nonce, "limn_rev": c.surface.Rev, "name": "Ada Lovelace",
			"email": "ada@example.com", "amount": 1000000, "city": "London"}}})
	must(err)
	out := &client{conversation: c.id, token: c.token, body: body, seqs: make(chan uint64, 64)}
	out.head = fmt.Appendf(nil,
		"POST /v1/conversations/%s/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"+
			"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n", c.id, c.token, len(body))
	out.post, err = net.Dial("tcp", addr)
	must(err)
	out.in = bufio.NewReader(out.post)
	out.stream, err = net.Dial("tcp", addr)
	must(err)
	_, err = fmt.Fprintf(out.stream,
		"GET /v1/conversations/%s/stream?format=a2ui&version=v0.9 HTTP/1.1\r\nHost: x\r\n"+
			"Authorization: Bearer %s\r\n\r\n", c.id, c.token)
	must(err)
	out.events = bufio.NewReaderSize(out.stream, 16<<10)
	go out.follow() // ends with the connection
	<-out.seqs      // the snapshot
	return out
}

func (c *client) close() {
	c.post.Close()
	c.stream.Close()
}

// follow reports the number of every frame, from the line "id: log.seq.print".
func (c *client) follow() {
	defer close(c.seqs)
	for {
		line, err := c.events.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			continue
		}
		if err != nil {
			return
		}
		if rest, ok := bytes.CutPrefix(line, []byte("id: ")); ok {
			parts := bytes.Split(rest, []byte("."))
			seq, err := strconv.ParseUint(string(parts[1]), 10, 64)
			must(err)
			if !c.deaf {
				c.seqs <- seq
			}
		}
	}
}

// act posts one action and, unless it is deaf, waits for its frame on the stream.
func (c *client) act() {
	c.n++
	body := bytes.Replace(c.body, []byte("1000000"), strconv.AppendInt(nil, int64(1000000+c.n%1000000), 10), 1)
	c.buf = append(append(c.buf[:0], c.head...), body...)
	_, err := c.post.Write(c.buf)
	must(err)
	seq := c.answer()
	if c.deaf {
		return
	}
	for got := range c.seqs {
		if got >= seq {
			return
		}
	}
	panic("the stream ended")
}

// answer reads one response and returns the number of its frame.
func (c *client) answer() uint64 {
	length, status := 0, ""
	for {
		line, err := c.in.ReadSlice('\n')
		must(err)
		if status == "" {
			status = string(line[9:12])
		}
		if rest, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			length, err = strconv.Atoi(string(bytes.TrimSpace(rest)))
			must(err)
		}
		if len(line) <= 2 {
			break
		}
	}
	body, err := c.in.Peek(length)
	must(err)
	if status != "200" {
		panic("answered " + status + ": " + string(body))
	}
	_, rest, _ := bytes.Cut(body, []byte(`"seq":`))
	digits, _, _ := bytes.Cut(rest, []byte(","))
	seq, err := strconv.ParseUint(string(digits), 10, 64)
	must(err)
	_, err = c.in.Discard(length)
	must(err)
	return seq
}

// tempFile names a database that does not exist yet; drop removes it.
func tempFile() (file string, drop func()) {
	dir, err := os.MkdirTemp("", "limn-bench-")
	must(err)
	return filepath.Join(dir, "bench.db"), func() { os.RemoveAll(dir) }
}

// server is a process that serves the application of the load figures.
type server struct {
	cmd  *exec.Cmd
	addr string
	out  *bufio.Scanner
}

func startServer(dsn string) *server {
	self, err := os.Executable()
	must(err)
	cmd := exec.Command(self, "-serve", dsn, "-profile", *profiled)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	must(err)
	must(cmd.Start())
	s := &server{cmd: cmd, out: bufio.NewScanner(out)}
	s.addr = s.says()
	return s
}

// says is the next line that the server prints.
func (s *server) says() string {
	if !s.out.Scan() {
		panic("the server has ended")
	}
	return s.out.Text()
}

func (s *server) stop() {
	must(s.cmd.Process.Signal(os.Interrupt))
	must(s.cmd.Wait())
}

// kill ends the server at once.
func (s *server) kill() {
	must(s.cmd.Process.Kill())
	_ = s.cmd.Wait() // killed, it says
}

// cpu is the processor time that the server has used.
func (s *server) cpu() time.Duration {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	must(err)
	f := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+2:]))
	user, err := strconv.Atoi(f[11]) // fields 14 and 15 of proc(5), in hundredths
	must(err)
	system, err := strconv.Atoi(f[12])
	must(err)
	return time.Duration(user+system) * 10 * time.Millisecond
}

func ownCPU() time.Duration {
	var u syscall.Rusage
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// settled has the server collect its garbage and return memory, and returns the rest,
// in KiB: the objects still referred to, and resident memory.
func (s *server) settled() (live, resident float64) {
	must(s.cmd.Process.Signal(syscall.SIGUSR1))
	n, err := strconv.ParseUint(s.says(), 10, 64)
	must(err)
	return float64(n) / 1024, s.rss()
}

// rss is the resident memory of the server in KiB.
func (s *server) rss() float64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	must(err)
	for line := range bytes.Lines(b) {
		if rest, ok := bytes.CutPrefix(line, []byte("VmRSS:")); ok {
			n, err := strconv.Atoi(string(bytes.Fields(rest)[0]))
			must(err)
			return float64(n)
		}
	}
	panic("no VmRSS")
}

// schema is an empty schema on the PostgreSQL that LIMN_TEST_POSTGRES names, or on the
// usual one; "" if no server answers.
func schema() (dsn string, drop func()) {
	server := cmp.Or(os.Getenv("LIMN_TEST_POSTGRES"), "postgres://postgres@127.0.0.1:5432/test?sslmode=disable")
	name := "limn_bench_" + strconv.Itoa(os.Getpid())
	query := func(q string) error {
		return exec.Command("psql", server, "-Xqc", q).Run()
	}
	if err := query("SELECT 1"); err != nil {
		fmt.Fprintln(os.Stderr,
			"no PostgreSQL, or no psql: `sh scripts/deps.sh postgres` has them; actions_postgres_s is left out")
		return "", nil
	}
	u, err := url.Parse(server)
	must(err)
	q := u.Query()
	q.Set("search_path", name)
	u.RawQuery = q.Encode()
	return u.String(), func() { must(query("DROP SCHEMA IF EXISTS " + name + " CASCADE")) }
}
