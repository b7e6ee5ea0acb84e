package ui

import (
	"fmt"
	"testing"
)

// TestStampActors: of many actors those go that wrote longest ago, but none whose write stands.
func TestStampActors(t *testing.T) {
	t.Parallel()
	s := mustApply(NewState("c"), &Open{Surface: "form:a", Nonce: "aa", Title: "A", Root: Nodes{&Column{Key: "main",
		Children: Nodes{&TextInput{Input{Key: "name", Path: "/draft/name", Field: Field{Name: "name", Type: TypeText}}},
			&TextInput{Input{Key: "town", Path: "/draft/town", Field: Field{Name: "town", Type: TypeText}}}}}},
		Draft: Map(Pair{"name", String("")}, Pair{"town", String("")})})
	write := func(n int, p Path) {
		actor := fmt.Sprintf("r-%03d", n)
		at := fmt.Sprintf("2026-11-20T12:00:00.%03dZ:0000:%s", n, actor)
		s = mustApply(s, &Stamp{Surface: "form:a", Writes: map[Path]string{p: at},
			Actors: map[string]Actor{actor: {Last: at, By: fmt.Sprint("p", n)}}})
	}
	write(0, "/draft/name")
	for n := range 200 {
		write(n+1, "/draft/town")
	}
	sf := s.Surface("form:a")
	if len(sf.Actors) != maxActors || sf.Actors["r-000"].By != "p0" || sf.Actors["r-200"].By != "p200" {
		t.Errorf("%d actors are left, the first is %+v, the last %+v", len(sf.Actors), sf.Actors["r-000"], sf.Actors["r-200"])
	}
	for n, gone := range map[string]bool{"r-001": true, "r-137": true, "r-138": false} {
		if _, there := sf.Actors[n]; there == gone {
			t.Errorf("%s is there: %v", n, there)
		}
	}
	write(201, "/draft/name")
	if _, there := s.Surface("form:a").Actors["r-000"]; there {
		t.Error("an actor of whom nothing stands is kept")
	}
}
