//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestFewDescriptors: with 64 file descriptors, streams beyond what they allow are
// refused at once, requests are answered all the same, every stream that is open
// gets what is committed, and one that was refused gets it when it comes again.
func TestFewDescriptors(t *testing.T) {
	t.Parallel()
	srv := startLimited(t, 64, filepath.Join(t.TempDir(), "limn.db"))
	t.Cleanup(srv.kill)
	var people []*browser
	for range 4 {
		b := &browser{http: &http.Client{Timeout: 20 * time.Second,
			Transport: &http.Transport{DisableKeepAlives: true}}}
		_, out, err := b.post(srv.base, "/v1/conversations", "", nil)
		if err != nil {
			t.Fatal(err)
		}
		b.token, b.id = out["token"].(string), out["id"].(string)
		people = append(people, b)
	}
	follow := func(b *browser) (*http.Response, error) {
		req, err := http.NewRequestWithContext(t.Context(), "GET",
			srv.base+"/v1/conversations/"+b.id+"/stream?format=limn&version=v0.9", nil)
		if err != nil {
			return nil, err
		}
		req.Header.Set("Authorization", "Bearer "+b.token)
		resp, err := b.http.Do(req)
		if err == nil {
			t.Cleanup(func() { resp.Body.Close() })
		}
		return resp, err
	}
	var open []*http.Response
	var of []*browser
	var refused *browser
	for i := range 100 {
		b := people[i%len(people)]
		resp, err := follow(b)
		switch {
		case err != nil:
			t.Fatalf("stream %d: %v", i, err)
		case resp.StatusCode == http.StatusOK:
			open, of = append(open, resp), append(of, b)
		case resp.StatusCode == http.StatusServiceUnavailable:
			refused = b
			resp.Body.Close()
		default:
			t.Fatalf("stream %d: %s", i, resp.Status)
		}
	}
	if len(open) != 16 || refused == nil {
		t.Fatalf("%d streams are open, want 16 and others refused", len(open))
	}
	for _, b := range people {
		if code, out, err := b.post(srv.base, "/v1/conversations/"+b.id+"/messages", "k",
			map[string]string{"text": "add a customer"}); err != nil || code != 200 {
			t.Fatalf("a message: %d %v %v", code, out, err)
		}
	}
	for i, resp := range open {
		if err := reaches(resp, 1); err != nil {
			t.Errorf("stream %d of %s: %v", i, of[i].id, err)
		}
		resp.Body.Close()
	}
	for { // until the server has noticed who went: it tells how long to wait
		resp, err := follow(refused)
		if err != nil {
			t.Fatal(err)
		}
		if resp.StatusCode == http.StatusOK {
			if err := reaches(resp, 1); err != nil {
				t.Errorf("who was refused: %v", err)
			}
			return
		}
		resp.Body.Close()
		after, err := strconv.Atoi(resp.Header.Get("Retry-After"))
		if err != nil {
			t.Fatal(err)
		}
		<-time.After(time.Duration(after) * time.Second)
	}
}

// reaches reads a stream up to a frame.
func reaches(resp *http.Response, seq uint64) error {
	in := bufio.NewScanner(resp.Body)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var f struct{ Seq uint64 }
		if data, ok := strings.CutPrefix(in.Text(), "data: "); ok && json.Unmarshal([]byte(data), &f) == nil && f.Seq >= seq {
			return nil
		}
	}
	return fmt.Errorf("ended before frame %d: %w", seq, in.Err())
}
