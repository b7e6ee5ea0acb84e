package decidecmd

import (
	"strings"

	"github.com/limn-ui/limn/internal/eval"
	"github.com/limn-ui/limn/ui"
)

// maxColumns bounds --columns.
const maxColumns = 100

// parseColumns reads the columns of a table: "name:text!,role,level:enum(High|Low)".
// A column is a name, then ":" and its type unless that is text, then "!" if it
// has to be filled in. Errors have a code of package eval.
func parseColumns(text string) ([]ui.Field, *ui.Error) {
	var columns []eval.Column
	for rest := text; rest != "" || columns == nil; {
		end, depth := 0, 0
		for ; end < len(rest) && (depth > 0 || rest[end] != ','); end++ {
			switch rest[end] {
			case '(':
				depth++
			case ')':
				depth = max(0, depth-1)
			}
		}
		if depth > 0 {
			return nil, &ui.Error{Code: eval.CodeColumn, Path: strings.TrimSpace(rest),
				Message: "a bracket is not closed", Hint: "enum(High|Medium|Low)"}
		}
		if len(columns) == maxColumns {
			return nil, &ui.Error{Code: eval.CodeColumn, Message: "a table has at most 100 columns"}
		}
		columns = append(columns, parseColumn(rest[:end]))
		rest = strings.TrimPrefix(rest[end:], ",")
	}
	return eval.Fields(columns)
}

func parseColumn(text string) eval.Column {
	text, required := strings.CutSuffix(strings.TrimSpace(text), "!")
	name, kind, _ := strings.Cut(text, ":")
	c := eval.Column{Name: strings.TrimSpace(name), Type: "text", Required: required}
	kind, options, _ := strings.Cut(strings.TrimSpace(kind), "(")
	if kind = strings.TrimSpace(kind); kind != "" {
		c.Type = kind
	}
	if options, listed := strings.CutSuffix(options, ")"); listed {
		for o := range strings.SplitSeq(options, "|") {
			if o = strings.TrimSpace(o); o != "" {
				c.Options = append(c.Options, o)
			}
		}
	}
	return c
}
