package web

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"hash/maphash"
	"net/http"
	"net/netip"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/internal/metric"
	"github.com/limn-ui/limn/internal/quota"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/transport/limit"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// AuthFunc says who sends a request: any text that names them for good, such as
// the subject of a session or of a token. It is called once for each request,
// streams included, from many goroutines.
//
// An error refuses the request: 403 if it is ErrForbidden, the code's status if
// it is a *ui.Error, else 401. Clients read the message of a *ui.Error only.
type AuthFunc func(r *http.Request) (principal string, err error)

// ErrForbidden says, from an AuthFunc, that the sender is known and may not.
var ErrForbidden = errors.New("forbidden")

// The cookie a browser is known by. Its value is the token that API clients send
// as a bearer. Where it is Secure its name has the prefix that no other host of
// the domain, and no plain-HTTP page, can set: no user gets into the conversation of
// another.
const (
	cookieName   = "limn"
	secureCookie = "__Host-limn"
	cookieDays   = 400
)

// gate knows who sends a request, and how much each may send.
type gate struct {
	*answers
	meters      meters
	byPrincipal keyedMutex

	proxyWarning sync.Once
}

// principal returns who a request comes from: the name that Authenticate gives,
// or conversation.Anonymous of a token. They pay for one request.
func (s *gate) principal(r *http.Request) (string, error) {
	who, err := s.identify(r)
	if err != nil {
		return "", err
	}
	return who, s.charge(who, cost(r))
}

// visitor is the principal of a request for a page that also shows itself, empty, to a
// browser that has not begun a conversation: then it is "".
func (s *gate) visitor(r *http.Request) (string, error) {
	who, err := s.principal(r)
	if who == "" && s.cfg.Authenticate == nil {
		return "", nil
	}
	return who, err
}

// personalFunc answers a request of a principal.
type personalFunc func(w http.ResponseWriter, r *http.Request, who string) error

// known finds out who sends a request before h answers it.
func (s *gate) known(h personalFunc) handlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		who, err := s.principal(r)
		if err != nil {
			return err
		}
		return h(w, r, who)
	}
}

// bytesPerRequest is how much of a body costs as much as a request.
const bytesPerRequest = 32 << 10

// cost is the price of a request in the rates: one, and one for every 32 KiB of its
// body. A body of unknown length counts as half a MiB. A file pays separately.
func cost(r *http.Request) int {
	switch {
	case strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/"):
		return 1
	case r.ContentLength < 0:
		return 1 + 16
	}
	return 1 + int(min(r.ContentLength, 2<<20)/bytesPerRequest)
}

func (s *gate) identify(r *http.Request) (string, error) {
	who, _, err := s.sender(r)
	if err == nil && who == "" {
		err = &ui.Error{Code: recovery.CodeUnauthorized, Path: "Authorization",
			Message: "no cookie and no bearer token",
			Hint:    "POST /v1/conversations gives both"}
	}
	return who, err
}

// sender finds out who sends a request, "" if nothing says so, and with which token.
func (s *gate) sender(r *http.Request) (who, token string, err error) {
	if err := oneSender(r); err != nil {
		return "", "", err
	}
	if s.cfg.Authenticate != nil {
		who, err = s.authenticated(r)
		return who, "", err
	}
	token, ok := s.tokenOf(r)
	switch {
	case ok:
		return conversation.Anonymous(token), token, nil
	case r.Header.Get("Authorization") != "": // its sender believes to have a token; no cookie counts beside it
		return "", "", &ui.Error{Code: recovery.CodeUnauthorized, Path: "Authorization",
			Message: "this is no bearer token of this server",
			Hint:    "POST /v1/conversations without Authorization gives one"}
	}
	return "", "", nil
}

// oneSender refuses a request that says twice who sends it: a proxy in front
// of this server may believe the other one.
func oneSender(r *http.Request) error {
	if len(r.Header.Values("Authorization")) > 1 {
		return &ui.Error{Code: recovery.CodeUnauthorized, Path: "Authorization", Message: "two Authorization headers",
			Hint: "send one"}
	}
	return nil
}

