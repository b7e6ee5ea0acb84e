package main

import (
	"net"
	"slices"

	"github.com/limn-ui/limn/transport/hook"
)

// guardFlags are what an operator decides about who may do how much, and what
// the server itself may reach.
type guardFlags struct {
	WebhookAllow []string `placeholder:"TARGET" help:"Targets of webhooks that may be called though they are not public: an address, a network such as 10.1.0.0/16, or a host, perhaps with a port. This machine is allowed while --addr is on loopback and --base is not given."`
}

// webhooks calls what is public and what is allowed.
func (c serveCommand) webhooks(listening net.Addr) (*hook.Client, error) {
	list := slices.Clone(c.WebhookAllow)
	if at, ok := listening.(*net.TCPAddr); ok && at.IP.IsLoopback() && c.Base == "" {
		list = append(list, hook.Loopback...) // somebody's own machine
	}
	allow, err := hook.ParseAllowed(list...)
	if err != nil {
		return nil, err
	}
	return hook.New(hook.Config{Allow: allow}), nil
}
