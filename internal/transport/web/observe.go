package web

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/internal/metric"
)

// named gives a request its id, for log lines and traces, and sends it to the client.
func named(w http.ResponseWriter, r *http.Request) *http.Request {
	id := logs.RequestID(r.Header.Get("Traceparent"), r.Header.Get("X-Request-Id"))
	w.Header().Set("X-Request-Id", id)
	return r.WithContext(logs.WithRequest(r.Context(), id))
}

// counted counts the requests that h answers, and how long that took: of a stream, how
// long it took to begin. Those of the web API are counted where they are served.
func (s *Server) counted(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, path, _ := strings.Cut(r.Pattern, "/")
		door := cmp.Or(s.doorAt["/"+path], "web")
		r = r.WithContext(logs.WithDoor(r.Context(), door))
		if strings.HasSuffix(r.Pattern, "/stream") || strings.HasSuffix(r.Pattern, "/ws") {
			h.ServeHTTP(w, r)
			return
		}
		began, seen := time.Now(), &statusWriter{ResponseWriter: w, status: http.StatusOK}
		seen.count = sync.OnceFunc(func() {
			s.cfg.Meter.Series(metric.Requests, door, r.Method, strconv.Itoa(seen.status/100)+"xx").Add(1)
			s.cfg.Meter.Series(metric.RequestTime, door, r.Method).Add(time.Since(began).Seconds())
		})
		h.ServeHTTP(seen, r)
		seen.count()
	})
}

// statusWriter remembers the status of an answer, and counts it once.
type statusWriter struct {
	http.ResponseWriter
	status int
	count  func()
}

func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// FlushError flushes the bytes written so far. Only streams flush: the rest lasts as long as
// the client stays.
func (w *statusWriter) FlushError() error {
	w.count()
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// Unwrap is for http.ResponseController.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
