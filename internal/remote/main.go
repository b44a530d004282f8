// Remote measures what it costs to compute a run on other machines, with real processes on this
// one, and works out what that means for runs of the paper's size. It is a tool for docs/scale.md:
//
//	go run ./internal/remote -program build/variscope -shape 28x28x1 -images 4096 -rounds 5 \
//		-workers 2 MODEL.onnx...
//
// measures, in turns, a run of this computer alone and the same run on workers with one core each.
// Its images are noise: how long an inference takes does not depend on what it sees. Without models
// it prints the tables of docs/scale.md.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
)

func main() {
	var t experiment
	workers := "2"
	flag.StringVar(&t.program, "program", "build/variscope", "the program to measure")
	flag.StringVar(&t.shape, "shape", "28x28x1", "images of the suite: 28x28x1 or 32x32x3")
	flag.IntVar(&t.images, "images", 4096, "images of the suite")
	flag.StringVar(&t.family, "family", "rotation:-15:15:1", "family of transformations")
	flag.IntVar(&t.rounds, "rounds", 5, "how often everything is measured, in turns")
	flag.IntVar(&t.cores, "cores", 2, "cores of the run of this computer alone; 0 for no such run")
	flag.StringVar(&workers, "workers", workers, "numbers of workers with one core each, such as 1,2,4")
	flag.Parse()
	t.models = flag.Args()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, t, workers); err != nil {
		fmt.Fprintln(os.Stderr, "remote:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, t experiment, workers string) error {
	if len(t.models) == 0 {
		fmt.Println(strings.Join(tables(), "\n"))
		return nil
	}
	if t.rounds < 1 {
		return fmt.Errorf("-rounds takes a number from 1, and not %d", t.rounds)
	}
	for text := range strings.SplitSeq(workers, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return fmt.Errorf("-workers takes numbers of workers from 1, such as 1,2,4, and not %q", text)
		}
		t.workers = append(t.workers, n)
	}
	return t.measure(ctx, os.Stdout)
}
