package webhook_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/internal/transport/webhook"
)

// TestPublic: every kind of address that is not a public host's, in every form
// IPv6 has for it.
func TestPublic(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"1.1.1.1", "93.184.216.34", "172.15.255.255", "172.32.0.1", "100.63.255.255",
		"100.128.0.1", "169.253.0.1", "192.167.0.1", "223.255.255.255",
		"2606:4700::1111", "2a00:1450:4001::1", "::ffff:1.1.1.1", "64:ff9b::1.1.1.1", "2001:4860:4860::8888"} {
		if !webhook.Public(netip.MustParseAddr(s)) {
			t.Errorf("%s is public", s)
		}
	}
	for _, s := range []string{
		"0.0.0.0", "0.1.2.3", "127.0.0.1", "127.255.255.254", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "100.127.255.255",
		"169.254.169.254", "169.254.170.2", "168.63.129.16", "192.0.0.192", "192.0.2.1", "192.88.99.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1",
		"224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
		"::", "::1", "::127.0.0.1", "::7f00:1", "fe80::1", "fe80::1%eth0", "2606:4700::1111%eth0", "fc00::1", "fd00:ec2::254", "ff02::1", "fec0::1", "100::1",
		"::ffff:127.0.0.1", "::ffff:169.254.169.254", "::ffff:10.0.0.1", "::ffff:0:127.0.0.1", "64:ff9b::127.0.0.1", "64:ff9b::169.254.169.254", "64:ff9b::10.0.0.1",
		"64:ff9b:1::1", "2001::1", "2001:db8::1", "2002:7f00:1::", "2002:a9fe:a9fe::1", "3fff::1", "5f00::1",
	} {
		if webhook.Public(netip.MustParseAddr(s)) {
			t.Errorf("%s is not public", s)
		}
	}
	if webhook.Public(netip.Addr{}) {
		t.Error("no address is public")
	}
}

