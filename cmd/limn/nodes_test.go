package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn/internal/natstest"
	"github.com/limn-ui/limn/internal/pgtest"
)

// Two processes on one PostgreSQL serve one conversation: what is posted at one, or
// published to a topic there, appears on a stream of the other, whichever bus carries the
// hint, both ways. The nodes never poll.
func TestTwoNodes(t *testing.T) {
	t.Parallel()
	dsn := pgtest.DSN(t) // or skips
	t.Run("nats", func(t *testing.T) {
		t.Parallel()
		twoNodes(t, "--store", pgtest.DSN(t), "--bus", natstest.Start(t).URL)
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		twoNodes(t, "--store", dsn)
	})
}

func twoNodes(t *testing.T, flags ...string) {
	c := newCluster(t, 2, newOutside(t), append(flags, "--poll", "1h", "--data-token", dataToken)...)
	a, b := c.nodes[0], c.nodes[1]
	a.mustStart(t)
	b.mustStart(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()

	var made struct{ ID, Token string }
	if err := json.Unmarshal(ask(ctx, t, "POST", a.base()+"/v1/conversations", "", ""), &made); err != nil {
		t.Fatal(err)
	}
	at := func(n *node) string { return n.base() + "/v1/conversations/" + made.ID }
	atA, atB := stream(ctx, t, at(a), made.Token), stream(ctx, t, at(b), made.Token)
	ask(ctx, t, "POST", at(a)+"/messages", made.Token, `{"text":"show board now"}`)
	for i, text := range []string{"one of a kind", "another of a kind", "a third of a kind"} {
		posted, follows := a, atB
		if i%2 == 1 {
			posted, follows = b, atA
		}
		ask(ctx, t, "POST", at(posted)+"/messages", made.Token, `{"text":"`+text+`"}`)
		readUntil(t, follows, text)
		word := fmt.Sprint("word", i)
		ask(ctx, t, "POST", posted.base()+"/v1/topics/news", dataToken, `{"word":"`+word+`"}`)
		readUntil(t, follows, word)
	}
}

const dataToken = "a-token-for-data-of-the-application"

// readUntil reads a stream up to the line that has a text.
func readUntil(t *testing.T, stream *bufio.Reader, text string) {
	t.Helper()
	for {
		line, err := stream.ReadString('\n')
		if err != nil {
			t.Fatalf("the stream ended before it said %q: %v", text, err)
		}
		if strings.Contains(line, text) {
			return
		}
	}
}

// ask sends a request that must succeed.
func ask(ctx context.Context, t *testing.T, method, url, token, body string) []byte {
	t.Helper()
	resp := send(ctx, t, method, url, token, body)
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode/100 != 2 {
		t.Fatalf("%s %s: %d %s %v", method, url, resp.StatusCode, got, err)
	}
	return got
}

// stream reads a conversation's events until the test ends.
func stream(ctx context.Context, t *testing.T, conversation, token string) *bufio.Reader {
	t.Helper()
	resp := send(ctx, t, "GET", conversation+"/stream", token, "")
	t.Cleanup(func() { resp.Body.Close() })
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("stream: %d", resp.StatusCode)
	}
	return bufio.NewReaderSize(resp.Body, 1<<20)
}

func send(ctx context.Context, t *testing.T, method, url, token, body string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader([]byte(body)))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Prefer", "wait=30")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}
