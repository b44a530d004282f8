package dialogs

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/transform"
)

// SetPreview is FamilyPreview for texts that may also name a transformation set.
func SetPreview(text string) (family transform.Family, preview string, err error) {
	family, err = transform.ParseAny(strings.TrimSpace(text))
	if err != nil {
		return family, "", err
	}
	if !family.IsSet() {
		return FamilyPreview(text)
	}
	if _, masked := family.Masked(); masked {
		return family, fmt.Sprintf("A transformation set: predictions and accuracies while regions of the model's feature maps are deleted; "+
			"the images stay as they are. It holds %s.", setMembers(family)), nil
	}
	return family, fmt.Sprintf("A transformation set: predictions, accuracies and effective invariance, no variance matrix. It holds %s.",
		setMembers(family)), nil
}

// setMembers names the transformations of a set; of very many the first ones and the last.
func setMembers(family transform.Family) string {
	const most = 6
	parts := make([]string, family.N())
	for i := range parts {
		parts[i] = family.Describe(i)
	}
	if len(parts) > most {
		parts = append(append(parts[:3:3], "…"), parts[len(parts)-1])
	}
	return strings.Join(parts, ", ")
}

// FamilyPreview says what a family's text means: its canonical form, and its values for people.
func FamilyPreview(text string) (family transform.Family, preview string, err error) {
	family, err = transform.Parse(strings.TrimSpace(text))
	if err != nil {
		return family, "", err
	}
	values := family.Values()
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = result.Digits(v, 6)
	}
	const most = 41
	if len(parts) > most {
		head, tail := parts[:most/2], parts[len(parts)-most/2:]
		parts = append(append(append([]string(nil), head...), "…"), tail...)
	}
	count, place, all := result.Counted(family.N(), "value"), family.Identity()+1, strings.Join(parts, "  ")
	if unit := family.Unit(); unit != "" {
		preview = fmt.Sprintf("%s in %s, the identity is number %d: %s", count, unit, place, all)
	} else {
		preview = fmt.Sprintf("%s, the identity is number %d: %s", count, place, all)
	}
	return family, preview, nil
}

// familyPicker chooses a family: a menu of the usual ones and its text, checked while it is typed.
type familyPicker struct {
	entry   *widget.Entry
	menu    *widget.Select
	preview *widget.Label
	object  fyne.CanvasObject
	read    func(text string) (family transform.Family, preview string, err error)
	changed func()
	quiet   bool // whoever holds the picker says what is wrong with the text
}

// newFamilyPicker chooses families, and transformation sets where these are allowed.
func newFamilyPicker(current string, sets bool, changed func()) *familyPicker {
	p := &familyPicker{entry: widget.NewEntry(), preview: widget.NewLabel(""), read: FamilyPreview, changed: changed}
	p.preview.Wrapping = fyne.TextWrapWord
	names := transform.Names()
	if sets {
		names, p.read = append(names, transform.Sets()...), SetPreview
	}
	p.menu = widget.NewSelect(names, func(name string) {
		text, ok := transform.Default(name)
		if !ok {
			text = name // a set
		}
		if family, err := transform.ParseAny(text); err == nil {
			text = family.String()
		}
		p.entry.SetText(text)
	})
	p.menu.PlaceHolder = "Usual ones"
	p.entry.OnChanged = func(string) { p.check() }
	p.entry.SetPlaceHolder("rotation:-15:15:1;interpolation=bilinear;border=zero")
	p.entry.SetText(current)
	p.check()
	p.object = container.NewVBox(container.NewBorder(nil, nil, p.menu, nil, p.entry), p.preview)
	return p
}

// family is what is written, if it is well written.
func (p *familyPicker) family() (transform.Family, error) {
	family, _, err := p.read(p.entry.Text)
	return family, err
}

func (p *familyPicker) check() {
	_, preview, err := p.read(p.entry.Text)
	p.preview.Importance = widget.MediumImportance
	if err != nil {
		p.preview.Importance = widget.DangerImportance
		if preview = sentence(err); p.quiet {
			preview = ""
		}
	}
	p.preview.SetText(preview)
	if p.changed != nil {
		p.changed()
	}
}
