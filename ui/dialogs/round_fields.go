package dialogs

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/option"
)

// recordFields are the fields of the models' training records, of which a round shows some.
type recordFields struct {
	names   []string        // in the order of their first appearance
	telling map[string]bool // those that tell the answer
	allowed []string        // those that the base round shows
}

func fieldsOfRecords(models []model.Model, base label.Round) recordFields {
	f := recordFields{telling: map[string]bool{}}
	refused := map[string]bool{}
	for _, m := range models {
		for _, field := range m.Record {
			if !slices.Contains(f.names, field.Name) {
				f.names = append(f.names, field.Name)
			}
			f.telling[field.Name] = f.telling[field.Name] || label.TellsAnswer(field.Name, field.Value)
			refused[field.Name] = refused[field.Name] || !base.Allows(field.Name, field.Value)
		}
	}
	f.allowed = slices.DeleteFunc(slices.Clone(f.names), func(name string) bool { return refused[name] })
	return f
}

// page has a check for each field.
func (f recordFields) page(take func(string)) fyne.CanvasObject {
	if len(f.names) == 0 {
		return wrapped("The models have no training records.")
	}
	list := named(f.names, func(name string) string {
		if f.telling[name] {
			name = fmt.Sprintf("%s (tells the answer)", name)
		}
		return name
	})
	about := wrapped("Annotators see the ticked fields of the models' training records beside the matrices; " +
		"packages and reports of the round hold no others. Labels, their reasons and judgements by others tell the answer.")
	group := ticks(list, f.allowed, func(names []string) { take(option.Join(names)) })
	return container.NewBorder(about, nil, nil, nil, container.NewVScroll(group))
}

// told are those of the fields that tell the answer.
func (f recordFields) told(fields []string) []string {
	return slices.DeleteFunc(slices.Clone(fields), func(name string) bool { return !f.telling[name] })
}
