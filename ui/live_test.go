package ui

import "testing"

// TestLiveUpdate: an update of live data leaves the guard as long as the controls are
// the same, and nothing else does.
func TestLiveUpdate(t *testing.T) {
	view := func(figure, label string) Nodes {
		return Nodes{&Column{Key: "main", Children: Nodes{&Stat{Key: "open", Label: "Open", Value: figure},
			&Button{Key: "close", Label: label, Action: Action{Name: "close"}}}}}
	}
	s := mustApply(NewState("c"), &Open{Surface: "view:board", Nonce: "n", Title: "Board", Root: view("1", "Close")})
	for _, tt := range []struct {
		name  string
		op    *Update
		moves bool
	}{
		{"live data", &Update{Surface: "view:board", Root: view("2", "Close"), Live: true}, false},
		{"another button", &Update{Surface: "view:board", Root: view("2", "Close all"), Live: true}, true},
		{"not live", &Update{Surface: "view:board", Root: view("3", "Close")}, true},
	} {
		next := mustApply(s, tt.op).Surface("view:board")
		was := s.Surface("view:board")
		if next.Rev != was.Rev+1 || (next.Guard != was.Guard) != tt.moves {
			t.Errorf("%s: rev %d guard %d, then rev %d guard %d", tt.name, was.Rev, was.Guard, next.Rev, next.Guard)
		}
	}
}
