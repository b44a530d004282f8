package assessors

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	measure "github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/kit/evidence"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// Scores are the numbers behind one line of the comparison.
type Scores struct {
	None             string // why there are none, "" where there are
	Classes          []string
	Confusion        [][]int
	ROC, PR, Calibre result.Figure
	Facts            []evidence.Fact
	// Kappas are annotators and assessor (rows) against each other and the majority (last column).
	KappaColumns, KappaRows []string
	Kappas                  [][]widget.GridCell
	KappaNote               string
}

// BuildScores measures an evaluated subject; a saved one has its scores in its file.
func BuildScores(s Subject) Scores {
	if s.Evaluation == nil {
		return Scores{None: s.savedScores()}
	}
	e := s.Evaluation
	v := Scores{
		Classes: classWords(s.Assessor), Confusion: e.Metrics.Confusion, Facts: facts(s),
		ROC: e.ROCFigure(s.Name), PR: e.PRFigure(s.Name), Calibre: e.CalibrationFigure(s.Name),
	}
	t := assess.Join(s.Data, s.votes(), s.Name, measure.Options{})
	reference := "majority"
	if t.Reference == assess.TrainingLabel {
		reference = "label"
	}
	n := len(t.Report.Raters)
	v.KappaRows, v.KappaNote = t.Report.Raters, t.Report.Note
	v.KappaColumns = append(slices.Clone(t.Report.Raters), reference)
	v.Kappas = make([][]widget.GridCell, n)
	for a := range n {
		v.Kappas[a] = slices.Repeat([]widget.GridCell{{Text: present.None, Shade: -1}}, n+1)
		for b := range n {
			if p, ok := t.Report.Pair(a, b); ok {
				v.Kappas[a][b] = kappaCell(p.Cohen)
			}
		}
	}
	for _, against := range t.Report.VsMajority {
		if against.Index < n {
			v.Kappas[against.Index][n] = kappaCell(against.Cohen)
		}
	}
	return v
}

func classWords(a *assess.Assessor) []string {
	list := make([]string, len(a.Classes))
	for k, c := range a.Classes {
		list[k] = string(c)
	}
	return list
}

// facts are all numbers of the comparison's line, with the largest deviations of a repetition
// beside their means, and the mean accuracies of the folds over the repetitions.
func facts(s Subject) (lines []evidence.Fact) {
	of := []assess.Compared{{Settings: s.Assessor.Settings, Evaluation: *s.Evaluation, Data: &s.Data}}
	for _, f := range assess.Comparison.Sheet(of).Fields[1:] {
		switch last := len(lines) - 1; {
		case f.Show == result.FileOnly:
		case strings.HasSuffix(f.Key, "largest_deviation"):
			lines[last].Value += " ± " + f.Say(0)
		default:
			lines = append(lines, evidence.Fact{Name: f.Title, Value: f.Say(0)})
		}
	}
	var names []string
	sums, times := map[string]float64{}, map[string]float64{}
	for _, f := range assess.FoldsOf(of) {
		if times[f.Name]++; times[f.Name] == 1 {
			names = append(names, f.Name)
		}
		sums[f.Name] += f.Accuracy
	}
	for _, name := range names {
		lines = append(lines, evidence.Fact{
			Name: "tested on " + name, Value: result.Share.Say(sums[name]/times[name], 2),
		})
	}
	return lines
}

func kappaCell(c measure.Cohen) widget.GridCell {
	cell := present.KappaCell(c.Kappa.Value.Number(), c.Kappa.Value.Reason.Text)
	if cell.Hint == "" {
		cell.Hint = fmt.Sprintf("%s, %s", c.Kappa.Words, result.Counted(c.N, "common model"))
	}
	return widget.GridCell{Text: cell.Text, Hint: cell.Hint, Shade: cell.Shade}
}

// scoresPage is what lies behind a line of the comparison: confusion, curves, and the assessor
// among the annotators.
type scoresPage struct {
	*kit.Screen[struct{}, Scores]
	confusion        *widget.Confusion
	kappas           *widget.KappaTable
	kappaNote        *fynewidget.Label
	roc, pr, calibre *kit.Figure
	facts            *evidence.Facts
	pairs            *kit.Records[assess.PairOf]
	ceilings         *kit.Records[assess.Ceiling]
	parts            *kit.Tabs
}

