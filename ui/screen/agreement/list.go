package agreement

import (
	"fmt"

	"fyne.io/fyne/v2/theme"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
)

// itemTable are models with the labels of these annotators.
func itemTable(annotators []string) result.Table[Item] {
	t := result.Table[Item]{
		Name: "disagreements", Title: "Disagreements", Noun: "model", ID: func(i Item) string { return i.Model },
		Columns: []result.Column[Item]{{Key: "model_id", Title: "model", Text: func(i Item) string { return i.ID }}},
	}
	for k, name := range annotators {
		t.Columns = append(t.Columns, result.Column[Item]{
			Key: "label." + name, Title: name, Format: result.Label,
			Text: func(i Item) string {
				if k < len(i.Labels) {
					return i.Labels[k]
				}
				return ""
			},
		})
	}
	t.Columns = append(t.Columns, result.Column[Item]{
		Key: majorityName, Title: majorityName, Format: result.Label, Text: func(i Item) string { return i.Majority },
	})
	return t
}

// list is a table of models with everybody's labels; a row opens its model.
type list struct {
	*kit.Records[Item]
	s *Screen
}

func newList(s *Screen) *list {
	return &list{s: s, Records: &kit.Records[Item]{
		Host: s.host(), Table: itemTable(nil), Empty: "None.",
		OnSelect: func(i Item, ok bool) {
			if ok {
				s.deps.Status(i.ID + ": " + i.Summary(s.answer.view.Annotators))
			}
		},
		OnOpen: func(i Item) { s.deps.Inspect(i.Model) },
		Actions: []kit.Action[Item]{{
			Name: "Open model", Icon: theme.SearchIcon(), Button: true,
			Can: func(list []Item) bool { return len(list) == 1 },
			Do:  func(list []Item) { s.deps.Inspect(list[0].Model) },
		}},
	}}
}

// show puts items on the list; count of them there are, also where they are hidden.
func (l *list) show(v View, items []Item, count int) {
	l.Table, l.Empty = itemTable(v.Annotators), "None."
	switch {
	case count == 0 && v.few(v.Rated):
		l.Empty = fmt.Sprintf("How many is %s.", veilReason())
	case count > 0 && v.Blind:
		l.Empty = fmt.Sprintf("%s. Which ones, and who said what, is hidden until the blind round is closed.",
			present.Counted(int64(count), "model"))
	}
	l.Set(items)
}
