package route

import "testing"

func TestItems(t *testing.T) {
	t.Parallel()
	for subject, want := range map[string]string{"": "items", "risk": "risks", "dependency": "dependencies",
		"process": "processes", "person": "people", "survey": "surveys", "branch": "branches"} {
		if got := (Decision{Subject: subject}).Items(); got != want {
			t.Errorf("Items of %q = %q, want %q", subject, got, want)
		}
	}
}
