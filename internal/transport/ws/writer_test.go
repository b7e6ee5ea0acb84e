package ws

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/coder/websocket"
)

// A write under way when reading ends does not take the close away: the client
// learns why.
func TestWriteThenClose(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := websocket.Accept(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := (writer{ended, conn}).Write([]byte("{}\n")); err != nil {
			t.Error(err)
		}
		(&socket{conn: conn}).close(errBinary)
	}))
	defer srv.Close()
	c, _, err := websocket.Dial(t.Context(), srv.URL, nil) //nolint:bodyclose // it has none
	if err != nil {
		t.Fatal(err)
	}
	defer c.CloseNow() //nolint:errcheck // it is closed
	if _, text, err := c.Read(t.Context()); err != nil || string(text) != "{}" {
		t.Errorf("%s %v", text, err)
	}
	if _, _, err := c.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusUnsupportedData {
		t.Error(err)
	}
}
