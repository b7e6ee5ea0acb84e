// Command dashboard shows figures that change while people look at them. Open
// http://localhost:8080 and write "Show the dashboard".
//
// The view is in app.yaml. This program publishes to its topic once a second; the orders
// below come from the form and need no code.
package main

import (
	"context"
	_ "embed"
	"log"
	"math/rand/v2"
	"time"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/app"
)

//go:embed app.yaml
var declaration []byte

func server() (*limn.Server, error) {
	a, err := app.Load("app.yaml", declaration)
	if err != nil {
		return nil, err
	}
	return limn.New(limn.Config{App: a})
}

// minute is a point of the chart, page a row of the list.
type (
	minute struct {
		At       string `json:"at"`
		Visitors int    `json:"visitors"`
	}
	page struct {
		Page     string `json:"page"`
		Visitors int    `json:"visitors"`
	}
)

// figures are the value of the topic.
type figures struct {
	Visitors int      `json:"visitors"`
	Orders   int      `json:"orders"`
	Minutes  []minute `json:"minutes"`
	Pages    []page   `json:"pages"`
}

// next are the figures after some more visitors at a time.
func (f figures) next(at time.Time, visitors int) figures {
	f.Visitors += visitors
	f.Orders = f.Visitors / 20
	f.Minutes = append(f.Minutes[max(0, len(f.Minutes)-19):], minute{at.Format("15:04:05"), visitors})
	f.Pages = []page{{"/", f.Visitors / 2}, {"/prices", f.Visitors / 3}, {"/docs", f.Visitors / 6}}
	return f
}

// follow publishes new figures until ctx ends.
func follow(ctx context.Context, live app.Live) {
	var f figures
	for tick := time.NewTicker(time.Second); ; {
		select {
		case <-ctx.Done():
			return
		case at := <-tick.C:
			f = f.next(at, rand.N(40))
			if err := live.Publish(ctx, "sales", f); err != nil {
				log.Print("publish: ", err)
			}
		}
	}
}

func main() {
	srv, err := server()
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	go follow(ctx, srv.Live()) // ends with the process
	log.Fatal(srv.Run(ctx, "localhost:8080"))
}