func newScoresPage(s *Screen) *scoresPage {
	chart := func(name string) *kit.Figure {
		return &kit.Figure{
			Host: s.host, Name: func() []string { return []string{s.fileName(), name} },
			Command: func() string { return s.trained("") },
		}
	}
	p := &scoresPage{
		confusion: widget.NewConfusion(), kappas: widget.NewKappaTable(), kappaNote: widget.Wrapped(""),
		roc: chart("roc"), pr: chart("precision-recall"), calibre: chart("calibration"),
		facts: evidence.NewFacts(s.host, "measure", widget.Keys{}),
		pairs: &kit.Records[assess.PairOf]{
			Host: s.host, Table: assess.Pairs, Empty: "One assessor was trained: there is none to compare it with.",
		},
		ceilings: &kit.Records[assess.Ceiling]{
			Host: s.host, Table: assess.Ceilings,
			Empty: "The ceiling is known where " +
				"two annotators or more have labelled the same models.",
		},
	}
	p.confusion.OnHint, p.kappas.OnHint = s.host.Say, s.host.Say
	p.kappaNote.SizeName = theme.SizeNameCaptionText
	charts := container.NewGridWithColumns(3, p.roc.Object(), p.pr.Object(), p.calibre.Object())
	verdicts := container.NewVBox(widget.Bold("Verdicts on unseen models"), p.confusion)
	kappas := container.NewVBox(widget.Bold("Among the annotators: Cohen's kappa"),
		container.NewHScroll(aboveBar(p.kappas)), p.kappaNote)
	tables := container.NewBorder(nil, nil, verdicts, nil, kappas)
	lower := container.NewHSplit(container.NewVScroll(tables), p.facts.Object())
	lower.Offset = 0.74 // three annotators, the assessor and the majority side by side
	p.parts = kit.NewTabs(s.host, "assessors.scores",
		kit.Tab{Key: "one", Title: "This assessor", Page: &kit.Panel{Body: container.NewVSplit(charts, lower)}},
		kit.Tab{
			Key: "pairs", Title: "Differences between assessors",
			Page: &kit.Panel{Body: p.pairs.Object(), Keys: p.pairs.Focus},
		},
		kit.Tab{Key: "ceiling", Title: "Ceiling", Page: &kit.Panel{Body: p.ceilings.Object(), Keys: p.ceilings.Focus}})
	p.Screen = kit.New(kit.Screen[struct{}, Scores]{
		Host: s.host, Name: "Measure scores", Doing: "Measuring scores…", Key: "assessors.scores", Quiet: true,
		Tabs: p.parts,
		Load: func(struct{}) kit.Work[Scores] {
			subject := *s.subject
			return func(context.Context, engine.Progress) (Scores, error) { return BuildScores(subject), nil }
		},
		Empty: func(v Scores) (kit.Empty, bool) { return kit.Empty{Text: v.None}, v.None != "" },
		Show: func(v Scores) {
			p.roc.Set(v.ROC)
			p.pr.Set(v.PR)
			p.calibre.Set(v.Calibre)
			p.facts.Show(v.Facts)
			p.confusion.SetCounts("label", "verdict", v.Classes, v.Confusion)
			p.kappas.SetCells("", v.KappaColumns, v.KappaRows, v.Kappas)
			p.kappaNote.SetText(v.KappaNote)
			p.Body.Refresh()
			p.pairs.Set(s.training.Pairs) // an evaluated subject is of a training
			p.ceilings.Set(s.training.Ceilings)
		},
	})
	return p
}

// aboveBar keeps room below an object for the bar that scrolls it to the side, which would cover
// its last line.
func aboveBar(o fyne.CanvasObject) fyne.CanvasObject {
	return container.New(layout.NewCustomPaddedLayout(0, theme.ScrollBarSize(), 0, 0), o)
}
