// Package natstest runs a real nats-server within the test, on loopback, that can
// be stopped and come back at the same address. Imported by tests only.
package natstest

import (
	"net"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Server is a nats-server. Its methods are for the goroutine of the test.
type Server struct {
	URL  string
	t    testing.TB
	opts server.Options
	run  *server.Server // nil: stopped
}

// Start runs a server until the test ends, or Stop.
func Start(t testing.TB) *Server {
	t.Helper()
	s := &Server{t: t, opts: server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true}}
	s.Restart()
	s.opts.Port = s.run.Addr().(*net.TCPAddr).Port
	s.URL = s.run.ClientURL()
	t.Cleanup(s.Stop)
	return s
}

// Stop ends the server and its connections.
func (s *Server) Stop() {
	if s.run != nil {
		s.run.Shutdown()
		s.run.WaitForShutdown()
		s.run = nil
	}
}

// Restart runs a server at the same address, ending the one that runs.
func (s *Server) Restart() {
	s.t.Helper()
	s.Stop()
	opts := s.opts // the server writes to it
	run, err := server.NewServer(&opts)
	if err != nil {
		s.t.Fatal(err)
	}
	run.Start()
	if !run.ReadyForConnections(30 * time.Second) {
		run.Shutdown()
		s.t.Fatal("the nats-server does not start")
	}
	s.run = run
}

// Subscriptions counts the subjects of limn that clients follow.
func (s *Server) Subscriptions() int { return int(s.run.NumSubscriptions()) }
