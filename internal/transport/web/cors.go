package web

import (
	"net/http"
	"slices"
	"strings"
)

// What pages of an allowed origin may send and read beyond what every page may.
const (
	corsMethods = "GET, POST, PUT, PATCH, DELETE"
	corsHeaders = "A2A-Extensions, A2A-Version, Authorization, Content-Type, Idempotency-Key, Last-Event-ID, " +
		"If-None-Match, Limn-Client, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Prefer, " +
		"X-A2A-Extensions"
	corsExposed = "A2A-Extensions, ETag, Limn-Cursor, Limn-Outcome, Limn-Seq, Location, Mcp-Session-Id, Retry-After, " +
		"Stream-Closed, Stream-Cursor, Stream-Next-Offset, Stream-Up-To-Date, " +
		"X-A2A-Extensions, X-Request-Id"
)

// shared lets pages of the allowed origins use the API (Fetch Standard, CORS
// protocol). Every other page of another site is refused as before.
func (s *Server) shared(next http.Handler) http.Handler {
	if len(s.cfg.Origins) == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Add("Vary", "Origin")
		origin := r.Header.Get("Origin")
		ours := strings.HasPrefix(r.URL.Path, "/v1/") || s.doorAt[r.URL.Path] != ""
		if !ours || !slices.Contains(s.cfg.Origins, origin) {
			next.ServeHTTP(w, r)
			return
		}
		h.Set("Access-Control-Allow-Origin", origin)
		h.Set("Access-Control-Allow-Credentials", "true")
		h.Set("Access-Control-Expose-Headers", corsExposed)
		h.Set("Cross-Origin-Resource-Policy", "cross-origin")
		if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
			h.Set("Access-Control-Allow-Methods", corsMethods)
			h.Set("Access-Control-Allow-Headers", corsHeaders)
			h.Set("Access-Control-Max-Age", "600")
			w.WriteHeader(http.StatusNoContent)
			return
		}
		next.ServeHTTP(w, r)
	})
}
