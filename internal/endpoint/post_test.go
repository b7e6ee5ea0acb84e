package endpoint

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// TestStream: what of an event stream is data, in lines of any length.
func TestStream(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1<<20)
	for name, tt := range map[string]struct {
		body string
		want []string
	}{
		"two events":           {"data: a\n\ndata:b\n\n", []string{"a\n", "b\n"}},
		"other fields":         {": wait\n\nid: 7\nevent: e\nretry: 1\ndata: a\ndatum: b\n\n", []string{"a\n"}},
		"no data":              {"\n\nevent: e\n\n: x\n\n", nil},
		"several lines":        {"data: a\ndata:  b\ndata\n\n", []string{"a\n b\n\n"}},
		"carriage returns":     {"data: a\r\n\r\ndata: b\r\n\r\n", []string{"a\n", "b\n"}},
		"other line ends":      {"data: a\r\rdata: b\r\n\rdata: c\n\r", []string{"a\n", "b\n", "c\n"}},
		"a long line":          {"data: " + long + "\n\n", []string{long + "\n"}},
		"a cut event":          {"data: a\n\ndata: b\n", []string{"a\n"}},
		"a cut line":           {"data: a\n\ndata: b", []string{"a\n"}},
		"after what is enough": {"data: a\n\ndata: stop\n\ndata: b\n\n", []string{"a\n", "stop\n"}},
	} {
		e := open(t, func(*http.Request) (*http.Response, error) {
			return answer(200, http.Header{"Content-Type": {"text/event-stream"}}, tt.body), nil
		}, nil)
		var got []string
		whole, err := e.Stream(t.Context(), nil, func(data []byte) (bool, error) {
			got = append(got, string(data))
			return string(data) != "stop\n", nil
		})
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil || whole != nil {
			t.Errorf("%s: %q, %v (-want +got):\n%s", name, whole, err, diff)
		}
	}
}

// TestStreamsAreBounded: a line without end is not read without end.
func TestStreamsAreBounded(t *testing.T) {
	t.Parallel()
	e := open(t, func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}},
			Body: io.NopCloser(endless{})}, nil
	}, nil)
	_, err := e.Stream(t.Context(), nil, func([]byte) (bool, error) { return true, nil })
	if ui.CodeOf(err) != llm.CodeReplyTooLarge {
		t.Error(err)
	}
}

// TestRequestIDs: an error has the server's name for the request, if it is a name.
func TestRequestIDs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		header, id string
		shown      bool
	}{
		{"Request-Id", "req_1-A", true}, {"X-Request-Id", "req_1-A", true}, {"X-Request-Id", "a b", false},
		{"X-Request-Id", strings.Repeat("a", 101), false}, {"X-Request-Id", secret, false},
	} {
		e := open(t, func(*http.Request) (*http.Response, error) {
			return answer(422, http.Header{tt.header: {tt.id}}, ""), nil
		}, nil)
		_, err := e.Post(t.Context(), nil)
		u, _ := err.(*ui.Error)
		if u == nil || strings.Contains(u.Hint, tt.id) != tt.shown {
			t.Errorf("%q: %v", tt.id, err)
		}
		hidden(t, err)
	}
}

func TestRequestThatIsNoJSON(t *testing.T) {
	t.Parallel()
	e := open(t, nil, nil)
	if _, err := e.Post(t.Context(), func() {}); ui.CodeOf(err) != llm.CodeRequestBroken {
		t.Error(err)
	}
}
