package ranking

import (
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

// rankingPage is the table of models and rankers, LaF's specialties beside it, and how good the
// rankings are below.
type rankingPage struct {
	kit.Panel
	s       *Screen
	list    *kit.Records[rank.Ranked]
	bars    *kit.Figure
	quality *kit.Records[rank.Rated]
	ask     *fyne.Container // what labels are wanted
	wanted  *fynewidget.Label
	label   *fynewidget.Button
}

func newRanking(s *Screen, host *kit.Host) *rankingPage {
	p := &rankingPage{s: s}
	p.bars = &kit.Figure{
		Host: host, Name: func() []string { return []string{"specialty", s.outcome().Material.Source.Name} },
		Command: s.command(nil),
		OnOpen: func(id string) {
			models := s.outcome().Board.Models
			if k := slices.IndexFunc(models, func(m rank.Model) bool { return keyOf(m) == id }); k >= 0 {
				s.open(models[k])
			}
		},
	}
	p.list = &kit.Records[rank.Ranked]{
		Host: host, Table: standings(rank.Leaderboard{}), OnOpen: func(r rank.Ranked) { s.open(r.Of.Models[r.Model]) },
		Command: s.command(nil),
		OnSelect: func(r rank.Ranked, ok bool) {
			if ok {
				host.Say(r.Line())
			}
		},
	}
	p.quality = &kit.Records[rank.Rated]{
		Host: host, Table: rank.Qualities, Empty: "Nothing was ranked yet.", Command: s.command(nil),
		OnSelect: func(r rank.Rated, ok bool) {
			if ok {
				host.Say(r.Ranking().Method.Help() + " — " + r.RestsOn())
			}
		},
	}
	p.wanted = fynewidget.NewLabel("")
	p.wanted.Truncation = fyne.TextTruncateEllipsis
	p.label = fynewidget.NewButtonWithIcon("Label images…", theme.DocumentCreateIcon(), p.askLabels)
	p.label.Hidden = s.classes == nil
	p.ask = container.NewBorder(nil, nil, nil, p.label, p.wanted)
	p.ask.Hide()
	caption := widget.Bold("Specialty by LaF")
	upper := container.NewHSplit(p.list.Object(), container.NewBorder(caption, nil, nil, nil, p.bars.Object()))
	upper.Offset = 0.72
	split := container.NewVSplit(upper, container.NewBorder(nil, p.ask, nil, nil, p.quality.Object()))
	split.Offset = 0.58
	p.Panel = kit.Panel{Body: split, Show: p.show, Keys: p.list.Focus}
	return p
}

// standings is rank.Standings of one suite, whose best models by the first ranker that has a
// ranking stand first.
func standings(b rank.Leaderboard) result.Table[rank.Ranked] {
	t := rank.Standings
	t.ID = func(r rank.Ranked) string { return keyOf(r.Of.Models[r.Model]) }
	k := slices.IndexFunc(b.Rankings, func(r rank.Ranking) bool { return r.Reason.None() })
	switch {
	case k >= 0:
		t.First = result.Order{Key: b.Key(k), Descending: true}
	case len(b.Models) > 0:
		t.First = result.Order{Key: "model_id"}
	}
	return t
}

func (p *rankingPage) show() {
	out := p.s.outcome()
	on := out.on()
	rows := rank.RankedOf(on)
	name := func(r rank.Ranked) string { return on.Models[r.Model].ID }
	slices.SortStableFunc(rows, func(a, b rank.Ranked) int { return result.Natural(name(a), name(b)) })
	p.list.Table = standings(out.Board)
	p.list.Set(rows)
	p.bars.Set(out.Specialty())
	p.quality.Set(rank.RatedOf(on))
	text := out.WantedText()
	p.wanted.SetText(text)
	widget.Show(p.ask, text != "")
	p.Body.Refresh()
}

// wantedMethods are the rankers that wait for labels, in the order of the board.
func (a Answer) wantedMethods() []rank.Method {
	var list []rank.Method
	for _, r := range a.Board.Rankings {
		if len(a.Wanted[r.Method]) > 0 && !slices.Contains(list, r.Method) {
			list = append(list, r.Method)
		}
	}
	return list
}

// WantedText says which rankers wait for labels, "" for none.
func (a Answer) WantedText() string {
	var parts []string
	for _, m := range a.wantedMethods() {
		parts = append(parts, fmt.Sprintf("%s for %s", m.Title(), result.Counted(len(a.Wanted[m]), "image")))
	}
	if len(parts) == 0 {
		return ""
	}
	return "Without true classes, some rankers wait for labels: " + strings.Join(parts, ", ")
}

// askLabels offers the rankers that wait for labels, and asks for those of the chosen one.
func (p *rankingPage) askLabels() {
	out := p.s.outcome()
	methods := out.wantedMethods()
	if len(methods) == 1 {
		p.s.label(out.labelling(methods[0]))
		return
	}
	var items []*fyne.MenuItem
	for _, m := range methods {
		text := fmt.Sprintf("%s for %s", result.Counted(len(out.Wanted[m]), "image"), m.Title())
		items = append(items, fyne.NewMenuItem(text, func() { p.s.label(out.labelling(m)) }))
	}
	menu := fynewidget.NewPopUpMenu(fyne.NewMenu("", items...), p.s.Window.Canvas())
	menu.ShowAtRelativePosition(fyne.NewPos(0, -menu.MinSize().Height), p.label)
}

// labelling is what is asked for a ranker.
func (a Answer) labelling(m rank.Method) Labelling {
	ask := Labelling{Suite: a.Material.Source.ID, Title: fmt.Sprintf("Labels for %s", m.Title()), Images: a.Wanted[m]}
	for c := range a.Data.Classes {
		ask.Classes = append(ask.Classes, a.Material.Class(int32(c)))
	}
	return ask
}
