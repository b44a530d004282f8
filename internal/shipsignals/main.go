// Shipsignals writes the signals that come with the demo, assets/scenes/signals, from a workspace
// that variscope demo and variscope dscore have filled. It is run after the demo's models, images
// or family have changed, and after the engine computes other numbers, on a processor that most
// users have; the repository keeps every version of what it writes:
//
//	go run ./internal/shipsignals --workspace demo.variscope --out assets/scenes/signals
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/demo"
	"github.com/variscope/variscope/store/durable"
)

func main() {
	path := flag.String("workspace", "", "folder of the demo's workspace")
	out := flag.String("out", "", "folder to write, a file per model")
	flag.Parse()
	if err := run(context.Background(), *path, *out); err != nil {
		fmt.Fprintln(os.Stderr, "shipsignals:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, path, out string) error {
	ws, err := store.Read(ctx, path)
	if err != nil {
		return err
	}
	defer func() { _ = ws.Close() }() // read only: nothing is lost
	models, err := ws.Models()
	if err != nil {
		return err
	}
	for _, m := range models {
		sets, err := demo.ToShip(ws, m)
		if err != nil {
			return err
		}
		err = durable.WriteFile(filepath.Join(out, m.ID), func(w io.Writer) error {
			return demo.WriteShipped(ctx, ws, m, sets, w)
		})
		if err != nil {
			return err
		}
		fmt.Printf("%s: %d sets\n", m.ID, len(sets))
	}
	return nil
}
