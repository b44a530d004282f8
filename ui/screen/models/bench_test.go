package models

import (
	"context"
	"fmt"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/screen/sample"
	"github.com/variscope/variscope/ui/stage"
)

// thousand are rows of a workspace of a thousand models with records of 15 fields.
func thousand() []Row {
	rows := make([]Row, 1000)
	for i := range rows {
		fields := []string{"architecture", []string{"VGG4", "VGG4-BN", "CNN5"}[i%3], "optimizer", "Adam", "epochs", fmt.Sprint(i % 30)}
		for k := range 12 {
			fields = append(fields, fmt.Sprintf("field_%d", k), fmt.Sprint(i*7919%1000+k))
		}
		rows[i] = row(fmt.Sprintf("s%d", i), fields...)
		rows[i].Accuracy = float64(i*7919%1000) / 1000
	}
	return rows
}

// BenchmarkOpenAndList1000 opens a workspace of a thousand models with signals and reads its list, as the window does
// before it shows the first row. The colour ranges and the pictures come afterwards, in the background.
func BenchmarkOpenAndList1000(b *testing.B) {
	w := sample.New(b, 1000)
	path := w.Path()
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		ws, err := store.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		l, err := load(context.Background(), ws, nil, nil)
		if err != nil || len(l.rows) != 1000 {
			b.Fatal(len(l.rows), err)
		}
		v := NewView()
		v.SetRows(l.rows)
		if err := ws.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkScales1000 derives the shared colour ranges of a thousand models, in the background after the list is shown.
func BenchmarkScales1000(b *testing.B) {
	w := sample.New(b, 1000)
	l, err := load(context.Background(), w.Workspace, nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := derive(context.Background(), w.Workspace, l.rows, ""); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFilter1000 is what a key in the filter costs: reading the filter, a thousand rows, the order.
func BenchmarkFilter1000(b *testing.B) {
	v := NewView()
	v.SetRows(thousand())
	v.SortBy("field_3")
	for b.Loop() {
		v.SetFilter(`vgg epochs>3 -leak optimizer="Adam" accuracy<0.9`)
	}
}

// scrolled is a screen of a thousand models on a stage.
func scrolled(b *testing.B, gallery bool) *Screen {
	st := stage.New(b)
	window := st.Window(widget.NewLabel(""), fyne.NewSize(1190, 650))
	work := background.New(st.Post)
	ws := sample.New(b, 1)
	s := New(Deps{Store: ws.Workspace, Work: work, Window: window})
	s.looks.Gallery = gallery
	window.SetContent(s.Object())
	s.view.SetRows(thousand())
	s.apply()
	b.Cleanup(func() {
		s.Close()
		work.Stop()
		work.Wait()
		st.Pump()
	})
	return s
}

// BenchmarkTypeInFilter1000 is a key in the filter entry with everything that it changes on the screen.
func BenchmarkTypeInFilter1000(b *testing.B) {
	s := scrolled(b, false)
	texts := []string{"v", "vg", "vgg", "vgg e", "vgg epochs>1", "vgg epochs>10"}
	i := 0
	for b.Loop() {
		s.filter.SetText(texts[i%len(texts)])
		i++
	}
}

// BenchmarkScrollTable1000 moves the table by one page of its rows; BenchmarkScrollGallery1000 the gallery.
func BenchmarkScrollTable1000(b *testing.B) {
	s := scrolled(b, false)
	at := 0
	for b.Loop() {
		at = (at + 10) % 1000
		s.table.showRow(at)
	}
}

func BenchmarkScrollGallery1000(b *testing.B) {
	s := scrolled(b, true)
	at := 0
	for b.Loop() {
		at = (at + 24) % 1000
		s.gallery.ScrollTo(at)
	}
}
