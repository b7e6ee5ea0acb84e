package translate

import (
	"strings"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// pieces splits the text of a formatString into texts, bindings and calls.
func pieces(text string) ([]wire.Value, error) { return wire.ParseFormat(text, wire.FormatRules{}) }

// interpolated writes a value as the text of a formatString.
func interpolated(v wire.Value) (string, bool) {
	switch v := v.(type) {
	case wire.String:
		return strings.ReplaceAll(string(v), "${", `\${`), true
	case wire.Call:
		if body, ok := wire.Get(v.Args, "value").(wire.String); ok && v.Func == "formatString" {
			return string(body), true
		}
	}
	e, ok := written(v, 0)
	return "${" + e + "}", ok
}

// written writes a value as an expression that all clients read.
func written(v wire.Value, depth int) (string, bool) {
	switch v := v.(type) {
	case wire.Path:
		p := string(v)
		plain := p != "" && strings.Trim(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_/.-") == ""
		return p, plain && !(p[0] >= '0' && p[0] <= '9') && p[0] != '-' && p != "true" && p != "false" && p != "null"
	case wire.String:
		return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`, "\n", `\n`, "\t", `\t`, "\r", `\r`).Replace(string(v)) +
			"'", true
	case wire.Bool:
		if v {
			return "true", true
		}
		return "false", true
	case wire.Literal:
		digits := strings.Trim(v.Data.Str, "0123456789.") == ""
		return v.Data.Str, v.Data.Kind == jsonx.Number && digits
	case wire.Call:
		if depth > wire.MaxFormatDepth || v.Func == "" ||
			strings.Trim(v.Func, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@") != "" {
			return "", false
		}
		args := make([]string, len(v.Args))
		for i, a := range v.Args {
			e, ok := written(a.Value, depth+1)
			if _, path := a.Value.(wire.Path); path {
				e = "${" + e + "}"
			}
			if !ok {
				return "", false
			}
			args[i] = a.Name + ": " + e
		}
		return v.Func + "(" + strings.Join(args, ", ") + ")", true
	}
	return "", false
}
