package execute

import (
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/ui"
)

// typed gives the context of an app's action the types the app declares for
// its keys; undeclared entries stay as drafted. The error names the
// first key whose value does not fit.
func Typed(a app.Action, ctx ui.Value, w ui.Words) (ui.Value, *ui.FieldError) {
	for _, k := range a.Context {
		v, sent := ctx.Get(k.Key)
		if !sent {
			continue
		}
		f := ui.Field{Name: k.Key, Type: k.Type}
		if k.Type == ui.TypeChoice || k.Type == ui.TypeChoices { // the options are the input's business
			continue
		}
		converted, bad := f.Check(f.Draft(v), k.Key, w)
		if bad != nil {
			bad.Path = ui.PathOf(ui.DraftRoot, k.Key)
			return ui.Value{}, bad
		}
		ctx, _ = ctx.With(converted, k.Key)
	}
	return ctx, nil
}
