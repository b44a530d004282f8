package compare

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/widget"
)

// chooser is a list of models that shrinks while one types.
type chooser struct {
	all, shown []model.Model
	search     *widget.Entry
	list       *fynewidget.List
	count      *fynewidget.Label
	chosen     func(hash string)
}

// filter are the models whose id, or a value of whose record, holds every word of the text.
func filter(all []model.Model, text string) []model.Model {
	words := strings.Fields(strings.ToLower(text))
	var shown []model.Model
	for _, m := range all {
		if !slices.ContainsFunc(words, func(word string) bool { return !holds(m, word) }) {
			shown = append(shown, m)
		}
	}
	return shown
}

func holds(m model.Model, word string) bool {
	return strings.Contains(strings.ToLower(m.ID), word) || slices.ContainsFunc(m.Record, func(f model.Field) bool {
		return strings.Contains(strings.ToLower(f.Value), word)
	})
}

func newChooser(all []model.Model, chosen func(hash string)) *chooser {
	c := &chooser{all: all, shown: all, search: widget.NewEntry(), count: fynewidget.NewLabel(""), chosen: chosen}
	c.search.SetPlaceHolder("id, or values of the record")
	c.search.OnChanged = c.filter
	c.search.OnSubmitted = func(string) {
		if len(c.shown) > 0 {
			c.chosen(c.shown[0].Hash)
		}
	}
	c.list = fynewidget.NewList(func() int { return len(c.shown) }, func() fyne.CanvasObject {
		l := fynewidget.NewLabel("")
		l.Truncation = fyne.TextTruncateEllipsis
		return l
	}, func(at fynewidget.ListItemID, o fyne.CanvasObject) {
		if at < len(c.shown) {
			o.(*fynewidget.Label).SetText(line(c.shown[at]))
		}
	})
	c.list.OnSelected = func(at fynewidget.ListItemID) {
		if at < len(c.shown) {
			c.chosen(c.shown[at].Hash)
		}
	}
	c.filter("")
	return c
}

// line is a model in the list: its id, architecture and augmentation.
func line(m model.Model) string {
	parts := []string{m.ID}
	for _, column := range []string{"architecture", "augmentation", "augmentation_range", "anomaly"} {
		if v := m.Value(column); v != "" && v != "none" {
			parts = append(parts, v)
		}
	}
	return strings.Join(parts, "   ")
}

func (c *chooser) filter(text string) {
	c.shown = filter(c.all, text)
	c.count.SetText(result.Counted(len(c.shown), "model"))
	c.list.Refresh()
}

// ask opens a dialog that chooses the model for a place; one behind the last adds a model.
func (p *Pane) ask(place int) {
	if place < 1 || place > Most-1 {
		return
	}
	from, without := p.store, append(slices.Clone(p.others), p.subject.Model.Hash)
	var models []model.Model
	p.Work.Quiet("list models", func(context.Context) (err error) {
		models, err = from.Models()
		models = slices.DeleteFunc(models, func(m model.Model) bool { return slices.Contains(without, m.Hash) })
		return err
	}, func(err error) {
		switch {
		case err != nil:
			p.Fail(err)
		case p.visible:
			p.choose(place, models)
		}
	})
}

func (p *Pane) choose(place int, models []model.Model) {
	title := "Add a model"
	if place <= len(p.others) {
		title = fmt.Sprintf("Model %d", place+1)
	}
	p.TakeBack() // has the keyboard again after the dialog
	d := p.NewDialog(title, fyne.NewSize(520, 420))
	c := newChooser(models, func(hash string) {
		d.Close()
		p.put(place-1, hash)
	})
	c.search.OnEscape = d.Close
	search := container.NewBorder(nil, nil, nil, c.count, c.search)
	d.Show(container.NewBorder(search, nil, nil, nil, c.list), d.CloseButton("Cancel"))
	d.Present(c.search)
}
