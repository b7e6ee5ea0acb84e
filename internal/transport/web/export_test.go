package web

import (
	"maps"
	"slices"
)

// Routes returns the patterns of all addresses, sorted.
func (s *Server) Routes() []string { return slices.Sorted(maps.Keys(s.routes())) }
