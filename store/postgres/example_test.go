package postgres_test

import (
	"context"
	"fmt"
	"log"

	"github.com/limn-ui/limn/store/postgres"
)

func ExampleOpen() {
	s, err := postgres.Open(context.Background(), "postgres://limn@db.example/limn?pool_max_conns=32")
	if err != nil {
		log.Fatal(err) // names the server and what to do, never the password
	}
	defer s.Close()
	fmt.Println("kept in", s)
}
