// Package local reads the actions of buttons that run on the client.
//
// In: an action. Out: the address that it opens, or the text that it copies. Callers: app, compile and html.
package local

import (
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/ui"
)

// Address is the address that a local action opens; "" unless it is a link to the web.
func Address(a ui.Action) string {
	if address := literal(a, "url"); a.Do == builtin.DoOpen && ui.WebURL(address) {
		return address
	}
	return ""
}

// Text is the text that a local action copies, or "".
func Text(a ui.Action) string {
	if a.Do != builtin.DoCopy {
		return ""
	}
	return literal(a, "text")
}

func literal(a ui.Action, key string) string {
	for _, c := range a.Context {
		if c.Key == key && c.Path == "" {
			return c.Value.Text()
		}
	}
	return ""
}
