package sqlite

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn/store"
)

const crashEnv = "LIMN_TEST_CRASH_DB" // path of the database the child writes

func TestMain(m *testing.M) {
	if path := os.Getenv(crashEnv); path != "" {
		writeForever(path)
	}
	flag.Parse()
	if testing.Short() {
		flag.Set("rapid.checks", "20") //nolint:errcheck // a law of calls one after the other
	}
	os.Exit(m.Run())
}

const crashWriters = 8

// writeForever is the child: writers that print "<conversation> <seq>" after each
// acknowledged turn, until the process is killed.
func writeForever(path string) {
	s, err := Open(path)
	if err != nil {
		panic(err)
	}
	for i := range crashWriters {
		id := fmt.Sprint("c", i)
		head, err := s.Open(context.Background(), id)
		if err != nil {
			c := store.Conversation{ID: id, Log: "0123456789abcdef"}
			if err := s.Create(context.Background(), c); err != nil {
				panic(err)
			}
		}
		go func() { // ends with the process
			for seq := head.Seq + 1; ; seq++ {
				if err := turn(s, id, seq); err != nil {
					panic(err)
				}
				fmt.Fprintf(os.Stdout, "%s %d\n", id, seq) // one write, unbuffered
			}
		}()
	}
	select {}
}

// kill -9 in the middle of writing, several times on one file: every turn that
// was acknowledged is there, whole, and no log has a gap. (A killed process does
// not lose what the system has buffered; for a power cut see TestPowerCut.)
func TestKill(t *testing.T) {
	path := file(t)
	acked := map[string]uint64{}
	for round := range 4 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), crashEnv+"="+path)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		stop := time.Time{}
		for lines.Scan() {
			var id string
			var seq uint64
			if _, err := fmt.Sscanf(strings.TrimSpace(lines.Text()), "%s %d", &id, &seq); err != nil {
				continue // the line the kill cut
			}
			acked[id] = max(acked[id], seq)
			switch {
			case stop.IsZero() && len(acked) == crashWriters: // all of them have begun
				stop = time.Now().Add(time.Duration(50+30*round) * time.Millisecond)
			case !stop.IsZero() && time.Now().After(stop):
				cmd.Process.Kill() // SIGKILL; the loop goes on to the end of the pipe
			}
		}
		cmd.Wait() // "signal: killed"
	}
	total := uint64(0)
	for _, head := range verify(t, openTest(t, path), acked) {
		total += head
	}
	if len(acked) < crashWriters || total == 0 {
		t.Fatalf("the child wrote %d frames in %d conversations", total, len(acked))
	}
	t.Logf("%d turns, all acknowledged ones found", total)
}

// verify checks that each conversation has at least the given number of turns,
// whole, and that the file is sound. It returns how many they are.
func verify(t *testing.T, s *driver, acked map[string]uint64) map[string]uint64 {
	t.Helper()
	heads := map[string]uint64{}
	for id, least := range acked {
		h, err := s.Open(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if h.Seq < least {
			t.Errorf("%s: head %d, but %d was acknowledged", id, h.Seq, least)
		}
		if want := fmt.Sprint("e", h.Seq); h.Seq > 0 && (h.SnapshotSeq != h.Seq || string(h.Snapshot) != want) {
			t.Errorf("%s: snapshot %d %q beside head %d", id, h.SnapshotSeq, h.Snapshot, h.Seq)
		}
		for after := uint64(0); after < h.Seq; {
			frames, err := s.Frames(t.Context(), id, after, 0)
			if err != nil || len(frames) == 0 {
				t.Fatalf("%s after %d: %d frames, %v", id, after, len(frames), err)
			}
			for _, f := range frames {
				after++
				if f.Seq != after || string(f.Body) != fmt.Sprint("e", after) {
					t.Fatalf("%s: frame %d %q where %d was due", id, f.Seq, f.Body, after)
				}
			}
		}
		heads[id] = h.Seq
	}
	var check string
	if err := s.reads.QueryRow("PRAGMA integrity_check").Scan(&check); err != nil || check != "ok" {
		t.Errorf("integrity_check: %s, %v", check, err)
	}
	return heads
}
