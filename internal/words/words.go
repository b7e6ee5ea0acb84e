// Package words holds the texts that Limn shows to people: one file a language, en.txt
// first. A line is a key, " = " and the text, in which \n is a line break; a line that
// begins with # is for translators. Every file has the keys of en.txt, and in each text
// the names in braces of the English one.
//
// In: the tag of a language. Out: its texts, read once. Package ui shows them.
package words

import (
	"embed"
	"strings"
	"sync"
)

//go:embed *.txt
var files embed.FS

// English is the language of the texts that another language lacks.
const English = "en"

// Languages are the languages with a file, English first.
var Languages = []string{English, "de", "fr", "es", "pt", "ja"}

var texts = func() map[string]func() map[string]string {
	all := map[string]func() map[string]string{}
	for _, lang := range Languages {
		all[lang] = sync.OnceValue(func() map[string]string { return read(lang) })
	}
	return all
}()

// In returns the texts of a language by key, nil if there are none. The caller must not
// change them.
func In(lang string) map[string]string {
	if read, ok := texts[lang]; ok {
		return read()
	}
	return nil
}

// read reads a file. A test reads all of them.
func read(lang string) map[string]string {
	data, err := files.ReadFile(lang + ".txt")
	if err != nil {
		panic(err)
	}
	out := map[string]string{}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\n")
		if key, text, ok := strings.Cut(line, " = "); ok && !strings.HasPrefix(line, "#") {
			out[key] = strings.ReplaceAll(text, `\n`, "\n")
		}
	}
	return out
}
