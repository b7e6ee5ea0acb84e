package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// startLimn is a process of this program: the test binary under another name.
func startLimn(t *testing.T, args ...string) (cmd *exec.Cmd, in io.WriteCloser, out *os.File, errs *bytes.Buffer) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs signals")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out, child, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	errs = new(bytes.Buffer)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	cmd = exec.CommandContext(ctx, self, args...)
	cmd.Args[0], cmd.Stdout, cmd.Stderr = "limn", child, errs
	if in, err = cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	child.Close()
	t.Cleanup(func() { out.Close() })
	return cmd, in, out, errs
}

const badLine = `{"version":"v0.9","deleteSurface":{}}` + "\n"

const (
	askLine   = `{"id":"a","message":"We have some risks."}` + "\n"
	pasteLine = `{"id":"a","kind":"map","input":"a -> b"}` + "\n"
)

// TestInterrupt: what is known of a stream is printed before the next line comes,
// and Ctrl-C ends the wait for it.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	for command, c := range map[string]struct{ line, want string }{
		"validate":          {badLine, "<stdin>:1"},
		"route --batch -":   {askLine, `{"id":"a","action":"clarify"`},
		"capture --batch -": {pasteLine, `{"id":"a","steps":`},
	} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			cmd, in, out, errs := startLimn(t, strings.Fields(command)...)
			if _, err := io.WriteString(in, c.line); err != nil {
				t.Fatal(err)
			}
			line, err := bufio.NewReader(out).ReadString('\n')
			if err != nil || !strings.HasPrefix(line, c.want) {
				t.Errorf("first line %q, %v", line, err)
			}
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			var exit *exec.ExitError
			if err := cmd.Wait(); !errors.As(err, &exit) || errs.Len() > 0 {
				t.Errorf("ended with %v and said %q, want the signal and nothing", err, errs)
			}
		})
	}
}

// TestClosedPipe: a reader that has enough, such as head, is no error to speak of.
func TestClosedPipe(t *testing.T) {
	alone(t)
	t.Parallel()
	for command, line := range map[string]string{
		"validate --max=0": badLine, "validate --json --max=0": badLine, "route --batch -": askLine, "capture --batch -": pasteLine,
	} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			cmd, in, out, errs := startLimn(t, strings.Fields(command)...)
			go func() { // ends when the process does
				for {
					if _, err := io.WriteString(in, strings.Repeat(line, 100)); err != nil {
						return
					}
				}
			}()
			if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
				t.Fatal(err)
			}
			out.Close()
			if err := cmd.Wait(); errs.Len() > 0 {
				t.Errorf("ended with %v and said %.300q, want no words", err, errs)
			}
		})
	}
}

// TestServerWithoutAReader: a server serves on when the reader of its output ends, and
// stops as it would with it.
func TestServerWithoutAReader(t *testing.T) {
	alone(t)
	t.Parallel()
	cmd, _, out, errs := startLimn(t, "serve", "--addr", "127.0.0.1:0", "--store", "memory", "--log", "error", "--telemetry", "-")
	line, err := bufio.NewReader(out).ReadString('\n')
	_, base, ok := strings.Cut(strings.TrimSpace(line), " is at ")
	if err != nil || !ok {
		t.Fatalf("first line %q, %v", line, err)
	}
	out.Close()
	c := &browser{http: &http.Client{Timeout: time.Minute}}
	_, made, err := c.post(base, "/v1/conversations", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	c.token, c.id = made["token"].(string), made["id"].(string)
	for range 2 {
		if code, _, err := c.post(base, "/v1/conversations/"+c.id+"/messages", "", map[string]string{"text": "Hello."}); err != nil || code/100 != 2 {
			t.Errorf("%d, %v", code, err)
		}
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil || errs.Len() > 0 {
		t.Errorf("ended with %v and said %q", err, errs)
	}
}

// TestSecondInterrupt: a command that cannot end at once after Ctrl-C ends at the next.
func TestSecondInterrupt(t *testing.T) {
	alone(t)
	t.Parallel()
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := exec.Command("mkfifo", fifo).Run(); err != nil {
		t.Skip("needs named pipes:", err)
	}
	cmd, _, _, _ := startLimn(t, "restore", fifo, "--store", "memory")
	w, err := os.OpenFile(fifo, os.O_WRONLY, 0) // waits until the command reads
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	ended := make(chan error)
	go func() { ended <- cmd.Wait() }()
	for again := time.NewTicker(10 * time.Millisecond); ; <-again.C { // it may be about to see the first
		_ = cmd.Process.Signal(os.Interrupt)
		select {
		case err := <-ended:
			if err == nil || err.Error() != "signal: interrupt" {
				t.Errorf("ended with %v", err)
			}
			return
		default:
		}
	}
}