// TestGuard: what is not public is not called, in whatever spelling, unless the
// operator allows it.
func TestGuard(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	receiver := serve(t, func(http.ResponseWriter, *http.Request) { calls.Add(1) })
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(receiver, "http://"))
	for _, tt := range []struct {
		url   string
		allow []string
		ok    bool
	}{
		{"http://127.0.0.1:PORT/", nil, false},
		{"http://localhost:PORT/", nil, false},
		{"http://LOCALHOST.:PORT/", nil, false},
		{"http://[::ffff:127.0.0.1]:PORT/", nil, false},
		{"http://[::ffff:7f00:1]:PORT/", nil, false},
		{"http://[0:0:0:0:0:ffff:127.0.0.1]:PORT/", nil, false},
		{"http://[::1]:PORT/", nil, false},
		{"http://[::]:PORT/", nil, false},
		{"http://0.0.0.0:PORT/", nil, false},
		{"http://0:PORT/", nil, false},
		{"http://127.1:PORT/", nil, false},
		{"http://2130706433:PORT/", nil, false},
		{"http://0x7f000001:PORT/", nil, false},
		{"http://0x7f.0.0.1:PORT/", nil, false},
		{"http://0177.0.0.1:PORT/", nil, false},
		{"http://017700000001:PORT/", nil, false},
		{"http://127.0.0.0x1:PORT/", nil, false},
		{"http://127.0.0.1.:PORT/", nil, false},
		{"http://１２７.0.0.1:PORT/", nil, false},
		{"http://169.254.169.254/latest/meta-data/", nil, false},
		{"http://[fd00:ec2::254]/latest/meta-data/", nil, false},
		{"http://[fe80::1%25lo]:PORT/", nil, false},
		{"http://1.1.1.1:22/", nil, false},
		{"https://1.1.1.1:25/", nil, false},
		{"http://user:pass@127.0.0.1:PORT/", webhook.Loopback, false},
		{"ftp://127.0.0.1:PORT/", webhook.Loopback, false},
		{"gopher://127.0.0.1:PORT/", webhook.Loopback, false},
		{"http:///x", webhook.Loopback, false},
		{"http://127.1:PORT/", webhook.Loopback, false},

		{"http://127.0.0.1:PORT/", webhook.Loopback, true},
		{"http://localhost:PORT/", webhook.Loopback, true},
		{"http://[::ffff:127.0.0.1]:PORT/", webhook.Loopback, true},
		{"http://127.0.0.1:PORT/", []string{"127.0.0.1"}, true},
		{"http://127.0.0.1:PORT/", []string{"::ffff:127.0.0.0/104"}, true},
		{"http://127.0.0.1:PORT/", []string{"127.0.0.1:PORT"}, true},
		{"http://127.0.0.1:PORT/", []string{"127.0.0.1:1"}, false},
		{"http://127.0.0.1:PORT/", []string{"127.0.0.2", "10.0.0.0/8", "example.com"}, false},
		{"http://localhost:PORT/", []string{"Localhost"}, true},
		{"http://localhost:PORT/", []string{"localhost:PORT"}, true},
		{"http://localhost:PORT/", []string{"localhost:1"}, false},
		{"http://127.0.0.1:PORT/", []string{"localhost"}, false},
	} {
		fill := func(s string) string { return strings.ReplaceAll(s, "PORT", port) }
		var allow []string
		for _, s := range tt.allow {
			allow = append(allow, fill(s))
		}
		allowed, err := webhook.ParseAllowed(allow...)
		if err != nil {
			t.Fatal(err)
		}
		before := calls.Load()
		_, err = webhook.New(webhook.Config{Allow: allowed}).Post(t.Context(), app.Webhook{URL: fill(tt.url)}, "k",
			[]byte("{}"))
		if (err == nil) != tt.ok || (calls.Load() > before) != tt.ok {
			t.Errorf("%s, allowed %v: %v", tt.url, allow, err)
		}
		if !tt.ok && !errors.Is(err, webhook.ErrTarget) && !strings.Contains(err.Error(), "no such host") {
			t.Errorf("%s: %v, want ErrTarget", tt.url, err)
		}
	}
}

// A log names the host that was refused, and nothing else of its address.
func TestForbiddenIsNamed(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"http://localhost/?key=secret":  ": dial tcp: WEBHOOK_TARGET_FORBIDDEN: localhost is at ",
		"http://127.0.0.1/?key=secret":  "Post: dial tcp: WEBHOOK_TARGET_FORBIDDEN: 127.0.0.1 is not public",
		"http://1.1.1.1:22/secret":      "Post: dial tcp: WEBHOOK_TARGET_FORBIDDEN: port 22 of 1.1.1.1 is another service's",
		"ftp://example.org/secret":      `WEBHOOK_TARGET_FORBIDDEN: example.org by scheme "ftp", want https`,
		"https://u:secret@example.org/": "WEBHOOK_TARGET_FORBIDDEN: example.org with a user, want none",
		"https://2130706433/?secret":    `WEBHOOK_TARGET_FORBIDDEN: "2130706433" is no host name and no usual address`,
	} {
		_, err := webhook.New(webhook.Config{}).Post(t.Context(), app.Webhook{URL: address, Secret: "secret"}, "k", nil)
		if got := logs.Quiet(err); err == nil || !strings.Contains(got, want) || strings.Contains(got, "secret") {
			t.Errorf("%s: %q, want %q", address, got, want)
		} else if !errors.Is(err, webhook.ErrTarget) {
			t.Errorf("%s: %v is not ErrTarget", address, err)
		}
	}
}

