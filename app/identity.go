package app

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"

	"github.com/limn-ui/limn/ui"
)

// identify computes the versions: a hash of each declaration as JSON. What
// only reads messages (phrases, nouns) is left out, so that a new phrase draws
// nothing again; code (a handler, a view's Build) cannot be hashed, so a view
// states its own version.
func identify(a *App) error {
	all := sha256.New()
	for _, f := range a.cfg.Forms {
		f.Phrases = nil
		if err := version(a, all, "form", f.Name, f); err != nil {
			return err
		}
	}
	for _, t := range a.cfg.Tables {
		t.Nouns = nil
		if err := version(a, all, "table", t.Name, t); err != nil {
			return err
		}
	}
	for _, m := range a.cfg.Maps {
		if err := version(a, all, "map", m.Name, m); err != nil {
			return err
		}
	}
	for _, v := range a.cfg.Views {
		decl := struct {
			Title, Version string
			Nodes          ui.Nodes
			Binds          []Bind `json:",omitempty"`
		}{v.Title, v.Version, v.Nodes, v.Binds}
		if err := version(a, all, "view", v.Name, decl); err != nil {
			return err
		}
	}
	rest, err := json.Marshal([]any{a.cfg.Name, a.cfg.Title, a.cfg.Words, a.cfg.Limits, a.cfg.Languages,
		a.cfg.Translations})
	if err != nil {
		return fmt.Errorf("hash words and limits: %w", err)
	}
	all.Write(rest)
	a.print = hex.EncodeToString(all.Sum(nil)[:8])
	return nil
}

func version(a *App, all hash.Hash, kind, name string, decl any) error {
	b, err := json.Marshal(decl)
	if err != nil {
		return fmt.Errorf("hash %s %s: %w", kind, name, err)
	}
	key := kind + ":" + name
	sum := sha256.Sum256(b)
	a.versions[key] = hex.EncodeToString(sum[:8])
	all.Write([]byte(key + "\x00"))
	all.Write(sum[:])
	return nil
}
