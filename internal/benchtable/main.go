// Benchtable prints the output of go test -bench as one table, grouped by package: how often each
// benchmark ran, the time, bytes and allocations of one operation in units for people, and how many
// times as fast it is as its baseline, which is the sub-benchmark "plain" beside it. Benchmarks
// that ran several times (-count) show their medians.
//
//	go run ./internal/benchtable bench.txt
//
// It exits 1 when the output holds a failure or no benchmark.
package main

import (
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "benchtable: %v\n", err)
		os.Exit(1)
	}
}

// run reads the files, or in where there are none, and writes their table.
func run(paths []string, in io.Reader, out io.Writer) error {
	var all output
	if len(paths) == 0 {
		if err := all.read(in); err != nil {
			return fmt.Errorf("read the output of go test: %w", err)
		}
	}
	for _, path := range paths {
		if err := all.readFile(path); err != nil {
			return err
		}
	}
	if len(all.results) > 0 {
		if err := all.write(out); err != nil {
			return err
		}
	}
	switch {
	case len(all.failures) > 0:
		return fmt.Errorf("%d packages failed, the first says %q", len(all.failures), all.failures[0])
	case len(all.results) == 0:
		return fmt.Errorf("there is no benchmark in the output; run go test -bench . -benchmem")
	}
	return nil
}

func (o *output) readFile(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := o.read(file); err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	return nil
}
