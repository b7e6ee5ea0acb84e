package execute

import (
	"strconv"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/ui"
)

// OfferName is the surface of an offer. There is one at a time.
const OfferName ui.Name = "offer"

// Offer is a question with a button for each answer, in a separate surface.
type Offer struct {
	Title   string
	Params  ui.Value // its subject; kept in the surface's origin
	Choices []Choice
}

// Choice is one answer.
type Choice struct {
	Name  string // what Chosen returns
	Label string
}

const choiceKey = "choice"

// Op opens the offer. The first choice is the primary one.
func (o Offer) Op(nonce string) *ui.Open {
	row := &ui.Row{Key: "buttons"}
	for i, c := range o.Choices {
		row.Children = append(row.Children, &ui.Button{Key: "b" + strconv.Itoa(i+1), Label: c.Label, Primary: i == 0,
			Action: ui.Action{Name: builtin.ActionOffer,
				Context: []ui.Context{{Key: choiceKey, Value: ui.String(c.Name)}}}})
	}
	return &ui.Open{Surface: OfferName, Nonce: nonce, Title: o.Title,
		Origin: ui.Origin{Kind: "offer", Template: "offer", Params: o.Params},
		Root:   ui.Nodes{&ui.Column{Key: "main", Children: ui.Nodes{row}}}}
}

// Chosen is the name of the choice in an action's context.
func Chosen(context ui.Value) string {
	v, _ := context.Get(choiceKey)
	return v.Text()
}
