package llmtest

import "testing"

func FuzzTape(f *testing.F) {
	f.Add([]byte(`{"method":"POST","url":"https://x/v1","hash":"00","request":"{}","status":200,"header":{},"response":"{}"}` + "\n"))
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, b []byte) {
		list, err := readTape(b)
		for _, e := range list {
			if err == nil && (e.name() == "" || e.Status < 100) {
				t.Errorf("%+v", e)
			}
			_ = pathOf(e.URL)
		}
	})
}

func TestHashKnowsNoOrder(t *testing.T) {
	t.Parallel()
	if hash(`{"a":1,"b":2.50}`) != hash(` {"b":2.50, "a":1}`) || hash(`{"a":1}`) == hash(`{"a":2}`) ||
		hash(`{"a":1}x`) == hash(`{"a":1}`) {
		t.Error("a hash says more or less than the body")
	}
}
