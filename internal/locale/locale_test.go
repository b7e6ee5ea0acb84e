package locale

import "testing"

func TestPrefer(t *testing.T) {
	t.Parallel()
	offered := []string{"en", "de", "fr", "pt", "ja"}
	for header, want := range map[string]string{
		"": "en", "*": "en", "de": "de", "de-AT,en;q=0.5": "de", "en-US,de": "en", "ru, fr;q=0.3": "fr", "ru": "en",
		"pt-BR": "pt", "ja-JP,ja;q=0.9": "ja", "da;q=0.8, fr;q=0.7": "fr", "???": "en", "de;q=0, fr": "fr",
	} {
		if got := Prefer(header, offered); got != want {
			t.Errorf("%q: %s, want %s", header, got, want)
		}
	}
	if got := Prefer("en", []string{"ar"}); got != "ar" {
		t.Errorf("the only language: %s", got)
	}
}

func TestDirection(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string]string{"": "ltr", "en": "ltr", "ar": "rtl", "he": "rtl", "fa-IR": "rtl",
		"ja": "ltr", "az": "ltr", "az-Arab": "rtl", "nonsense!": "ltr"} {
		if got := Direction(lang); got != want {
			t.Errorf("%q: %s, want %s", lang, got, want)
		}
	}
}
