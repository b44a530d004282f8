package graph

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

// nameProblem is what is wrong with a name, nil for one that an ontology can have; own is the one
// that it has.
func (v *View) nameProblem(name, own string) error {
	switch {
	case name == "":
		return errors.New("give the ontology a name")
	case name != own && slices.Contains(v.Names, name):
		return fmt.Errorf("another ontology is called %s; choose another name", name)
	}
	return nil
}

// naming is a name that is asked for.
type naming struct {
	Name string `help:"What the ontology is called."`
}

// askName asks for a name that no other ontology has; own is the one that it may keep.
func (p *Page) askName(title, button, usual, own string, named func(name string)) {
	ask := &kit.Ask[naming]{
		Title: title, Button: button, Size: fyne.NewSize(500*widget.Grown(),
			190*widget.Grown()), Form: &kit.Form[naming]{Host: p.Host},
		Start: func(f *kit.Form[naming]) {
			if err := f.Put("name", usual); err != nil {
				p.Fail(err)
			}
		},
		Line: func(n naming) kit.Work[string] {
			wrong := p.view.nameProblem(strings.TrimSpace(n.Name), own)
			return func(context.Context, engine.Progress) (string, error) { return "", wrong }
		},
		Do: func(d *kit.Dialog, n naming) {
			// Line may not have said so yet
			if name := strings.TrimSpace(n.Name); p.view.nameProblem(name, own) == nil {
				d.Close()
				named(name)
			}
		},
	}
	ask.Open()
}

// askRename asks for another name of the ontology.
func (p *Page) askRename() {
	own := p.view.Record.Name
	p.askName("Rename ontology", "Rename", own, own, func(name string) {
		if name != own {
			p.rename(name)
		}
	})
}

// askDuplicate asks for the name of a copy, which has the same edits.
func (p *Page) askDuplicate() {
	r := p.view.Record
	p.askName(fmt.Sprintf("Duplicate ontology %s", r.Name), "Duplicate", p.free(r.Name), "", func(name string) {
		r.Name = name
		p.add(r)
	})
}

// askRemove says what rests on the ontology and removes it when that is confirmed.
func (p *Page) askRemove() {
	p.Confirm(fmt.Sprintf("Remove ontology %s", p.view.Record.Name), p.view.RemovalText(), "Remove",
		fynewidget.DangerImportance, p.remove)
}

// RemovalText says what goes and what stays when the ontology is removed.
func (v *View) RemovalText() string {
	lines := []string{fmt.Sprintf("The thresholds of %s go, and %s by hand. The keyword table stays.", v.Record.Name,
		result.Counted(len(v.Record.Edits), "edit"))}
	if len(v.Selected) == 0 {
		lines = append(lines, "No selection of scenes was chosen by it.")
	} else {
		var names []string
		for _, o := range v.Selected {
			names = append(names, o.name)
		}
		lines = append(lines,
			fmt.Sprintf("Selections that were chosen by it, or by one made in the same way, hold what they "+
				"need and stay: %s.", result.Some(names)))
	}
	return strings.Join(append(lines, "Undo brings it back."), "\n\n")
}
