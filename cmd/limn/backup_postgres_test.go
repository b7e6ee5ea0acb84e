package main

import (
	"bytes"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/pgtest"
	"github.com/limn-ui/limn/store/sqlite"
)

// A backup of SQLite is restored into PostgreSQL, and one of that into SQLite: all
// is as it was, and no line repeats the password.
func TestBackupAcrossStores(t *testing.T) {
	t.Parallel()
	u, err := url.Parse(pgtest.DSN(t))
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword(u.User.Username(), "hunter2") // servers that trust us do not look
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	s, err := sqlite.Open(at("one.db"))
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"c1", "c2", "ü"} {
		if err := fillStore(s, id); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	for _, args := range [][]string{
		{"backup", "--store", "sqlite:" + at("one.db"), at("one.backup")},
		{"restore", at("one.backup"), "--store", u.String()},
		{"restore", at("one.backup"), "--store", u.String(), "--add"}, // all of it is there
		{"backup", "--store", u.String(), at("two.backup")},
		{"restore", at("two.backup"), "--store", "sqlite:" + at("two.db")},
	} {
		if code := run(t.Context(), args, quiet(&out)); code != exitOK {
			t.Fatalf("limn %s: %d\n%s", args[0], code, &out)
		}
	}
	if code := run(t.Context(), []string{"restore", at("two.backup"), "--store", u.String()}, quiet(&out)); code == exitOK {
		t.Error("restored over what is there")
	}
	if strings.Contains(out.String(), "hunter2") {
		t.Errorf("it repeats the password:\n%s", &out)
	}
	if err := sameStores(at("one.db"), at("two.db")); err != nil {
		t.Error(err)
	}
}
