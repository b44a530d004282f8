package ranking

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// conditionsPage is when LaF ranks well: on a part of the models and images, and over the quality and diversity of the models
// on all suites that belong together, whose accuracy ranges are a table.
type conditionsPage struct {
	s         *Screen
	impact    *impactPage
	study     *study
	measure   *measureMenu
	diversity *fynewidget.RadioGroup
	scatter   *widget.Scatter
	table     *widget.Table
	save      *fynewidget.Button
	got       Shifted
	sheet     *result.Sheet // of got, row by row
	sorted    int           // column of the table
	turned    bool
	object    fyne.CanvasObject
}

func newConditionsPage(s *Screen) *conditionsPage {
	p := &conditionsPage{s: s, impact: newImpactPage(s), scatter: widget.NewScatter()}
	p.study = newStudy(s, "Measure suites", p.measured)
	p.measure = newMeasureMenu(p.draw)
	p.diversity = fynewidget.NewRadioGroup([]string{"over quality", "over diversity"}, func(string) { p.draw() })
	p.diversity.Horizontal, p.diversity.Required = true, true
	p.diversity.Selected = p.diversity.Options[0]
	p.scatter.OnHover = s.deps.Status
	p.scatter.OnOpen = func(k int) { p.open(k) }
	p.scatter.OnTapped = func(k int) { p.table.SelectRow(k) }
	s.saver.ConnectScatter(p.scatter, func() []string { return []string{"conditions", p.measure.chosen().Key, s.view.Material.Source.Name} })
	p.buildTable()
	title := fynewidget.NewLabelWithStyle("LaF on the suite and its shifted forms", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	title.Truncation = fyne.TextTruncateEllipsis
	head := container.NewBorder(nil, nil, nil, p.study.start, title)
	choices := container.NewHBox(p.measure.object(), p.diversity)
	suites := container.NewBorder(container.NewVBox(head, choices, p.study.box), nil, nil, nil, p.scatter)
	charts := container.NewHSplit(suites, p.impact.object)
	charts.Offset = 0.5
	p.save = fynewidget.NewButtonWithIcon("Save table (CSV)…", theme.DocumentSaveIcon(), p.saveTable)
	p.save.Disable()
	lower := container.NewBorder(nil, container.NewHBox(p.save), nil, nil, evidence.Fit(p.table, func() []widget.Column { return columnsOf(p.got.sheet()) }))
	split := container.NewVSplit(charts, lower)
	split.Offset = 0.6
	p.object = split
	return p
}

func (p *conditionsPage) buildTable() {
	p.sheet = p.got.sheet()
	p.table = widget.NewTable(columnsOf(p.sheet), func() int { return len(p.got.Rows) }, func(row, col int) string {
		if col >= len(p.sheet.Fields) {
			return ""
		}
		return p.sheet.Fields[col].Say(row)
	})
	p.table.StickyColumnCount = 1
	p.table.OnHint = p.s.deps.Status
	p.table.OnRow = func(row int) { p.scatter.Select(row) }
	p.table.OnOpen = p.open
	p.table.OnSort = func(col int) {
		p.turned = p.sorted == col && !p.turned
		p.sorted = col
		p.arrange()
	}
}

// open ranks on the suite of a row.
func (p *conditionsPage) open(row int) {
	if row < 0 || row >= len(p.got.Rows) {
		return
	}
	at := slices.IndexFunc(p.s.sources, func(s Source) bool { return s.Name == p.got.Rows[row].Name })
	if at >= 0 {
		p.s.face.tabs.SelectIndex(0)
		p.s.Show(p.s.sources[at].ID)
	}
}

// measured measures all suites that belong to the one that is ranked on.
func (p *conditionsPage) measured() {
	var got Shifted
	list, settings, from := family(p.s.sources, p.s.view.Material.Source), p.s.settings, p.s.deps.Store
	p.study.task.start("Measure LaF on shifted suites", func(ctx context.Context, progress *background.Progress) (err error) {
		got, err = measureShifted(ctx, from, list, settings, progress)
		return err
	}, func(err error) {
		if !p.study.ended(err) {
			return
		}
		p.got = got
		p.study.say(measuredText(got))
		p.arrange()
	})
}

// measuredText says which suites could not be measured, with the reason of the first, and what to do where there is nothing to
// compare; "" where all is there.
func measuredText(s Shifted) string {
	var list []string
	if len(s.Left) > 0 {
		list = append(list, fmt.Sprintf("%s left out: %s: %s", result.Counted(len(s.Left), "suite"), s.Left[0].Suite, present.Sentence(errors.New(s.Left[0].Reason.Text))))
	}
	if len(s.Rows) <= 1 {
		list = append(list, "There is nothing to compare with yet: make shifted suites (File, Shifted suites…) and run the models on them with the set plain.")
	}
	return strings.Join(list, " ")
}

// changed ends what is being measured and drops what was: it is of other models or images.
func (p *conditionsPage) changed() {
	p.impact.changed()
	p.study.task.stop()
	p.got = Shifted{}
	p.study.say("")
	p.arrange()
}

func (p *conditionsPage) show() {
	p.impact.show()
	p.measure.offer(nil)
	if p.s.view.Material.Source.Table || !p.s.view.Material.Source.Labels {
		p.study.start.Disable()
		p.study.say("Suites are compared by the true classes of their images, which are not known here.")
	} else if !p.study.task.busy() {
		p.study.start.Enable()
	}
	p.arrange()
}

// arrange shows the rows in the order of the chosen column, in the plot as in the table.
func (p *conditionsPage) arrange() {
	order, descending := arranged(p.got.sheet(), p.sorted, p.turned)
	rows := make([]rank.Conditions, len(order))
	for at, k := range order {
		rows[at] = p.got.Rows[k]
	}
	p.got.Rows = rows
	p.sheet = p.got.sheet()
	p.table.SetColumns(columnsOf(p.sheet))
	p.table.SetSort(p.sorted, descending)
	p.table.SelectRow(-1)
	p.table.Reload()
	p.save.Disable()
	if len(p.got.Rows) > 0 {
		p.save.Enable()
	}
	p.draw()
}

func (p *conditionsPage) draw() {
	d := p.got.Scatter(p.diversity.Selected == p.diversity.Options[1], p.measure.chosen())
	d.Note = p.s.view.Caption()
	p.scatter.SetData(d)
}

// saveTable asks for a file and writes the rows of the table with all digits, as the export of the ranking does.
func (p *conditionsPage) saveTable() {
	p.s.saver.Ask(figures.FileName("csv", "conditions", p.s.view.Material.Source.Name), func(w io.Writer) error {
		return rank.ConditionsTable.Sheet(p.s.face.written().Conditions).CSV(w, false)
	})
}

func (p *conditionsPage) close() {
	p.impact.close()
	p.study.task.stop()
}
