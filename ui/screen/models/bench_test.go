package models

import (
	"context"
	"testing"

	"github.com/variscope/variscope/engine/inventory"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/store"
)

// BenchmarkOpenAndList1000 opens a workspace of a thousand models with signals and reads its list,
// as the window does before it shows the first row. The colour ranges and the pictures come
// afterwards, in the background.
func BenchmarkOpenAndList1000(b *testing.B) {
	w := sample.New(b, 1000)
	path := w.Path()
	testdata.OK(b, w.Close())
	for b.Loop() {
		ws := testdata.Must(store.Open(path))(b)
		l, err := load(context.Background(), ws, nil, nil)
		if err != nil || len(l.rows) != 1000 {
			b.Fatal(len(l.rows), err)
		}
		inventory.Models.Sheet(l.rows)
		testdata.OK(b, ws.Close())
	}
}

// BenchmarkScales1000 derives the shared colour ranges of a thousand models, in the background
// after the list is shown.
func BenchmarkScales1000(b *testing.B) {
	w := sample.New(b, 1000)
	l := testdata.Must(load(context.Background(), w.Workspace, nil, nil))(b)
	for b.Loop() {
		testdata.Must(derive(context.Background(), w.Workspace, l.rows, ""))(b)
	}
}
