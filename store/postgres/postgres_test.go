package postgres

import (
	"flag"
	"os"
	"testing"

	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/pgtest"
	"github.com/limn-ui/limn/store/storetest"
)

func TestMain(m *testing.M) {
	flag.Parse()
	if testing.Short() {
		flag.Set("rapid.checks", "20") // each is some hundred round trips
	}
	os.Exit(m.Run())
}

func TestStore(t *testing.T) {
	t.Parallel()
	dsns := map[store.Store]string{}
	storetest.Run(t, func(t *testing.T) store.Store {
		dsn := pgtest.DSN(t)
		s := openTest(t, dsn)
		dsns[s] = dsn
		return s
	}, storetest.Reopen(func(t *testing.T, s store.Store) store.Store {
		if err := s.(*Store).Close(); err != nil {
			t.Fatal(err)
		}
		again := openTest(t, dsns[s])
		dsns[again] = dsns[s]
		return again
	}))
}

func openTest(t testing.TB, dsn string) *Store {
	t.Helper()
	s, err := Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}
