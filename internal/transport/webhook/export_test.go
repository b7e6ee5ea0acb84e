package webhook

import "net/url"

// CheckURL is what a URL must pass before anything is resolved.
func CheckURL(u *url.URL) error { return Allowed{}.checkURL(u) }