// TestRebinding: a name that leads to this machine is not called, though it
// looked like any other: the address is judged when it is dialed.
func TestRebinding(t *testing.T) {
	var calls atomic.Int32
	receiver := serve(t, func(http.ResponseWriter, *http.Request) { calls.Add(1) })
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(receiver, "http://"))
	before := net.DefaultResolver
	defer func() { net.DefaultResolver = before }()
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		here, there := net.Pipe()
		go answerDNS(there) // ends when the resolver closes its side
		return here, nil
	}}
	_, err := webhook.New(webhook.Config{}).Post(t.Context(), app.Webhook{URL: "http://rebind.example:" + port + "/"},
		"k", nil)
	if !errors.Is(err, webhook.ErrTarget) || calls.Load() != 0 {
		t.Errorf("%d calls, %v", calls.Load(), err)
	}
	allowed, _ := webhook.ParseAllowed("rebind.example")
	if _, err := webhook.New(webhook.Config{Allow: allowed}).Post(t.Context(),
		app.Webhook{URL: "http://rebind.example:" + port + "/"}, "k", nil); err != nil || calls.Load() != 1 {
		t.Errorf("an allowed name: %d calls, %v", calls.Load(), err)
	}
}

// answerDNS says 127.0.0.1 to every question for an A record.
func answerDNS(c net.Conn) {
	defer c.Close()
	for {
		var size [2]byte
		if _, err := readFull(c, size[:]); err != nil {
			return
		}
		q := make([]byte, int(size[0])<<8|int(size[1]))
		if _, err := readFull(c, q); err != nil {
			return
		}
		end := 12
		for q[end] != 0 {
			end += int(q[end]) + 1
		}
		end += 5
		a := append([]byte{q[0], q[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, q[12:end]...)
		if q[end-3] == 1 { // A
			a[7] = 1
			a = append(a, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1)
		}
		if _, err := c.Write(append([]byte{byte(len(a) >> 8), byte(len(a))}, a...)); err != nil {
			return
		}
	}
}

func readFull(c net.Conn, b []byte) (int, error) {
	n := 0
	for n < len(b) {
		m, err := c.Read(b[n:])
		if n += m; err != nil {
			return n, err
		}
	}
	return n, nil
}

func TestParseAllowed(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "10.0.0.0/33", "*", "*.example.com", "http://example.com", "a b", "user@host",
		"example.com/path", "host:port:1"} {
		if _, err := webhook.ParseAllowed(s); err == nil {
			t.Errorf("%q is taken", s)
		}
	}
}

// FuzzGuard: what passes as public is nothing that the standard library knows to
// be otherwise, and no host passes that a C library would read as an address and
// Go would not.
func FuzzGuard(f *testing.F) {
	for _, host := range []string{"127.0.0.1", "0x7f.1", "[::ffff:127.0.0.1]", "127.1", "localhost", "0",
		"1.1.1.1@127.0.0.1", "[::1%25lo]", "017700000001", "1.0x1", "a.0", "1.2.3.4."} {
		f.Add(host, []byte(host))
	}
	f.Fuzz(func(t *testing.T, host string, raw []byte) {
		for _, n := range []int{4, 16} {
			if ip, ok := netip.AddrFromSlice(raw[:min(n, len(raw))]); ok && webhook.Public(ip) {
				ip = ip.Unmap()
				if !ip.IsGlobalUnicast() || ip.IsPrivate() {
					t.Errorf("%s is public", ip)
				}
			}
		}
		u, err := url.Parse("http://" + host + "/")
		if err != nil || webhook.CheckURL(u) != nil {
			return
		}
		if _, err := netip.ParseAddr(u.Hostname()); err != nil && aton(strings.TrimSuffix(u.Hostname(), ".")) {
			t.Errorf("%q passes", u.Hostname())
		}
	})
}

// aton reports whether inet_aton(3) reads a host as an address: one to four
// numbers, decimal, octal or hexadecimal.
func aton(host string) bool {
	parts := strings.Split(host, ".")
	for _, p := range parts {
		if _, err := strconv.ParseUint(strings.ToLower(p), 0, 32); err != nil || strings.ContainsAny(p, "_boBO") {
			return false
		}
	}
	return len(parts) <= 4
}