var errStranger = &ui.Error{Code: recovery.CodeUnauthorized, Path: "Authorization", Message: "you are not signed in",
	Hint: "sign in, and send your token or cookie with each request"}

// authenticated asks the embedder.
func (s *gate) authenticated(r *http.Request) (string, error) {
	name, err := s.cfg.Authenticate(r)
	var coded *ui.Error
	switch {
	case errors.As(err, &coded):
		return "", err
	case errors.Is(err, ErrForbidden):
		return "", &ui.Error{Code: recovery.CodeForbidden, Message: "you may not use this server", Err: err}
	case err != nil && r.Context().Err() == nil &&
		(errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)):
		return "", &ui.Error{Code: recovery.CodeAuthDown, Message: "who you are could not be looked up", Err: err}
	case err != nil:
		s.cfg.Log.Debug("not authenticated", "path", r.Pattern, "err", logs.Quiet(err))
		return "", errStranger
	case name == "":
		return "", errStranger
	}
	if len(name) > conversation.MaxPrincipal || !utf8.ValidString(name) || conversation.IsOwner(name) {
		s.cfg.Log.Warn("the name of a principal cannot be used", "bytes", len(name))
		return "", &ui.Error{Code: recovery.CodeUnauthorized,
			Message: "the name you are signed in with cannot be used",
			Hint: fmt.Sprintf("a name is UTF-8 of at most %d bytes, and no id of this server",
				conversation.MaxPrincipal)}
	}
	return name, nil
}

// newPrincipal returns who starts a conversation, and the token they are known by:
// their own, or one made now. With Authenticate there are no tokens.
func (s *gate) newPrincipal(r *http.Request) (who, token string, isNew bool, err error) {
	who, token, err = s.sender(r)
	if err != nil || who != "" {
		return who, token, false, err
	}
	var b [32]byte
	rand.Read(b[:]) //nolint:errcheck // never fails, crypto/rand
	token = base64.RawURLEncoding.EncodeToString(b[:])
	return conversation.Anonymous(token), token, true, nil
}

func (s *gate) tokenOf(r *http.Request) (string, bool) {
	if auth := r.Header.Get("Authorization"); auth != "" {
		scheme, token, _ := strings.Cut(auth, " ")
		return token, strings.EqualFold(scheme, "Bearer") && validToken(token)
	}
	if c, err := r.Cookie(s.cookie(r)); err == nil {
		return c.Value, validToken(c.Value)
	}
	return "", false
}

func validToken(t string) bool {
	b, err := base64.RawURLEncoding.DecodeString(t)
	return err == nil && len(b) == 32
}

func (s *gate) secure(r *http.Request) bool { return r.TLS != nil || s.cfg.Secure }

