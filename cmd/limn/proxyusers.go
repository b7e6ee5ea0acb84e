package main

import (
	"errors"
	"net/http"
	"regexp"
	"strings"
	"sync"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/transport/limit"
	"github.com/limn-ui/limn/ui"
)

// signInFlags name the headers in which a proxy says who sends a request.
type signInFlags struct {
	UserHeader  string `placeholder:"NAME" help:"${sign_in_user_header}"`
	RolesHeader string `placeholder:"NAME" help:"${sign_in_roles_header}"`
}

var headerName = regexp.MustCompile(`^[A-Za-z0-9-]+$`)

// apply has cfg take users and their roles from the headers.
func (f signInFlags) apply(cfg *limn.Config) error {
	switch {
	case f.UserHeader == "" && f.RolesHeader == "":
		return nil
	case f.UserHeader == "":
		return errors.New("--roles-header needs --user-header: roles are those of a user")
	case !headerName.MatchString(f.UserHeader), f.RolesHeader != "" && !headerName.MatchString(f.RolesHeader):
		return errors.New("--user-header and --roles-header: want the name of a header, such as X-Forwarded-User")
	case len(cfg.Limits.Proxies) == 0:
		return errors.New("--user-header needs --proxy, the address of the proxy that sets it: anybody else could")
	}
	u := &proxyUsers{signInFlags: f, proxies: cfg.Limits.Proxies, roles: map[string][]string{}}
	cfg.Authenticate, cfg.Roles = u.authenticate, u.rolesOf
	return nil
}

// proxyUsers takes users from headers that a proxy sets. A user has the roles of the
// newest request; of whom this process had none, no roles.
type proxyUsers struct {
	signInFlags
	proxies limit.Proxies

	mu    sync.Mutex // guards what follows
	roles map[string][]string
}

// maxProxyUsers is how many users' roles are kept; of more, some have none until they
// send a request.
const maxProxyUsers = 1 << 16

func (u *proxyUsers) authenticate(r *http.Request) (string, error) {
	names := r.Header.Values(u.UserHeader)
	if !u.proxies.From(r) || len(names) != 1 {
		return "", &ui.Error{Code: recovery.CodeUnauthorized, Path: u.UserHeader, Message: "no name from a proxy",
			Hint: "ask by way of the proxy that signs users in"}
	}
	var roles []string
	if u.RolesHeader != "" {
		for role := range strings.SplitSeq(strings.Join(r.Header.Values(u.RolesHeader), ","), ",") {
			if role = strings.TrimSpace(role); role != "" {
				roles = append(roles, role)
			}
		}
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if _, known := u.roles[names[0]]; !known && len(u.roles) >= maxProxyUsers {
		for some := range u.roles {
			delete(u.roles, some)
			break
		}
	}
	u.roles[names[0]] = roles
	return names[0], nil
}

func (u *proxyUsers) rolesOf(name string) []string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.roles[name]
}
