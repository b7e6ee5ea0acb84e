package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
)

// recordCount is how many records a page of 50 is found in.
var recordCount = 1_000_000

var benchmarkLine = regexp.MustCompile(`^BenchmarkFindRecords/(.+?)(?:-\d+)?\s+\d+\s+([0-9.]+) ns/op`)

// finding runs the benchmarks of FindRecords in the stores. The slowest question counts.
func finding(int) []figure {
	out := []figure{pages("records_sqlite_ms", "sqlite")}
	if os.Getenv("LIMN_TEST_POSTGRES") != "" {
		out = append(out, pages("records_postgres_ms", "postgres"))
	}
	return out
}

func pages(name, driver string) figure {
	f := figure{Name: name, Unit: "ms", Must: 20, Others: map[string]float64{}}
	cmd := exec.Command("go", "test", "./internal/driver/"+driver, "-run", "^$", "-bench", "FindRecords",
		"-benchtime", "20x", "-timeout", "1h")
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), "LIMN_RECORDS="+strconv.Itoa(recordCount))
	text, err := cmd.CombinedOutput()
	for in := bufio.NewScanner(bytes.NewReader(text)); in.Scan(); {
		m := benchmarkLine.FindStringSubmatch(in.Text())
		if m == nil {
			continue
		}
		ns, err := strconv.ParseFloat(m[2], 64)
		must(err)
		f.Others[strings.ReplaceAll(m[1], "_", " ")] = ns / 1e6
		f.Value = max(f.Value, ns/1e6)
	}
	if err != nil || len(f.Others) == 0 {
		panic(fmt.Sprintf("%s: %v\n%s", driver, err, text))
	}
	return f
}