// origin is the beginning of addresses of this server, as the sender of a request reaches it.
func (s *gate) origin(r *http.Request) string {
	if s.secure(r) {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

func (s *gate) cookie(r *http.Request) string {
	if s.secure(r) {
		return secureCookie
	}
	return cookieName
}

func (s *gate) setCookie(w http.ResponseWriter, r *http.Request, token string) {
	w.Header().Set("Cache-Control", "no-store")
	http.SetCookie(w, &http.Cookie{Name: s.cookie(r), Value: token, Path: "/", HttpOnly: true,
		SameSite: http.SameSiteLaxMode,
		MaxAge:   cookieDays * 24 * 3600, Secure: s.secure(r)})
}

var clientName = regexp.MustCompile(`^[\w-]{0,64}$`)

// clientOf is how a client names itself among those of its principal, so that an
// error it reports rebuilds it and no other; "" if it does not.
func clientOf(r *http.Request) (string, error) {
	name, from := r.Header.Get("Limn-Client"), "Limn-Client"
	if name == "" {
		name, from = r.URL.Query().Get("client"), "client"
	}
	if !clientName.MatchString(name) {
		return "", &ui.Error{Code: ingress.CodeEnvelope, Path: from, Message: "this is no name of a client",
			Hint: "want 1 to 64 of A-Z, a-z, 0-9, _ and -"}
	}
	return name, nil
}

// Quota is what one principal, and one address, may use. The zero value is
// the defaults; a member below zero is no limit.
type Quota struct {
	Rate float64 // requests per second of one principal, twice as many at once: 200
	// of one IPv4 address or IPv6 /64, twice as many at once; of a /48 eight times that, and a
	// thousandth of new principals: 1,000
	AddressRate   float64
	Tracked       int         // principals, and addresses, that are counted at a time: 16,384
	Conversations int         // kept for one principal: 10,000
	FileBytes     int64       // of the files of one principal: 1 GiB
	Stored        quota.Daily // bytes of events, frames and traces in a day: 256 MiB, from one address 2 GiB
	Streams       int         // open at once of one principal: 32
	// open at once from one IPv4 address or IPv6 /48: a sixteenth of AllStreams, at least 256
	NetStreams int
	Runs       quota.Runs // model runs at once, and tokens in a day
	// streams of all principals open at once: 16,384, or as many as the file
	// descriptors of the process allow
	AllStreams int
	Proxies    []netip.Prefix // whose X-Forwarded-For is believed; default: none
}

// startWeight is what starting a conversation and sending a file take of the rates.
const startWeight = 10

// meters are the buckets of a Quota.
type meters struct {
	principals    *limit.Table[string]
	networks      *limit.Table[netip.Prefix]
	sites         *limit.Table[netip.Prefix]
	newPrincipals *limit.Table[netip.Prefix] // first conversations
}

func (a Quota) withDefaults() Quota {
	a.Rate, a.AddressRate = cmp.Or(a.Rate, 200), cmp.Or(a.AddressRate, 1000)
	a.Tracked = cmp.Or(a.Tracked, 1<<14)
	a.Conversations, a.FileBytes = cmp.Or(a.Conversations, 10_000), cmp.Or(a.FileBytes, 1<<30)
	return a
}

func (a Quota) meters() meters {
	burst := func(perSecond float64) int { return max(2*startWeight, int(min(2*perSecond, 1<<20))) }
	return meters{limit.NewTable[string](a.Rate, burst(a.Rate), a.Tracked),
		limit.NewTable[netip.Prefix](a.AddressRate, burst(a.AddressRate), a.Tracked),
		limit.NewTable[netip.Prefix](8*a.AddressRate, 8*burst(a.AddressRate), a.Tracked),
		limit.NewTable[netip.Prefix](a.AddressRate/1000, 50, a.Tracked)}
}

// limited is a refusal that says when to come back.
type limited struct {
	error // a *ui.Error
	after time.Duration
}

func (l *limited) Unwrap() error { return l.error }

func (s *gate) refuse(by, message string, after time.Duration) error {
	s.cfg.Meter.Series(metric.RateLimited, by).Add(1)
	return &limited{&ui.Error{Code: recovery.CodeRate, Message: message,
		Hint: "send it again after the seconds of Retry-After"}, after}
}

// chargeAddress takes the cost of a request from the address it comes from. This
// machine pays nothing: the client is a test, or a proxy that was not named, which
// carries the requests of everyone. A request through a named proxy always pays.
func (s *gate) chargeAddress(r *http.Request, n int) error {
	ip, pays := s.chargedAddress(r)
	if !pays {
		return nil
	}
	now := time.Now()
	wait, ok := s.meters.networks.Take(now, limit.Network(ip), n)
	if site, is6 := limit.Site(ip); ok && is6 {
		wait, ok = s.meters.sites.Take(now, site, n)
	}
	if !ok {
		return s.refuse("address", "too many requests from your network", wait)
	}
	return nil
}

// chargeNewcomer takes a first conversation from the address it is for, of IPv6
// from all that one subscriber may have.
func (s *gate) chargeNewcomer(r *http.Request) error {
	network, pays := s.subscriber(r)
	if !pays {
		return nil
	}
	if wait, ok := s.meters.newPrincipals.Take(time.Now(), network, 1); !ok {
		return s.refuse("address", "too many new users from your network", wait)
	}
	return nil
}

// subscriber is the network that a request comes from as one subscriber of a
// provider has it: an IPv4 address, or all of IPv6 that one may have.
func (s *gate) subscriber(r *http.Request) (network netip.Prefix, pays bool) {
	ip, pays := s.chargedAddress(r)
	if !pays {
		return network, false
	}
	if site, is6 := limit.Site(ip); is6 {
		return site, true
	}
	return limit.Network(ip), true
}

// networkOf names the network whose share of the streams a request takes from.
func (s *gate) networkOf(r *http.Request) string {
	if network, pays := s.subscriber(r); pays {
		return network.String()
	}
	return ""
}

// addressed is the context of a request with the network it comes from, by which
// model runs are counted.
func (s *gate) addressed(r *http.Request) context.Context {
	if network := s.networkOf(r); network != "" {
		return quota.FromAddress(r.Context(), network)
	}
	return r.Context()
}

func (s *gate) chargedAddress(r *http.Request) (ip netip.Addr, pays bool) {
	proxies := limit.Proxies(s.cfg.Allow.Proxies)
	ip = proxies.Client(r)
	return ip, ip.IsValid() && (!ip.IsLoopback() || proxies.Passed(r))
}

// warnOfProxy says once that a proxy is not named.
func (s *gate) warnOfProxy(r *http.Request) {
	if peer, ok := limit.Proxies(s.cfg.Allow.Proxies).Unnamed(r); ok {
		s.proxyWarning.Do(func() {
			s.cfg.Log.Warn("a request passed a proxy that is not named, so everybody behind it counts as one address",
				"peer", peer, "hint", "if it is yours, start with --proxy "+peer.String()+" (limn.Limits.Proxies)")
		})
	}
}

// charge takes n requests from the allowance of a principal. A handler of several
// requests in one connection calls it for each.
func (s *gate) charge(who string, n int) error {
	if wait, ok := s.meters.principals.Take(time.Now(), who, n); !ok {
		return s.refuse("principal", "too many requests", wait)
	}
	return nil
}

// keyedMutex holds one lock for each of a few groups of principals, so that the
// requests of one principal that store something are measured one after the other
// and do not pass a quota together. Each node has its own: n nodes may each measure
// one request at the same moment, and exceed the quota by n-1.
type keyedMutex struct {
	seed   maphash.Seed
	places [256]chan struct{} // of capacity 1
}

func newKeyedMutex() keyedMutex {
	s := keyedMutex{seed: maphash.MakeSeed()}
	for i := range s.places {
		s.places[i] = make(chan struct{}, 1)
	}
	return s
}

// hold runs do while no other request of that principal runs. A client that goes
// away does not end it: the stored bytes must be there when the next request is
// measured.
func (s *keyedMutex) hold(ctx context.Context, who string, do func(context.Context) error) error {
	place := s.places[maphash.String(s.seed, who)%uint64(len(s.places))]
	select {
	case place <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-place }()
	return do(context.WithoutCancel(ctx))
}

// mayCreate holds a principal to its quota of conversations. Anybody can make up
// a token, so the first conversation of a principal is also its address's.
func (s *gate) mayCreate(r *http.Request, who string, isNew bool) error {
	var used store.Usage
	if !isNew {
		var err error
		if used, err = s.cfg.Service.Usage(r.Context(), who); err != nil {
			return err
		}
	}
	if most := s.cfg.Allow.Conversations; most >= 0 && used.Conversations >= most {
		s.cfg.Meter.Series(metric.RateLimited, "quota").Add(1)
		return &ui.Error{Code: recovery.CodeQuota,
			Message: fmt.Sprintf("you have %d conversations, the most there may be", used.Conversations),
			Hint:    "go on in one of them, or ask who runs this server for more"}
	}
	if used.Conversations == 0 && s.cfg.Authenticate == nil {
		return s.chargeNewcomer(r)
	}
	return nil
}
