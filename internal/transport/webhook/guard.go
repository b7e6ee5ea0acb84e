package webhook

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/limn-ui/limn/ui"
)

// ErrTarget is why a call was never sent: its address is not one that this server
// calls. Trying again does not help. Logs name it by CodeTarget, with the host and the
// fault of the address.
var ErrTarget error = targetError{}

// CodeTarget is the code of ErrTarget.
const CodeTarget ui.Code = "WEBHOOK_TARGET_FORBIDDEN"

func forbidden(format string, args ...any) error {
	why := fmt.Sprintf(format, args...)
	return &ui.Error{Code: CodeTarget, Message: why, Hint: "an operator may allow the target", Err: targetError{why}}
}

// Allowed are targets inside the operator's own network that may be called
// although they are not public.
type Allowed struct {
	nets  []netip.Prefix
	hosts []string // lower case, perhaps with a port
}

// Loopback is this machine.
var Loopback = []string{"127.0.0.0/8", "::1/128", "localhost"}

// ParseAllowed reads targets: an address, a network as CIDR, or a host name, the
// first and the last perhaps with a port.
func ParseAllowed(list ...string) (Allowed, error) {
	var a Allowed
	for _, s := range list {
		if p, err := netip.ParsePrefix(s); err == nil {
			a.nets = append(a.nets, netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-mappedBits(p.Addr())).Masked())
		} else if ip, err := netip.ParseAddr(s); err == nil {
			ip = ip.Unmap()
			a.nets = append(a.nets, netip.PrefixFrom(ip, ip.BitLen()))
		} else if hostOnly(s) {
			a.hosts = append(a.hosts, canonicalHost(s))
		} else {
			return a, fmt.Errorf("webhook target %q: want an address, a network such as 10.1.0.0/16, or a host", s)
		}
	}
	return a, nil
}

// hostOnly reports a host name or an address, perhaps with a port, and no more.
func hostOnly(s string) bool {
	u, err := url.Parse("//" + s)
	if err != nil || u.Host != s || u.Hostname() == "" || strings.Contains(s, "*") {
		return false
	}
	_, err = netip.ParseAddr(u.Hostname())
	return err == nil || !strings.Contains(u.Hostname(), ":")
}

func mappedBits(ip netip.Addr) int {
	if ip.Is4In6() {
		return 96
	}
	return 0
}

func canonicalHost(s string) string { return strings.TrimSuffix(strings.ToLower(s), ".") }

func (a Allowed) addr(ip netip.Addr) bool {
	return slices.ContainsFunc(a.nets, func(p netip.Prefix) bool { return p.Contains(ip) })
}

func (a Allowed) host(host, port string) bool {
	host = canonicalHost(host)
	return slices.Contains(a.hosts, host) || slices.Contains(a.hosts, net.JoinHostPort(host, port))
}

// guarded is a transport that reaches public addresses, and those allowed. The
// address is looked at when the connection is made, after the name was resolved:
// a name that first leads to a public address and then elsewhere gains nothing.
// No proxy of the environment is used, since it would be dialed instead.
func guarded(a Allowed) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.Proxy = nil
	t.MaxResponseHeaderBytes = 64 << 10
	// Servers close idle connections after 5 s and more. A call that meets such a
	// close has an unknown outcome, so idle connections are given up before.
	t.IdleConnTimeout = 3 * time.Second
	t.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		host, port, err := net.SplitHostPort(addr)
		if err != nil {
			return nil, err
		}
		d := net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}
		if !a.host(host, port) {
			d.Control = func(_, resolved string, _ syscall.RawConn) error { return a.check(host, resolved) }
		}
		return d.DialContext(ctx, network, addr)
	}
	return t
}

// check says whether an address that is about to be dialed for a host may be.
func (a Allowed) check(host, resolved string) error {
	at, err := netip.ParseAddrPort(resolved)
	if err != nil {
		return forbidden("%s is at %q, which is no address", host, resolved)
	}
	ip := at.Addr().Unmap()
	switch {
	case a.addr(ip.WithZone("")):
		return nil
	case !Public(ip):
		if host == ip.String() {
			return forbidden("%s is not public", ip)
		}
		return forbidden("%s is at %s, which is not public", host, ip)
	case at.Port() < 1024 && at.Port() != 80 && at.Port() != 443:
		return forbidden("port %d of %s is another service's", at.Port(), host)
	}
	return nil
}

// special are the networks of IANA's special-purpose registries that are part of
// the ranges below and lead to no public host, or to one that is named inside, and
// 168.63.129.16, where every machine of Azure reaches its host.
var special = prefixes(
	"0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 " +
		"168.63.129.16/32 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 " +
		"224.0.0.0/4 240.0.0.0/4 " +
		"2001::/23 2001:db8::/32 2002::/16 3fff::/20")

var (
	global6 = netip.MustParsePrefix("2000::/3")
	nat64   = netip.MustParsePrefix("64:ff9b::/96")
)

func prefixes(list string) (out []netip.Prefix) {
	for s := range strings.FieldsSeq(list) {
		out = append(out, netip.MustParsePrefix(s))
	}
	return out
}

// Public says whether an address is one of the public Internet. An IPv4 address
// inside an IPv6 one, mapped or translated, counts as itself.
func Public(ip netip.Addr) bool {
	ip = ip.Unmap()
	if ip.Zone() != "" {
		return false
	}
	if nat64.Contains(ip) {
		b := ip.As16()
		ip = netip.AddrFrom4([4]byte(b[12:]))
	}
	if ip.Is6() && !global6.Contains(ip) {
		return false
	}
	return ip.IsValid() && !slices.ContainsFunc(special, func(p netip.Prefix) bool { return p.Contains(ip) })
}

// checkURL refuses an invalid address of a webhook before anything is resolved:
// another scheme, a user, and spellings of an IPv4 address that programs read
// differently, such as 0x7f.1, 2130706433 or 127.1.
func (a Allowed) checkURL(u *url.URL) error {
	host := u.Hostname()
	last := canonicalHost(host)
	last = last[strings.LastIndexByte(last, '.')+1:]
	_, isIP := netip.ParseAddr(host)
	_, notNumber := strconv.ParseUint(last, 0, 64)
	switch {
	case u.Scheme != "https" && u.Scheme != "http":
		return forbidden("%s by scheme %q, want https", host, u.Scheme)
	case host == "":
		return forbidden("want a host")
	case u.User != nil:
		return forbidden("%s with a user, want none", host)
	case isIP != nil && (notNumber == nil || strings.HasPrefix(last, "0x")):
		return forbidden("%q is no host name and no usual address", host)
	}
	return nil
}
