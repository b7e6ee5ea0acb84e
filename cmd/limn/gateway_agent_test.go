package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// The environment of this program as an agent.
const (
	ledgerFile = "LIMN_TEST_LEDGER"      // where it writes what it did
	ledgerHold = "LIMN_TEST_LEDGER_HOLD" // it stops before it does a click, or after that: before, after
	ledgerKeys = "LIMN_TEST_LEDGER_KEYS" // it does nothing twice under one key
)

// keepLedger is an agent on the listener that it inherits: a click adds a line with its key to a file.
func keepLedger(file, hold string, keys bool) {
	l, err := net.FileListener(os.NewFile(3, "listener"))
	if err != nil {
		panic(err)
	}
	stop := func(at string) {
		if hold == at {
			fmt.Println("arrived")
			select {} // until it is killed
		}
	}
	panic(http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { //nolint:gosec // a test
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/jsonl")
		if !strings.Contains(string(body), `"action"`) {
			io.WriteString(w, counterSurface)
			return
		}
		stop("before")
		line := r.Header.Get("Idempotency-Key") + "\n"
		done, _ := os.ReadFile(file)
		if !keys || !strings.Contains(string(done), line) {
			if err := os.WriteFile(file, append(done, line...), 0o600); err != nil {
				panic(err)
			}
		}
		stop("after")
		io.WriteString(w, `{"text":"Counted."}`+"\n")
	})))
}

// TestCrashAgent: a click reaches its agent once though the agent is killed with kill -9 while it works. One that
// knows keys is asked again, and has done it once; one that does not know keys is not asked again, and the user
// reads that the outcome is not known.
func TestCrashAgent(t *testing.T) {
	t.Parallel()
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("starts processes that inherit a listener; run without -short")
	}
	bin, err := program()
	if err != nil {
		t.Fatal(err)
	}
	for _, keys := range []bool{true, false} {
		for _, hold := range []string{"before", "after"} {
			t.Run(fmt.Sprintf("knows keys %v, dies %s its work", keys, hold), func(t *testing.T) {
				t.Parallel()
				crashAgent(t, bin, keys, hold)
			})
		}
	}
}

func crashAgent(t *testing.T, bin string, keys bool, hold string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	socket, err := l.(*net.TCPListener).File() // what arrives while no agent runs waits here
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	dir := t.TempDir()
	ledger := filepath.Join(dir, "ledger")
	start := func(hold string) (*exec.Cmd, *bufio.Reader) {
		t.Helper()
		cmd := exec.Command(os.Args[0])
		cmd.ExtraFiles, cmd.Stderr = []*os.File{socket}, os.Stderr
		cmd.Env = append(os.Environ(), ledgerFile+"="+ledger, ledgerHold+"="+hold)
		if keys {
			cmd.Env = append(cmd.Env, ledgerKeys+"=1")
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd, bufio.NewReader(out)
	}
	agent, heard := start(hold)
	file := filepath.Join(dir, "gateway.yaml")
	yaml := fmt.Sprintf("agents: [{name: counter, title: Counter, url: \"http://%s\", idempotent: %v}]\nfallback: counter\n",
		l.Addr(), keys)
	if err := os.WriteFile(file, []byte(yaml), 0o600); err != nil {
		t.Fatal(err)
	}
	s := started(t, exec.Command(bin, "gateway", file, "--addr", "127.0.0.1:0", "--log", "error", "--store", "memory"))
	defer s.kill()
	c := &browser{http: &http.Client{Timeout: time.Minute}}
	_, out, err := c.post(s.base, "/v1/conversations", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	c.token, c.id = out["token"].(string), out["id"].(string)
	path := "/v1/conversations/" + c.id
	if status, out, err := c.post(s.base, path+"/messages", "", map[string]string{"text": "go"}); err != nil || status != 200 {
		t.Fatal(status, out, err)
	}
	nonce, _ := stateOf(t, c, s.base)
	click := json.RawMessage(fmt.Sprintf(counterClick, nonce))
	answered := make(chan error, 1)
	go func() {
		status, out, err := c.post(s.base, path+"/events", "", click)
		if err == nil && status/100 != 2 {
			err = fmt.Errorf("%d %v", status, out)
		}
		answered <- err
	}()
	if line, err := heard.ReadString('\n'); line != "arrived\n" {
		t.Fatalf("the agent says %q, %v", line, err)
	}
	agent.Process.Kill()
	agent.Wait()
	agent, _ = start("")
	defer agent.Wait()
	defer agent.Process.Kill()
	if err := <-answered; err != nil {
		t.Fatal(err)
	}
	if status, out, err := c.post(s.base, path+"/events", "", click); err != nil || status/100 != 2 { // it is sent again
		t.Fatal(status, out, err)
	}
	done, _ := os.ReadFile(ledger)
	want, says := 0, "We do not know whether that was carried out"
	if keys || hold == "after" {
		want = 1
	}
	if keys {
		says = "Counted."
	}
	_, said := stateOf(t, c, s.base)
	if n := strings.Count(string(done), "\n"); n != want || !strings.Contains(said, says) {
		t.Errorf("done %d times, want %d; said %q, want %q", n, want, said, says)
	}
}
