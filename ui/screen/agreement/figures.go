package agreement

import (
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// figures is the page of the measures: kappas and the list of measures on the left, and on the
// right what lies behind the number that was chosen.
type figures struct {
	s         *Screen
	object    fyne.CanvasObject
	kappas    *widget.KappaTable
	weights   *fynewidget.Select // of the kappas, for three classes
	note      *fynewidget.Label
	measures  *kit.Records[Measure]
	pair      *fynewidget.Label
	confusion *widget.Confusion
	hidden    *fynewidget.Label
	hint      *fynewidget.Label
	classes   *widget.KappaTable // per class: specific agreement and kappa
	tabs      *container.AppTabs
	behind    *list
	disagree  *list
	noVote    *list
	counts    *kit.Records[Column]

	row, col int // chosen cell of the kappa matrix
	line     int // chosen line of the list of measures, -1 for a cell
	chosen   Behind
}

func newFigures(s *Screen) *figures {
	f := &figures{s: s, col: 1, line: -1}
	f.kappas = widget.NewKappaTable()
	f.kappas.OnTapped = func(row, col int) { f.choose(row, col) }
	f.kappas.OnHint = f.say
	f.note = wrapped("")
	f.note.SizeName = theme.SizeNameCaptionText
	f.buildMeasures()
	f.pair = caption("")
	f.pair.Truncation = fyne.TextTruncateEllipsis
	f.confusion = widget.NewConfusion()
	f.confusion.OnHint = f.say
	f.hidden = wrapped("")
	f.hint = wrapped("")
	f.classes = widget.NewKappaTable()
	f.classes.OnHint = f.say
	f.classes.OnTapped = func(row, col int) { f.say(f.chosen.Classes[row].cells()[col].Hint) }
	f.behind, f.disagree, f.noVote = newList(s), newList(s), newList(s)
	f.counts = &kit.Records[Column]{Host: s.host(), Table: countTable(nil), Bare: true}
	f.tabs = container.NewAppTabs(
		container.NewTabItem("Behind it", f.behind.Object()),
		container.NewTabItem("Disagreements", f.disagree.Object()),
		container.NewTabItem("Without majority", f.noVote.Object()),
		container.NewTabItem("Annotators", f.counts.Object()))
	f.buildWeights()
	left := container.NewBorder(container.NewVBox(container.NewHBox(caption("Cohen's kappa"), f.weights), container.NewHScroll(f.kappas), f.note, caption("All annotators")),
		nil, nil, nil, f.measures.Object())
	per := container.NewHScroll(container.NewHBox(container.NewVBox(f.confusion), container.NewVBox(f.classes)))
	right := container.NewBorder(container.NewVBox(f.pair, f.hint, per, f.hidden), nil, nil, nil, f.tabs)
	split := container.NewHSplit(left, right)
	split.Offset = 0.5
	f.object = split
	return f
}

// The weightings of kappas as they are chosen: far labels count as more of a disagreement than
// near ones, in proportion to their distance or to its square.
const plainKappas, linearKappas, quadraticKappas = "plain", "weighted linearly", "weighted quadratically"

func (f *figures) buildWeights() {
	f.weights = fynewidget.NewSelect([]string{plainKappas, linearKappas, quadraticKappas}, nil)
	f.weights.SetSelected(plainKappas)
	f.weights.OnChanged = func(string) { f.showKappas(f.view()) }
	f.weights.Hide()
}

// matrix is the matrix of kappas under the weighting chosen.
func (f *figures) matrix(v View) [][]Cell {
	switch {
	case f.weights.Selected == linearKappas && v.Linear != nil:
		return v.Linear
	case f.weights.Selected == quadraticKappas && v.Quadratic != nil:
		return v.Quadratic
	}
	return v.Matrix
}

// showKappas shows the matrix of kappas, and of three classes the choice of their weighting.
func (f *figures) showKappas(v View) {
	f.weights.Hidden = v.Linear == nil
	f.weights.Refresh()
	f.kappas.SetCells("", append(append([]string{}, v.Annotators...), majorityName), v.Annotators, gridCells(f.matrix(v)))
	if f.line < 0 {
		f.kappas.Select(f.row, f.col)
	}
}

// forget goes back to the first pair, for another round.
func (f *figures) forget() { f.row, f.col, f.line = 0, 1, -1 }

func (f *figures) buildMeasures() {
	f.measures = &kit.Records[Measure]{
		Host: f.s.host(), Table: measureTable, Bare: true,
		Note: func([]Measure) string { return footnote(f.view().Measures) },
		OnSelect: func(m Measure, ok bool) {
			at := slices.IndexFunc(f.view().Measures, func(o Measure) bool { return o.Name == m.Name })
			if ok && at != f.line {
				f.line = at
				f.showChosen()
				f.say(m.Name + ": " + m.Value.Hint)
			}
		},
	}
}

// classColumns are the columns of the agreement per class.
func classColumns() []string {
	return []string{"agreed", "kappa"}
}

// cells are the class's row: what stands beside a number is in its hint.
func (c ClassLine) cells() []widget.GridCell {
	return []widget.GridCell{
		{Text: c.Percent.Value.Text, Shade: c.Percent.Value.Shade, Hint: fmt.Sprintf("%s, specific agreement: %s", c.Class, c.Percent.Value.Hint)},
		{Text: c.Kappa.Value.Text, Shade: c.Kappa.Value.Shade, Hint: fmt.Sprintf("%s against the other classes, kappa: %s", c.Class, c.Kappa.Value.Hint)},
	}
}

// showClasses shows the agreement per class of what was chosen.
func (f *figures) showClasses() {
	var rows []string
	var cells [][]widget.GridCell
	for _, c := range f.chosen.Classes {
		rows, cells = append(rows, c.Class), append(cells, c.cells())
	}
	f.classes.SetCells("per class", classColumns(), rows, cells)
	f.classes.Select(-1, -1)
}

func (f *figures) view() View { return f.s.answer.view }

func (f *figures) say(text string) { f.s.deps.Status(text) }

func (f *figures) show(v View) {
	f.showKappas(v)
	f.note.SetText(fmt.Sprintf("Majority column: %s.", v.Note))
	f.measures.Set(v.Measures)
	f.counts.Table = countTable(v.Classes)
	f.counts.Set(v.Columns)
	f.disagree.show(v, v.Disagree, v.DisagreeN)
	f.noVote.show(v, v.Unresolved, v.UnresolveN)
	f.tabs.Items[1].Text = fmt.Sprintf("Disagreements %d", v.DisagreeN)
	f.tabs.Items[2].Text = fmt.Sprintf("Without majority %d", v.UnresolveN)
	f.showChosen()
}

// gridCells are the kappas as the grid's cells: the shade grows with the kappa.
func gridCells(matrix [][]Cell) [][]widget.GridCell {
	rows := make([][]widget.GridCell, len(matrix))
	for a, row := range matrix {
		rows[a] = make([]widget.GridCell, len(row))
		for b, c := range row {
			rows[a][b] = widget.GridCell{Text: c.Text, Hint: c.Hint, Shade: c.Shade}
		}
	}
	return rows
}

// choose shows what is behind a cell of the kappa matrix; the diagonal keeps what was shown before.
func (f *figures) choose(row, col int) {
	if _, ok := f.view().PairAt(row, col); !ok {
		return
	}
	f.row, f.col, f.line = row, col, -1
	f.showChosen()
}

// showChosen shows what is behind the chosen number, or behind the first one where that is gone.
func (f *figures) showChosen() {
	v := f.view()
	b, ok := v.BehindMeasure(f.line)
	if !ok {
		f.line = -1
		if b, ok = v.BehindPair(f.row, f.col); !ok {
			f.row, f.col = 0, len(v.Annotators)
			b, _ = v.BehindPair(f.row, f.col)
		}
		f.kappas.Select(f.row, f.col)
		f.measures.Select("")
	} else {
		f.kappas.Select(-1, -1)
	}
	f.chosen = b
	f.pair.SetText(b.Title)
	f.hint.SetText(b.Hint)
	f.hidden.SetText(b.Hidden)
	f.hidden.Hidden = b.Hidden == ""
	f.showClasses()
	if b.Counts == nil {
		f.confusion.Hide()
	} else {
		f.confusion.SetCounts(b.First, b.Second, v.Classes, b.Counts)
		f.confusion.Show()
	}
	f.behind.show(v, b.Concerned, b.ConcernedN)
	f.tabs.Items[0].Text = fmt.Sprintf("Behind it %d", b.ConcernedN)
	f.tabs.Refresh()
}

// describe is the pair's numbers in one line.
func (c Confusion) describe() string {
	parts := []string{present.Counted(int64(c.Items), "common model"), fmt.Sprintf("agreement %s", c.Percent), fmt.Sprintf("kappa %s", c.Kappa.Text)}
	if c.Kappa.Reason != "" {
		parts[2] += " (" + c.Kappa.Reason + ")"
	}
	for _, w := range c.Weighted {
		parts = append(parts, w.Name+" "+w.Value.Text)
	}
	return strings.Join(parts, ", ")
}
