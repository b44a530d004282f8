package label

import (
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	labels "github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

// Item is what an annotator has said of a model.
type Item struct {
	labels.Turn
	Name    string       // of the model
	Label   labels.Event // the zero Event without a label
	Word    string       // the label in the round's words, "" without one
	Skipped bool
	Flag    string
	Note    string
}

// Items are the models that this annotator has judged, flagged or noted something on, in the
// order in which they were first judged; names are those of models by hash. Repeats are no items
// of their own, and an item that is asked for again is left out until that has its label, as in
// looking back.
func (s *Session) Items(names map[string]string) (list []Item) {
	for _, turn := range s.trail() {
		ev, labelled := s.current[turn]
		said := s.remarks[turn]
		if turn.Pass != 1 || !labelled && !s.skipped[turn] && said.Flag == "" && said.Note == "" {
			continue
		}
		item := Item{
			Turn: turn, Name: nameOf(names, turn.Model), Label: ev,
			Skipped: s.skipped[turn], Flag: said.Flag, Note: said.Note,
		}
		if labelled {
			item.Word = s.round.Word(ev.Value)
		}
		list = append(list, item)
	}
	return list
}

// LookAt turns to an item that was judged before.
func (s *Session) LookAt(turn labels.Turn, now time.Time) { s.show(turn, now) }

// nextFlagged is the next flagged item after the one shown, from the first one on after the last.
func (s *Session) nextFlagged() (turn labels.Turn, ok bool) {
	items := s.Items(nil)
	at := slices.IndexFunc(items, func(i Item) bool { return i.Turn == s.turn })
	for k := range items {
		if i := items[(at+1+k)%len(items)]; i.Flag != "" && i.Turn != s.turn {
			return i.Turn, true
		}
	}
	return labels.Turn{}, false
}

// itemTable is the table of an annotator's items.
var itemTable = result.Table[Item]{
	Name: "my_models", Title: "My models", Noun: "model", ID: func(i Item) string { return i.Model },
	Columns: []result.Column[Item]{
		result.Texts("model_id", "model", "", func(i Item) string { return i.Name }),
		result.Texts("label", "label", "in the words of the round", func(i Item) string {
			if i.Skipped {
				return "skipped"
			}
			return i.Word
		}),
		result.Bools("unsure", "unsure", "", func(i Item) bool { return i.Word != "" && !i.Label.Sure }),
		result.Texts("flag", "flag", "", func(i Item) string { return i.Flag }),
		result.Texts("note", "note", "", func(i Item) string { return i.Note }),
		result.Numbers("seconds", "time", "active time until the label", result.Duration, func(i Item) float64 {
			return i.Label.Seconds
		}),
		result.Times("saved", "saved", "when the label was stored", func(i Item) time.Time { return i.Label.Saved }),
	},
}

// newItems makes the list of one's own models. It lies in the place of the matrices.
func newItems(f *widgets, host *kit.Host) *kit.Records[Item] {
	r := &kit.Records[Item]{
		Host: host, Table: itemTable, Empty: "You have labelled, skipped or flagged no model of this round yet.",
		Clauses: []kit.Clause{{Name: "flagged", Text: `flag!=""`}, {Name: "unsure", Text: "unsure=yes"}},
		OnOpen:  f.s.LookAt,
		Actions: []kit.Action[Item]{{
			Name: "Go to model", Icon: theme.NavigateNextIcon(), Button: true,
			Can: func(items []Item) bool { return len(items) == 1 }, Do: func(items []Item) { f.s.LookAt(items[0]) },
		}},
	}
	r.Keys = widget.Keys{OnKey: func(ev *fyne.KeyEvent) bool {
		if ev.Name != fyne.KeyEscape || r.Filter() != "" || len(r.Marked()) > 0 {
			return false
		}
		f.toggleItems()
		return true
	}}
	return r
}

// LookAt goes to an item of the list.
func (s *Screen) LookAt(item Item) {
	if s.session == nil || s.saving {
		return
	}
	s.afterNote(func() {
		s.session.LookAt(item.Turn, s.deps.Now())
		s.widgets.closeItems()
		s.moved("")
		s.focus()
	})
}

// NextFlagged goes to the next of this annotator's models that bears a flag.
func (s *Screen) NextFlagged() {
	s.afterNote(func() {
		turn, ok := s.session.nextFlagged()
		if !ok {
			s.widgets.message("none of your other models has a flag", false)
			return
		}
		s.session.LookAt(turn, s.deps.Now())
		s.moved("")
	})
}

// toggleItems opens the list of one's own models, or closes it.
func (f *widgets) toggleItems() {
	if f.listing {
		f.closeItems()
		f.s.focus()
		return
	}
	f.s.afterNote(func() {
		f.listing = true
		f.s.show()
		f.s.focus()
	})
}

// closeItems puts the list away; it may be closed already.
func (f *widgets) closeItems() {
	if f.listing {
		f.listing = false
		f.s.show()
	}
}
