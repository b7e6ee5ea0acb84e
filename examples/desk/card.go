package desk

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/ui"
)

// ReadUpload returns the bytes of an upload of a conversation.
type ReadUpload func(ctx context.Context, conversation, upload string) ([]byte, error)

// Cards makes the form "character" look into the uploaded file before anything
// is saved: another file is an error at the field.
func Cards(read ReadUpload) Option {
	return func(cfg *app.Config) {
		cfg.Actions = append(slices.Clone(cfg.Actions), app.Action{
			Name: "check_card", Idempotent: true, Handler: func(ctx context.Context, c app.Call) (app.Result, error) {
				upload, _ := c.Values.Get("card")
				body, err := read(ctx, c.Conversation, upload.Text())
				if err != nil {
					return app.Result{}, fmt.Errorf("read the card: %w", err)
				}
				name, problem := cardName(body)
				if problem != "" {
					return app.Result{Errors: []ui.FieldError{
						{Path: ui.PathOf(ui.DraftRoot, "card"), Code: ui.CodeFieldPattern, Text: problem}}}, nil
				}
				return app.Result{Text: fmt.Sprintf("%s is saved.", name)}, nil
			}})
		cfg.Forms = slices.Clone(cfg.Forms)
		for i := range cfg.Forms {
			if cfg.Forms[i].Name == "character" {
				cfg.Forms[i].OnSubmit = "check_card"
			}
		}
	}
}

// maxCard bounds a card, in bytes; cards are a few kilobytes of text.
const maxCard = 1 << 20

// cardName reads the name out of a Character Card: version 1 has it at the top,
// versions 2 and 3 under data, beside a spec member. Otherwise it describes the
// problem, for the user.
func cardName(body []byte) (name, problem string) {
	if len(body) > maxCard {
		return "", "The file is too large for a Character Card (at most 1 MB)."
	}
	var card struct {
		Spec string `json:"spec"`
		Name string `json:"name"`
		Data struct {
			Name string `json:"name"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &card); err != nil {
		return "", "The file is not a Character Card: it is no JSON object with a name."
	}
	switch card.Spec {
	case "":
		name = card.Name
	case "chara_card_v2", "chara_card_v3":
		name = card.Data.Name
	default:
		return "", "The file is not a Character Card of version 1, 2 or 3."
	}
	if name = strings.Join(strings.Fields(name), " "); name == "" || len(name) > 200 {
		return "", "The Character Card has no name of at most 200 bytes."
	}
	return name, ""
}
