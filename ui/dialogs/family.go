package dialogs

import (
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/words"
)

// FamilyPreview says what a family's text means: its canonical form, and its values for people.
func FamilyPreview(text string) (family transform.Family, preview string, err error) {
	family, err = transform.Parse(strings.TrimSpace(text))
	if err != nil {
		return family, "", err
	}
	values := family.Values()
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = strconv.FormatFloat(v, 'g', 6, 64)
	}
	const most = 41
	if len(parts) > most {
		head, tail := parts[:most/2], parts[len(parts)-most/2:]
		parts = append(append(append([]string(nil), head...), "…"), tail...)
	}
	count, place, all := present.Counted(int64(family.N()), "value"), family.Identity()+1, strings.Join(parts, "  ")
	if unit := family.Unit(); unit != "" {
		preview = words.F("%s in %s, the identity is number %d: %s", count, unit, place, all)
	} else {
		preview = words.F("%s, the identity is number %d: %s", count, place, all)
	}
	return family, preview, nil
}

// familyPicker chooses a family: a menu of the usual ones and its text, checked while it is typed.
type familyPicker struct {
	entry   *widget.Entry
	preview *widget.Label
	object  fyne.CanvasObject
	changed func()
}

func newFamilyPicker(current string, changed func()) *familyPicker {
	p := &familyPicker{entry: widget.NewEntry(), preview: widget.NewLabel(""), changed: changed}
	p.preview.Wrapping = fyne.TextWrapWord
	menu := widget.NewSelect(transform.Names(), func(name string) {
		if text, ok := transform.Default(name); ok {
			if family, err := transform.Parse(text); err == nil {
				text = family.String()
			}
			p.entry.SetText(text)
		}
	})
	menu.PlaceHolder = words.T("Usual ones")
	p.entry.OnChanged = func(string) { p.check() }
	p.entry.SetPlaceHolder("rotation:-15:15:1;interpolation=bilinear;border=zero")
	p.entry.SetText(current)
	p.check()
	p.object = container.NewVBox(container.NewBorder(nil, nil, menu, nil, p.entry), p.preview)
	return p
}

// family is what is written, if it is well written.
func (p *familyPicker) family() (transform.Family, error) {
	family, _, err := FamilyPreview(p.entry.Text)
	return family, err
}

func (p *familyPicker) check() {
	_, preview, err := FamilyPreview(p.entry.Text)
	p.preview.Importance = widget.MediumImportance
	if err != nil {
		p.preview.Importance = widget.DangerImportance
		preview = sentence(err)
	}
	p.preview.SetText(preview)
	if p.changed != nil {
		p.changed()
	}
}
