package ranking

import (
	"context"
	"slices"

	fynewidget "fyne.io/fyne/v2/widget"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

// study is a page whose numbers are measured when somebody asks for it. Numbers of another outcome
// are dropped.
type study[D any] struct {
	*kit.Screen[struct{}, measured[D]]
	s     *Screen
	start *fynewidget.Button
	asked string // key of the outcome that is to be measured, "" for none
}

// measured are numbers with the key of the outcome that they are of, "" for none.
type measured[D any] struct {
	of string
	d  D
}

// newStudy makes a page from its declaration, which needs no Load. why says why an outcome cannot
// be measured, "" where it can; measure is slow.
func newStudy[D any](
	s *Screen, button string, page kit.Screen[struct{}, measured[D]], why func(Outcome) string,
	measure func(context.Context, Outcome, engine.Progress) (D, error),
) *study[D] {
	t := &study[D]{s: s}
	t.start = fynewidget.NewButtonWithIcon(button, theme.MediaPlayIcon(), func() {
		t.asked = s.outcome().key
		t.Refresh()
	})
	page.Head = []fyne.CanvasObject{t.start}
	page.Load = func(struct{}) kit.Work[measured[D]] {
		out := s.outcome()
		last, _ := t.Data()
		switch {
		case t.asked == "" || t.asked != out.key:
			return nil
		case last.of == out.key:
			return func(context.Context, engine.Progress) (measured[D], error) { return last, nil }
		}
		return func(ctx context.Context, p engine.Progress) (measured[D], error) {
			d, err := measure(ctx, out, p)
			return measured[D]{out.key, d}, err
		}
	}
	show, line := page.Show, page.Line
	page.Show = func(m measured[D]) {
		widget.Enable(t.start, why(s.outcome()) == "")
		show(m)
	}
	page.Line = func(m measured[D]) string {
		if text := why(s.outcome()); text != "" {
			return text
		}
		return line(m)
	}
	t.Screen = kit.New(page)
	return t
}

// got is what was measured of the outcome that is shown.
func (t *study[D]) got() (d D) {
	if m, _ := t.Data(); m.of == t.s.outcome().key {
		return m.d
	}
	return d
}

// measureForm asks by which measure rankings are compared, among other options; changed hears of
// another choice.
func measureForm[O any](host *kit.Host, key string, top func() []int, changed func()) *kit.Form[O] {
	f := &kit.Form[O]{
		Host: host, Key: "ranking." + key, OnChange: func(O) { changed() },
		Named: func(_, choice string) string { return choice },
		Choices: func(string) (list []kit.Option, first string) {
			for _, m := range rank.Measures(top()) {
				list = append(list, kit.Option{Key: m.Key, Name: m.Title()})
			}
			return list, ""
		},
	}
	f.Make()
	return f
}

// measureOf is the measure with a key among those for these numbers of best models.
func measureOf(key string, top []int) rank.Measure {
	list := rank.Measures(top)
	return list[max(slices.IndexFunc(list, func(m rank.Measure) bool { return m.Key == key }), 0)]
}

// measureShown are the options of what one measure of rankings tells.
type measureShown struct {
	Measure string `help:"How two rankings of the models are compared." source:"measures"`
}
