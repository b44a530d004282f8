package graph

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
	"github.com/variscope/variscope/ui/words"
)

// askName asks for a name that no other ontology has.
func (p *Page) askName(title, accept, usual string, named func(name string)) {
	entry := fynewidget.NewEntry()
	entry.SetText(usual)
	own := p.view.Record.Name
	entry.Validator = func(text string) error {
		switch text = strings.TrimSpace(text); {
		case text == "":
			return words.E("give the ontology a name")
		case text != own && slices.Contains(p.view.Names, text):
			return words.E("another ontology is called %s; choose another name", text)
		}
		return nil
	}
	d := dialog.NewForm(title, accept, words.T("Cancel"), []*fynewidget.FormItem{fynewidget.NewFormItem(words.T("Name"), entry)}, func(yes bool) {
		if name := strings.TrimSpace(entry.Text); yes && entry.Validator(name) == nil {
			named(name)
		}
	}, p.deps.Host.Window)
	d.SetOnClosed(p.Focus)
	d.Resize(fyne.NewSize(460*widget.Grown(), 180*widget.Grown()))
	d.Show()
	p.deps.Host.Window.Canvas().Focus(entry)
}

// askRename asks for another name of the ontology.
func (p *Page) askRename() {
	if !p.view.Has {
		return
	}
	own := p.view.Record.Name
	p.askName(words.T("Rename ontology"), words.T("Rename"), own, func(name string) {
		if name != own {
			p.rename(name)
		}
	})
}

// askDuplicate asks for the name of a copy, which has the same edits.
func (p *Page) askDuplicate() {
	if !p.view.Has {
		return
	}
	r := p.view.Record
	p.askName(words.F("Duplicate ontology %s", r.Name), words.T("Duplicate"), p.free(r.Name), func(name string) {
		if slices.Contains(p.view.Names, name) {
			name = p.free(name)
		}
		r.Name = name
		p.add(r)
	})
}

// askRemove says what rests on the ontology and removes it when that is confirmed.
func (p *Page) askRemove() {
	if !p.view.Has {
		return
	}
	text := fynewidget.NewLabel(p.view.RemovalText())
	text.Wrapping = fyne.TextWrapWord
	var d *dialog.CustomDialog
	remove := fynewidget.NewButton(words.T("Remove"), func() {
		d.Hide()
		p.remove()
	})
	remove.Importance = fynewidget.DangerImportance
	d = dialog.NewCustomWithoutButtons(words.F("Remove ontology %s", p.view.Record.Name), text, p.deps.Host.Window)
	d.SetButtons([]fyne.CanvasObject{fynewidget.NewButton(words.T("Cancel"), d.Hide), remove})
	d.SetOnClosed(p.Focus)
	d.Resize(fyne.NewSize(520*widget.Grown(), 240*widget.Grown()))
	d.Show()
}

// RemovalText says what goes and what stays when the ontology is removed.
func (v *View) RemovalText() string {
	lines := []string{words.F("The thresholds of %s go, and %s by hand. The keyword table stays.", v.Record.Name, present.Counted(int64(len(v.Record.Edits)), "edit"))}
	if len(v.Selected) == 0 {
		lines = append(lines, words.T("No selection of scenes was chosen by it."))
	} else {
		var names []string
		for _, o := range v.Selected {
			names = append(names, o.name)
		}
		lines = append(lines, words.F("Selections that were chosen by it, or by one made in the same way, hold what they need and stay: %s.", few(names)))
	}
	return strings.Join(append(lines, words.T("Undo brings it back.")), "\n\n")
}
