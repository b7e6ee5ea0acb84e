package limit

import (
	"fmt"
	"net/http"
	"net/netip"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// A burst, then the rate; the announced wait is exact.
func TestBurstThenRate(t *testing.T) {
	t.Parallel()
	tab := NewTable[string](10, 5, 100)
	for i := range 5 {
		if wait, ok := tab.Take(noon, "a", 1); !ok || wait != 0 {
			t.Fatalf("token %d: %v %v", i, wait, ok)
		}
	}
	wait, ok := tab.Take(noon, "a", 1)
	if ok || wait != 100*time.Millisecond {
		t.Fatalf("the sixth: %v %v", wait, ok)
	}
	if _, ok := tab.Take(noon.Add(wait-time.Millisecond), "a", 1); ok {
		t.Error("too early")
	}
	if _, ok := tab.Take(noon.Add(wait), "a", 1); !ok {
		t.Error("refused tokens were taken")
	}
	if _, ok := tab.Take(noon, "b", 1); !ok {
		t.Error("somebody else pays")
	}
	if _, ok := tab.Take(noon.Add(time.Hour), "a", 1000); !ok {
		t.Error("more than the burst never comes")
	}
	off := NewTable[string](-1, 1, 1)
	for range 100 {
		if _, ok := off.Take(noon, "a", 10); !ok {
			t.Fatal("no limit refuses")
		}
	}
}

// Any number of keys neither grows the table nor changes the rate of an active key,
// and forgetting gives at most a full bucket.
func TestManyKeysChangeNoOther(t *testing.T) {
	t.Parallel()
	const size = 64
	tab := NewTable[string](10, 20, size)
	now, passed := noon, 0
	for i := range 10_000 {
		now = now.Add(time.Millisecond)
		tab.Take(now, fmt.Sprint("attacker ", i), 1)
		if i%100 == 0 { // ten times a second, which is the rate
			if _, ok := tab.Take(now, "victim", 1); ok {
				passed++
			}
		}
	}
	if passed != 100 {
		t.Errorf("the victim passed %d times of 100", passed)
	}
	if got := tab.used.Len(); got != size {
		t.Errorf("%d keys", got)
	}
}

// TestNoMoreThanAllowed: as long as no more keys come than the table holds, what
// a key gets in any time is at most the burst and the rate of that time.
func TestNoMoreThanAllowed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		perSecond, burst := rapid.IntRange(1, 50).Draw(t, "rate"), rapid.IntRange(1, 50).Draw(t, "burst")
		tab := NewTable[int](float64(perSecond), burst, 4)
		now, got := noon, map[int]float64{}
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			now = now.Add(time.Duration(rapid.IntRange(0, 200).Draw(t, "ms")) * time.Millisecond)
			key, n := rapid.IntRange(0, 3).Draw(t, "key"), rapid.IntRange(1, 10).Draw(t, "n")
			if _, ok := tab.Take(now, key, n); ok {
				got[key] += float64(min(n, burst))
			}
			if most := float64(burst) + float64(perSecond)*now.Sub(noon).Seconds(); got[key] > most+1e-6 {
				t.Fatalf("key %d had %v, at most %v may be", key, got[key], most)
			}
		}
	})
}

