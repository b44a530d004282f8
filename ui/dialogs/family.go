package dialogs

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/ui/kit"
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

// familyPart asks for a family: a menu of the usual ones, its text, and what that means; sets tells
// whether it may be a transformation set. The form says what is wrong with the text.
func familyPart(sets bool, take func(text string)) kit.Part {
	names, read := transform.Names(), FamilyPreview
	if sets {
		names, read = append(names, transform.Sets()...), SetPreview
	}
	entry, preview := widget.NewEntry(), wrapped("")
	menu := widget.NewSelect(names, func(name string) {
		text, ok := transform.Default(name)
		if !ok {
			text = name // a set
		}
		if family, err := transform.ParseAny(text); err == nil {
			text = family.String()
		}
		entry.SetText(text)
	})
	menu.PlaceHolder = "Usual ones"
	entry.SetPlaceHolder("rotation:-15:15:1;interpolation=bilinear;border=zero")
	entry.OnChanged = func(text string) {
		_, meaning, _ := read(text)
		preview.SetText(meaning)
		take(strings.TrimSpace(text))
	}
	object := container.NewVBox(container.NewBorder(nil, nil, menu, nil, entry), preview)
	return kit.Part{Object: object, Show: func(text string) {
		if strings.TrimSpace(entry.Text) != text {
			entry.SetText(text)
		}
	}}
}
