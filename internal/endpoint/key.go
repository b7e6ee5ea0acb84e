package endpoint

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
)

// maxKey bounds the file of a key; the longest known are JWTs of a few KiB.
const maxKey = 16 << 10

// key finds the key. Errors name the place, never its content.
func (c Config) key() (string, error) {
	given := 0
	for _, s := range []string{c.Key, c.KeyEnv, c.KeyFile} {
		if s != "" {
			given++
		}
	}
	if given > 1 {
		return "", bad("key", "the key is given twice", "give one of the key, its environment variable and its file")
	}
	key := c.Key
	switch {
	case c.KeyEnv != "":
		if key = strings.TrimSpace(os.Getenv(c.KeyEnv)); key == "" {
			return "", bad("key_env", "the environment variable "+c.KeyEnv+" holds no key", "set it")
		}
	case c.KeyFile != "":
		var err error
		if key, err = readKey(c.KeyFile); err != nil {
			return "", err
		}
	}
	if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return "", bad("key", "the key holds characters that no header can carry", "check for a line break at its end")
	}
	return key, nil
}

func readKey(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		if p, ok := errors.AsType[*fs.PathError](err); ok {
			err = p.Err
		}
		return "", bad("key_file", "the key's file "+file+" cannot be read: "+err.Error(),
			"check the path and who may read it")
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxKey+1))
	switch {
	case err != nil:
		return "", bad("key_file", "the key's file "+file+" cannot be read", "")
	case len(b) > maxKey:
		return "", bad("key_file", "the key's file "+file+" is too large to be a key",
			"put nothing but the key into it")
	}
	key := strings.TrimSpace(string(b))
	if key == "" {
		return "", bad("key_file", "the key's file "+file+" is empty", "put the key into it")
	}
	return key, nil
}
