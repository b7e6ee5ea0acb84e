package catalog

// Match reports whether a slash-separated path fits a pattern of LoadExamples.
func Match(pattern, name string) (bool, error) {
	patterns, err := expand(pattern)
	return err == nil && matchAny(patterns, name), err
}