// TestClient: only what a configured proxy wrote is believed, from the right.
func TestClient(t *testing.T) {
	t.Parallel()
	proxies, err := ParseProxies("10.0.0.0/8", "fd00::/8", "192.0.2.7")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		peer string
		xff  []string
		want string
	}{
		{"203.0.113.9:1", nil, "203.0.113.9"},
		{"203.0.113.9:1", []string{"1.1.1.1"}, "203.0.113.9"}, // not a proxy: anybody can say that
		{"10.0.0.1:1", nil, "10.0.0.1"},
		{"10.0.0.1:1", []string{"1.1.1.1"}, "1.1.1.1"},
		{"[::ffff:10.0.0.1]:1", []string{"1.1.1.1"}, "1.1.1.1"},
		{"10.0.0.1:1", []string{"127.0.0.1, 1.1.1.1"}, "1.1.1.1"}, // forged by the client
		{"10.0.0.1:1", []string{"9.9.9.9", "1.1.1.1"}, "1.1.1.1"},
		{"10.0.0.1:1", []string{"1.1.1.1, 10.2.3.4,fd00::1"}, "1.1.1.1"},
		{"192.0.2.7:1", []string{" 2001:db8::1 "}, "2001:db8::1"},
		{"192.0.2.8:1", []string{"1.1.1.1"}, "192.0.2.8"},
		{"10.0.0.1:1", []string{"1.1.1.1, nonsense"}, "10.0.0.1"},
		{"10.0.0.1:1", []string{"1.1.1.1, nonsense, 10.0.0.2"}, "10.0.0.2"},
		{"10.0.0.1:1", []string{""}, "10.0.0.1"},
		{"10.0.0.1:1", []string{"10.0.0.5"}, "10.0.0.5"},
		{"10.0.0.1:1", []string{"1.1.1.1:80"}, "1.1.1.1"},
		{"10.0.0.1:1", []string{"9.9.9.9, 1.1.1.1:80, 10.0.0.2:443"}, "1.1.1.1"},
		{"10.0.0.1:1", []string{"[2001:db8::1]:80"}, "2001:db8::1"},
		{"10.0.0.1:1", []string{"[2001:db8::1]"}, "2001:db8::1"},
		{"10.0.0.1:1", []string{"1.1.1.1:http"}, "10.0.0.1"},
		{"10.0.0.1:1", []string{"::ffff:1.1.1.1"}, "1.1.1.1"},
		{"[fe80::1%eth0]:1", nil, "fe80::1"},
		{"@", []string{"1.1.1.1"}, "invalid IP"},
	} {
		r := &http.Request{RemoteAddr: tt.peer, Header: http.Header{"X-Forwarded-For": tt.xff}}
		if got := proxies.Client(r).String(); got != tt.want {
			t.Errorf("%s %q: %s, want %s", tt.peer, tt.xff, got, tt.want)
		}
	}
	for _, s := range []string{"", "x", "10.0.0.0/33", "10.0.0.1:80", "fe80::1%eth0", "::ffff:10.0.0.0/104"} {
		if _, err := ParseProxies(s); err == nil {
			t.Errorf("proxy %q is taken", s)
		}
	}
}

func TestNetwork(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"1.2.3.4": "1.2.3.4/32", "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64"} {
		if got := Network(netip.MustParseAddr(in)).String(); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
	if _, ok := Site(netip.MustParseAddr("1.2.3.4")); ok {
		t.Error("IPv4 has no site")
	}
	if p, ok := Site(netip.MustParseAddr("2001:db8:1:2::5")); !ok || p.String() != "2001:db8:1::/48" {
		t.Error(p)
	}
}

// FuzzClient: whatever a client writes, what counts is an address that the peer,
// or a proxy, stands for.
func FuzzClient(f *testing.F) {
	f.Add("10.0.0.1:1", "1.1.1.1, 10.0.0.2")
	f.Add("1.1.1.1:1", ",,::,%")
	proxies, _ := ParseProxies("10.0.0.0/8")
	f.Fuzz(func(t *testing.T, peer, xff string) {
		r := &http.Request{RemoteAddr: peer, Header: http.Header{"X-Forwarded-For": {xff}}}
		got := proxies.Client(r)
		r.Header = http.Header{"X-Forwarded-For": {"127.0.0.1, " + xff}} // a forged hop on the left
		if forged := proxies.Client(r); forged != got && !proxies.has(got) {
			t.Errorf("%q %q: %v, forged %v", peer, xff, got, forged)
		}
	})
}

func BenchmarkTake(b *testing.B) {
	tab := NewTable[string](100, 200, 1<<14)
	keys := make([]string, 1<<15)
	for i := range keys {
		keys[i] = fmt.Sprint(i)
	}
	b.ReportAllocs()
	now := time.Now()
	for i := 0; b.Loop(); i++ {
		tab.Take(now, keys[i%len(keys)], 1)
	}
}
