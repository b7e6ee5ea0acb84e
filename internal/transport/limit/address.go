package limit

import (
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Proxies are the networks of the proxies in front, whose X-Forwarded-For is
// believed. Anybody else's is only something that a client says.
type Proxies []netip.Prefix

// ParseProxies reads addresses and networks such as 10.0.0.0/8.
func ParseProxies(list ...string) (Proxies, error) {
	var out Proxies
	for _, s := range list {
		p, err := netip.ParsePrefix(s)
		if ip, err2 := netip.ParseAddr(s); err2 == nil && ip.Zone() == "" {
			p, err = netip.PrefixFrom(ip, ip.BitLen()), nil
		}
		if err != nil || p.Addr().Is4In6() {
			return nil, fmt.Errorf("proxy %q: want an address or a network such as 10.0.0.0/8", s)
		}
		out = append(out, p.Masked())
	}
	return out, nil
}

func (p Proxies) has(ip netip.Addr) bool {
	return slices.ContainsFunc(p, func(n netip.Prefix) bool { return n.Contains(ip) })
}

// Client returns the address a request comes from: the peer, or if that is one of
// the proxies, the last address in X-Forwarded-For that is not a proxy. A client can
// write anything to the left of it. The zero Addr is a peer without an
// address, such as one on a Unix socket.
func (p Proxies) Client(r *http.Request) netip.Addr {
	client := peer(r)
	if !p.has(client) {
		return client
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		ip, ok := parseHop(strings.TrimSpace(hop))
		if !ok {
			break // the proxy that wrote it is the last we know of
		}
		if client = plain(ip); !p.has(client) {
			break
		}
	}
	return client
}

// parseHop reads an address, as some proxies write it with a port.
func parseHop(hop string) (netip.Addr, bool) {
	if at, err := netip.ParseAddrPort(hop); err == nil {
		return at.Addr(), true
	}
	ip, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(hop, "["), "]"))
	return ip, err == nil
}

// From reports a request that one of the proxies sent.
func (p Proxies) From(r *http.Request) bool { return p.has(peer(r)) }

// Passed says that a request came from one of the proxies with an X-Forwarded-For,
// so the proxy did not send it.
func (p Proxies) Passed(r *http.Request) bool {
	return p.has(peer(r)) && r.Header.Get("X-Forwarded-For") != ""
}

// Unnamed returns the peer of a request that says it passed a proxy, if the peer is on
// this machine or in a private network and is not one of the proxies.
func (p Proxies) Unnamed(r *http.Request) (netip.Addr, bool) {
	ip := peer(r)
	return ip, Forwarded(r) && !p.has(ip) && (ip.IsLoopback() || ip.IsPrivate())
}

func peer(r *http.Request) netip.Addr {
	at, _ := netip.ParseAddrPort(r.RemoteAddr)
	return plain(at.Addr())
}

func plain(ip netip.Addr) netip.Addr { return ip.Unmap().WithZone("") }

// Forwarded says that a request passed a proxy, known or not.
func Forwarded(r *http.Request) bool {
	for _, h := range []string{"X-Forwarded-For", "Forwarded", "X-Real-Ip", "Via"} {
		if r.Header.Get(h) != "" {
			return true
		}
	}
	return false
}

// Network is what one subscriber has of an address: all of IPv4's, and of IPv6
// the first 64 bits, since the others are theirs to choose.
func Network(ip netip.Addr) netip.Prefix {
	bits := 32
	if ip.Is6() {
		bits = 64
	}
	p, _ := ip.Prefix(bits)
	return p
}

// Site is the first 48 bits of an IPv6 address, which one subscriber may have
// too; false for IPv4.
func Site(ip netip.Addr) (netip.Prefix, bool) {
	p, err := ip.Prefix(48)
	return p, err == nil && ip.Is6()
}
