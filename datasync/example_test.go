package datasync_test

import (
	"fmt"
	"time"

	"github.com/limn-ui/limn/datasync"
)

// A person and an agent write at the same time, and both come to hold the same.
func Example() {
	person, _ := datasync.Open(datasync.Options{Surface: "form", Actor: "r-ann", Role: datasync.Renderer})
	agent, _ := datasync.Open(datasync.Options{Surface: "form", Actor: "a-1"})
	now := time.Date(2026, 1, 12, 16, 0, 0, 0, time.UTC)

	_ = person.Edit(datasync.Update{Path: "/name", Value: `"Ann"`}) // typed, not sent yet
	_ = agent.Edit(datasync.Update{Path: "/name", Value: `"Anna"`})
	_ = agent.Edit(datasync.Update{Path: "/city", Value: `"Bern"`})
	fromAgent, _ := agent.Flush(now, nil)
	_, _ = person.Receive(fromAgent, now)
	fmt.Printf("the person sees %s\n", person.View().JSON())

	fromPerson, _ := person.Flush(now, nil)
	_, _ = agent.Receive(fromPerson, now)
	fmt.Printf("the agent has %s\n", agent.View().JSON())
	// Output:
	// the person sees {"city":"Bern","name":"Ann"}
	// the agent has {"city":"Bern","name":"Ann"}
}
