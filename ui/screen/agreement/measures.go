package agreement

import (
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	measure "github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

// weightings are the kappas of pairs to choose from: far labels count as more of a disagreement
// than near ones, in proportion to their distance or to its square.
var weightings = []struct {
	name string
	of   func(measure.Cohen) *measure.Estimate
}{
	{"plain", func(c measure.Cohen) *measure.Estimate { return &c.Kappa }},
	{"weighted linearly", func(c measure.Cohen) *measure.Estimate { return c.Linear }},
	{"weighted quadratically", func(c measure.Cohen) *measure.Estimate { return c.Quadratic }},
}

// weightsWidth has room for the longest of their names.
const weightsWidth = 220

// measuresPage has kappas and the list of measures on the left, and on the right what lies behind
// the number that was chosen.
type measuresPage struct {
	kit.Panel
	s         *Screen
	kappas    *widget.KappaTable
	weights   *fynewidget.Select // of the kappas, for three classes
	note      *fynewidget.Label
	list      *kit.Records[measure.Line]
	pair      *fynewidget.Label
	confusion *widget.Confusion
	hidden    *fynewidget.Label
	hint      *fynewidget.Label
	classes   *widget.KappaTable // per class: specific agreement and kappa
	tabs      *container.AppTabs
	behind    *kit.Records[measure.Item]
	disagree  *kit.Records[measure.Item]
	noVote    *kit.Records[measure.Item]
	tallies   *kit.Records[label.Tally]

	row, col int    // chosen cell of the kappa matrix
	line     string // ID of the chosen line of the list, "" for a cell
}

func newMeasures(s *Screen, host *kit.Host) *measuresPage {
	p := &measuresPage{
		s: s, kappas: widget.NewKappaTable(), confusion: widget.NewConfusion(), classes: widget.NewKappaTable(),
	}
	p.forget()
	p.note, p.pair, p.hidden, p.hint = widget.Wrapped(""), widget.Bold(""), widget.Wrapped(""), widget.Wrapped("")
	p.note.SizeName, p.pair.Truncation = theme.SizeNameCaptionText, fyne.TextTruncateEllipsis
	p.kappas.OnTapped, p.kappas.OnHint, p.confusion.OnHint, p.classes.OnHint = p.choose, host.Say, host.Say, host.Say
	var names []string
	for _, w := range weightings {
		names = append(names, w.name)
	}
	p.weights = fynewidget.NewSelect(names, nil)
	p.weights.SetSelectedIndex(0)
	p.weights.OnChanged = func(string) { p.showKappas() }
	p.list = &kit.Records[measure.Line]{
		Host: host, Table: measure.OfAll, Plain: true, Note: footnote,
		OnSelect: func(l measure.Line, ok bool) {
			if id := measure.OfAll.ID(l); ok && id != p.line {
				p.line = id
				p.showChosen()
				host.Say(l.Title + ": " + l.Tell())
			}
		},
	}
	p.behind, p.disagree, p.noVote = newItems(host), newItems(host), newItems(host)
	p.tallies = &kit.Records[label.Tally]{Host: host, Table: label.Annotators, Plain: true}
	p.tabs = container.NewAppTabs(
		widget.NewTab("Behind it", p.behind.Object()),
		widget.NewTab("Disagreements", p.disagree.Object()),
		widget.NewTab("Without majority", p.noVote.Object()),
		widget.NewTab("Annotators", p.tallies.Object()))
	wide := container.NewGridWrap(fyne.NewSize(weightsWidth, p.weights.MinSize().Height), p.weights)
	left := container.NewBorder(container.NewVBox(container.NewHBox(widget.Bold("Cohen's kappa"), wide),
		container.NewHScroll(p.kappas), p.note, widget.Bold("All annotators")), nil, nil, nil, p.list.Object())
	per := container.NewHScroll(container.NewHBox(container.NewVBox(p.confusion), container.NewVBox(p.classes)))
	right := container.NewBorder(container.NewVBox(p.pair, p.hint, per, p.hidden), nil, nil, nil, p.tabs)
	p.Panel = kit.Panel{Body: container.NewHSplit(left, right), Show: p.show}
	return p
}

// newItems is a list of models with everybody's labels; a row opens its model.
func newItems(host *kit.Host) *kit.Records[measure.Item] {
	return &kit.Records[measure.Item]{
		Host: host, Table: measure.Items.Place(result.FileOnly, "round"),
		OnSelect: func(i measure.Item, ok bool) {
			if ok {
				host.Say(i.Tell())
			}
		},
		OnOpen: func(i measure.Item) { host.Inspect(i.Model()) },
		Actions: []kit.Action[measure.Item]{{
			Name: "Open model", Icon: theme.SearchIcon(), Button: true,
			Can: func(list []measure.Item) bool { return len(list) == 1 },
			Do:  func(list []measure.Item) { host.Inspect(list[0].Model()) },
		}},
	}
}

// setItems shows items; n of them there are, also where they are hidden.
func setItems(list *kit.Records[measure.Item], v *View, items []measure.Item, n int) {
	list.Empty = "None."
	switch {
	case n == 0 && v.few(v.rated()):
		list.Empty = "How many is " + hideSmallCounts.Text + "."
	case n > 0 && v.Blind:
		list.Empty = result.Counted(n, "model") +
			". Which ones, and who said what, is hidden until the blind round is closed."
	}
	list.Set(items)
}

// forget goes back to the first pair, for another round.
func (p *measuresPage) forget() { p.row, p.col, p.line = 0, 1, "" }

func (p *measuresPage) show() {
	v := p.s.view()
	p.showKappas()
	note := "Majority column: " + v.Measured.Report.Note
	if hidden := v.Measured.KnownHidden(); hidden != "" {
		note += "; " + hidden
	}
	p.note.SetText(note + ".")
	p.list.Set(v.Lines)
	p.tallies.Set(v.Tallies)
	setItems(p.disagree, v, v.Disagree, v.DisagreeN)
	setItems(p.noVote, v, v.Unresolved, v.UnresolvedN)
	p.tabs.Items[1].Text = fmt.Sprintf("Disagreements %d", v.DisagreeN)
	p.tabs.Items[2].Text = fmt.Sprintf("Without majority %d", v.UnresolvedN)
	p.showChosen()
}

// showKappas shows the matrix of kappas, and of three classes the choice of their weighting.
func (p *measuresPage) showKappas() {
	v, of := p.s.view(), weightings[0].of
	if p.weights.Hidden = v.Round.Classes < 3; !p.weights.Hidden {
		of = weightings[p.weights.SelectedIndex()].of
	}
	p.weights.Refresh()
	raters := v.Measured.Report.Raters
	p.kappas.SetCells("", v.kappaColumns(), raters, v.kappas(of))
	if p.line == "" {
		p.kappas.Select(p.row, p.col)
	}
}

// choose shows what is behind a cell of the kappa matrix; the diagonal keeps what was shown before.
func (p *measuresPage) choose(row, col int) {
	if _, ok := p.s.view().BehindPair(row, col); ok {
		p.row, p.col, p.line = row, col, ""
		p.showChosen()
	}
}

// showChosen shows what is behind the chosen number, or behind the first one where that is gone.
func (p *measuresPage) showChosen() {
	v := p.s.view()
	var b Behind
	at := slices.IndexFunc(v.Lines, func(l measure.Line) bool { return measure.OfAll.ID(l) == p.line })
	if at >= 0 {
		b = v.BehindLine(v.Lines[at])
		p.kappas.Select(-1, -1)
	} else {
		var ok bool
		if b, ok = v.BehindPair(p.row, p.col); !ok {
			p.row, p.col = 0, len(v.Round.Annotators)
			b, _ = v.BehindPair(p.row, p.col)
		}
		p.line = ""
		p.kappas.Select(p.row, p.col)
		p.list.Select("")
	}
	p.pair.SetText(b.Title)
	p.hint.SetText(b.Hint)
	p.hidden.SetText(b.Hidden)
	p.hidden.Hidden = b.Hidden == ""
	var names []string
	var cells [][]widget.GridCell
	for _, c := range b.Classes {
		word := v.Measured.Say(c.Class)
		names = append(names, word)
		cells = append(cells, []widget.GridCell{
			gridCell(c.Percent, word+", specific agreement", result.Share),
			gridCell(c.Kappa, word+" against the other classes, kappa", result.Coefficient),
		})
	}
	p.classes.OnTapped = func(row, col int) { p.s.Say(cells[row][col].Hint) }
	p.classes.SetCells("per class", []string{"agreed", "kappa"}, names, cells)
	p.classes.Select(-1, -1)
	if widget.Show(p.confusion, b.Counts != nil); b.Counts != nil {
		p.confusion.SetCounts(b.First, b.Second, v.Measured.Words(), b.Counts)
	}
	setItems(p.behind, v, b.Items, b.N)
	p.tabs.Items[0].Text = fmt.Sprintf("Behind it %d", b.N)
	p.tabs.Refresh()
}

// footnote says in whole sentences, one a line, why measures have no number or no interval, and
// what to know of their numbers: a column of a table is too narrow for reasons. It is "" where
// there is nothing to say.
func footnote(list []measure.Line) string {
	var reasons []string
	names := map[string][]string{}
	add := func(why, title string) {
		if why == "" {
			return
		}
		if names[why] == nil {
			reasons = append(reasons, why)
		}
		names[why] = append(names[why], title)
	}
	for _, l := range list {
		if !l.Value.Defined() {
			add(l.Value.Reason.Text, l.Title)
			continue
		}
		add(l.NoInterval(), l.Title)
		add(l.Caveat().Text, l.Title)
	}
	lines := make([]string, len(reasons))
	for k, why := range reasons {
		lines[k] = fmt.Sprintf("%s: %s.", result.Some(names[why]), why)
		if len(names[why]) == len(list) {
			lines[k] = fmt.Sprintf("All of them: %s.", why)
		}
	}
	return strings.Join(lines, "\n")
}
