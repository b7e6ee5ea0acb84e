package route

import (
	"github.com/limn-ui/limn/internal/intent"
	"github.com/limn-ui/limn/internal/prose"
)

// The natural logarithms that a rule adds to the odds of its class. They were
// chosen on lines that the weights had not learned from; the exact numbers matter
// little.
const (
	trustWords = 0.95  // a count or a sequence in words
	trustNoun  = 1.9   // a count of things that lists are made of
	trustForm  = 2.5   // a form that few other messages have
	trustAsk   = 2.9   // a process by its name
	trustSure  = 100.0 // a tool by its name, arrows, rows of a table

	trustChat = 0.4 // always for chat: an unwanted tool is worse than one to ask for
)

// learnedTable is the rule of a table that no other rule has found.
const learnedTable = "learned.table"

// weigh decides by the odds of package intent together with the finding of the rules: c,
// or chat if c is nil. It returns nil for chat.
func (r *reading) weigh(c *candidate, allowed tools) *candidate {
	odds := intent.Score(r.message)
	odds[intent.Chat] += trustChat
	found, trust := intent.Chat, trustWords
	switch {
	case c != nil:
		found, trust = c.class(), c.trust
	case r.noted.asked:
		trust = trustSure
	case r.shape != "":
		trust = trustForm
	}
	odds[found] += trust
	best := intent.Chat
	for class, o := range odds {
		if o > odds[best] && (class != int(intent.Clarify) || found == intent.Clarify) {
			best = intent.Class(class)
		}
	}
	if best == found || c != nil && (allowed != both || best >= intent.Map && c.tool == r.preferred) {
		return c
	}
	if r.block.Kind == prose.Records { // their marks and names are no words
		return nil
	}
	out := candidate{rule: learnedTable, confidence: thresholdTool, tool: table, noun: -1}
	switch best {
	case intent.Chat:
		return nil
	case intent.Map:
		out.rule, out.tool = "learned.map", processMap
	}
	r.fill(&out)
	return &out
}

// class is the class of the candidate's rule.
func (c *candidate) class() intent.Class {
	switch {
	case c.confidence < thresholdTool:
		return intent.Clarify
	case c.tool == processMap:
		return intent.Map
	}
	return intent.Table
}
