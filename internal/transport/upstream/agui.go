package upstream

import (
	"cmp"
	"errors"
	"time"

	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// aguiBody is the question as the input of a run of AG-UI.
func aguiBody(q gateway.Question) []byte {
	said := jsonx.OfArray()
	add := func(id string, role ui.Role, text string) {
		said.Items = append(said.Items, jsonx.OfObject(member("id", jsonx.Of(id)),
			member("role", jsonx.Of(string(role))), member("content", jsonx.Of(text))))
	}
	for _, l := range q.Transcript {
		add(l.ID, l.Role, l.Text)
	}
	props := metadata(q)
	if q.Client != nil {
		props.Members = append(props.Members, member("a2uiAction", parsed(q.Client)))
	} else {
		add(cmp.Or(q.Line, q.Key), ui.RoleUser, q.Text)
	}
	return jsonx.Append(nil, jsonx.OfObject(member("threadId", jsonx.Of(q.Conversation)),
		member("runId", jsonx.Of(q.Key)), member("state", jsonx.OfObject()), member("messages", said),
		member("tools", jsonx.OfArray()), member("context", jsonx.OfArray()), member("forwardedProps", props)))
}

// agui reads one event of a run.
func (a *answer) agui(b []byte) error {
	v, err := parse(b)
	if err != nil {
		a.in.Take(b, time.Now()) // says why it does not count
		return nil
	}
	switch v.At("type").Text() {
	case "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_CHUNK":
		a.say(cmp.Or(v.At("messageId").Text(), a.message), v.At("delta").Text())
	case "ACTIVITY_SNAPSHOT":
		a.in.MayReplace()
		for _, one := range v.At("content").At("a2ui_operations").Items { // they create the surface again
			a.in.Take(jsonx.Append(nil, one), time.Now())
		}
	case "ACTIVITY_DELTA":
		a.in.Unread("a change of an activity (ACTIVITY_DELTA): send an ACTIVITY_SNAPSHOT")
	case "MESSAGES_SNAPSHOT": // of an agent that does not stream its words
		list := v.At("messages").Items
		if last := len(list) - 1; last >= 0 && !a.spoke && list[last].At("role").Text() == "assistant" {
			a.say(list[last].At("id").Text(), list[last].At("content").Text())
		}
	case "RUN_FINISHED":
		if a.ended = true; v.At("outcome").Text() == "interrupt" || v.At("outcome").At("type").Text() == "interrupt" {
			a.in.Unread("its run waits for the answer to an interrupt: ask by words or by a surface")
		}
	case "RUN_ERROR":
		return errors.Join(fault("the run failed"), reason(v.At("message").Text()))
	}
	return nil
}
