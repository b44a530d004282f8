package ranking

import (
	"fmt"
	"math"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

// rankersPage is how well the rankers agree with each other and with the truth: a matrix of rank
// correlations.
type rankersPage struct {
	kit.Panel
	s    *Screen
	form *kit.Form[measureShown]
	grid *widget.AgreementTable
	save *fynewidget.Button
}

func newRankers(s *Screen, host *kit.Host) *rankersPage {
	p := &rankersPage{s: s, grid: widget.NewAgreementTable()}
	p.form = measureForm[measureShown](host, "rankers", func() []int { return s.outcome().Board.TopK }, p.draw)
	p.grid.OnHint = host.Say
	p.save = fynewidget.NewButtonWithIcon("Save…", theme.DocumentSaveIcon(), p.openSave)
	note := fynewidget.NewLabel("How alike two rankers order the models: 1 for the same order, 0 for no relation, " +
		"below 0 (warm) for the opposite. Scores of sampled rankers are means over their repetitions.")
	note.Wrapping, note.SizeName = fyne.TextWrapWord, theme.SizeNameCaptionText
	head := container.NewBorder(nil, nil, nil, p.save, p.form.Object())
	p.Panel = kit.Panel{
		Body: container.NewBorder(container.NewVBox(head, note), nil, nil, nil, container.NewScroll(p.grid)),
		Show: func() { p.form.Offer(); p.draw() },
	}
	return p
}

// chosen is the measure that is shown.
func (p *rankersPage) chosen() rank.Measure {
	return measureOf(p.form.Options().Measure, p.s.outcome().Board.TopK)
}

func (p *rankersPage) draw() {
	names, cells := p.s.outcome().Agreement(p.chosen())
	p.grid.SetCells("", names, names, cells)
}

// openSave offers the matrix as a figure or as numbers.
func (p *rankersPage) openSave() {
	m, out := p.chosen(), p.s.outcome()
	saved := figures.Of(out.coefficients(m), "rank_correlation", m.Key, out.Material.Source.Name)
	saved.Command = p.s.command(nil)()
	widget.PopUpBelow(p.save, p.s.Window.Canvas(), p.s.Saver().Entries(saved)...)
}

// comparedNames are the names of what is compared, the same ones told apart by numbers.
func (a Answer) comparedNames() []string {
	uses, names := map[string]int{}, make([]string, len(a.Board.Compared))
	for k, m := range a.Board.Compared {
		name := m.Short()
		if uses[name]++; uses[name] > 1 {
			name = fmt.Sprintf("%s %d", name, uses[name])
		}
		names[k] = name
	}
	return names
}

// Agreement are the cells of the matrix of a measure between all rankers: numbers, shaded by how
// strong they are.
func (a Answer) Agreement(m rank.Measure) (names []string, cells [][]widget.GridCell) {
	names = a.comparedNames()
	matrix := a.Board.Between(m)
	if len(matrix) != len(names) {
		return nil, nil
	}
	for r, row := range matrix {
		line := make([]widget.GridCell, len(row))
		for c, value := range row {
			text := result.Coefficient.Say(value, 0)
			line[c] = widget.GridCell{Text: text, Shade: math.Abs(value), Warm: value < 0}
			line[c].Hint = fmt.Sprintf("%s of %s and %s: %s", m.Title(), names[r], names[c], text)
			if math.IsNaN(value) {
				line[c].Shade = -1
				line[c].Hint = fmt.Sprintf("%s of %s and %s is undefined: one of them ranks all models alike",
					m.Title(), names[r], names[c])
			}
		}
		cells = append(cells, line)
	}
	return names, cells
}

// coefficients are the matrix as a figure; similarities have no negative half.
func (a Answer) coefficients(m rank.Measure) result.Figure {
	f := result.Figure{
		Title: fmt.Sprintf("%s between rankers, %s", m.Title(), a.Material.Source.Name), Note: a.Caption(),
		Matrix: &result.Matrix{},
	}
	names, matrix := a.comparedNames(), a.Board.Between(m)
	if len(matrix) != len(names) {
		return f
	}
	f.X.Names, f.Y.Names, f.Y.Each = names, names, true
	f.Matrix = &result.Matrix{
		Rows: len(names), Columns: len(names), Values: slices.Concat(matrix...),
		Colours: render.Scale{Low: -1, High: 1, Map: &render.Diverging}, Value: result.Axis{Format: result.Coefficient},
		Text: func(v float64) string { return result.Coefficient.Say(v, 3) },
	}
	return f
}
