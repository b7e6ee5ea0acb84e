package sqlstore_test

import (
	"errors"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/limn-ui/limn/internal/sqlstore"
)

func TestRunAppliesTheMissingStepsInOrder(t *testing.T) {
	t.Parallel()
	steps := sqlstore.Load(fstest.MapFS{"migrations/0002_b.sql": {Data: []byte("b")},
		"migrations/0001_a.sql": {Data: []byte("a")}, "migrations/0003_c.sql": {Data: []byte("c")},
		"migrations/notes.txt": {Data: []byte("no step")}})
	for version, want := range [][]string{{"a1", "b2", "c3"}, {"b2", "c3"}, {"c3"}, nil} {
		var got []string
		err := sqlstore.Run(steps, version, func(step string, next int) error {
			got = append(got, step+string(rune('0'+next)))
			return nil
		})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("from version %d: %v, %v, want %v", version, got, err, want)
		}
	}
}

func TestRunStopsAtAStepThatFails(t *testing.T) {
	t.Parallel()
	broken, applied := errors.New("syntax error"), 0
	err := sqlstore.Run([]string{"a", "b", "c"}, 0, func(step string, _ int) error {
		if applied++; step == "b" {
			return broken
		}
		return nil
	})
	if !errors.Is(err, broken) || err.Error() != "migrate to version 2: syntax error" || applied != 2 {
		t.Errorf("%v after %d steps", err, applied)
	}
}

func TestCheckRefusesANewerVersion(t *testing.T) {
	t.Parallel()
	newer := errors.New("too new")
	if err := sqlstore.Check(3, 3, newer); err != nil {
		t.Error(err)
	}
	if err := sqlstore.Check(4, 3, newer); !errors.Is(err, newer) {
		t.Error(err)
	}
}
