package findings

import (
	"context"
	"fmt"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/tables"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/training"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
)

// accuracyPart is how well assessors do the annotators' work per interpolant: the paper's Table 3.
type accuracyPart struct {
	*kit.Screen[training.AutomationOptions, training.Automated]
	p     *Page
	train *task
	line  *fynewidget.Label
	list  *kit.Records[tables.Automation]
	bars  *kit.Figure
}

func newAccuracyPart(p *Page) *accuracyPart {
	l := &accuracyPart{p: p, line: caption(""), bars: p.figure("assessors")}
	l.list = &kit.Records[tables.Automation]{
		Host: p.Host, Table: tables.Automations.Place(result.Offered, "fit_accuracy", "fit_kappa"), Plain: true,
		Empty: "Nothing is trained with these numbers yet.",
	}
	l.train = newTask(p, "Train assessors", l.learn)
	head := []fyne.CanvasObject{l.train.object(), p.MenuButton("Export…", theme.DocumentSaveIcon(), l.entries)}
	if p.site.Assess != nil {
		open := fynewidget.NewButtonWithIcon("Assessors…", theme.NavigateNextIcon(), func() { p.site.Assess() })
		head = []fyne.CanvasObject{head[0], open, head[1]}
	}
	split := container.NewHSplit(l.list.Object(), titled("Automation accuracy", l.bars.Object()))
	split.Offset = 0.69
	l.Screen = kit.New(kit.Screen[training.AutomationOptions, training.Automated]{
		Host: p.Host, Name: "Look for trained assessors", Doing: "Looking for trained assessors…",
		Key: "findings.assessors", Quiet: true,
		Load: func(o training.AutomationOptions) kit.Work[training.Automated] { // its name is made of all rows
			of, ws := p.view.automation(), p.site.Workspace
			l.train.name("Train assessors", false)
			return func(context.Context, engine.Progress) (training.Automated, error) {
				kept, _ := o.Kept(ws, of)
				return kept, nil
			}
		},
		Form: &kit.Form[training.AutomationOptions]{Command: p.automation}, Beside: true, Head: head,
		Body:  container.NewBorder(nil, l.line, nil, nil, split),
		Empty: func(training.Automated) (kit.Empty, bool) { return p.unlabelled() }, Show: l.show, Keys: l.list.Focus,
		OnClosed: l.train.drop,
	})
	l.bars.Command = l.Form.CommandLine
	return l
}

// automation is the command that trains assessors as the options say, none without labels.
func (p *Page) automation(o training.AutomationOptions) (words []string, options any) {
	if p.view.labelled() == 0 {
		return nil, nil
	}
	var eval assess.EvalOptions
	option.SetDefaults(&eval)
	scheme := assess.UsualScheme(feature.DefaultBackgroundLayout(), o.Seed)
	eval.Selection, eval.Labels, eval.PerInterpolant = p.view.Selection.Name, p.view.Round.ID, true
	eval.Scheme, eval.Folds, eval.Repetitions, eval.Seed = scheme.Kind, scheme.Folds, o.Repetitions, o.Seed
	return []string{"variscope", "assess", "eval", p.site.Workspace.Path()}, &eval
}

// automation is what assessors learn from.
func (d *Data) automation() training.AutomationOf {
	of := training.AutomationOf{Selection: d.Selection.Hash, Round: d.Round.ID}
	for _, r := range d.Rows {
		of.Models = append(of.Models, [3]string{r.Model.Hash, r.Key, string(r.Label)})
	}
	return of
}

func (l *accuracyPart) learn() {
	of, o := l.p.view.automation(), l.Options()
	l.train.start(fmt.Sprintf("Train assessors on the scenes of %s", l.p.view.Selection.Name),
		func(ctx context.Context, p *jobs.Progress) error {
			_, err := o.Train(ctx, l.p.site.Workspace, of, jobs.Stages{Progress: p})
			return err
		}, l.Changed)
}

func (l *accuracyPart) entries() []*fyne.MenuItem {
	return with(l.list.FileItems(), "Chart", l.bars.Entries())
}

// show shows what was learned, or that nothing was.
func (l *accuracyPart) show(trained training.Automated) {
	l.train.name("Train assessors", len(trained.Lines) == 0)
	text := fmt.Sprintf("Not trained with these numbers yet: every assessor on the matrices of every interpolant, "+
		"%s of 3 folds.", result.Counted(l.Options().Repetitions, "repetition"))
	if len(trained.Lines) > 0 {
		text = trained.Note()
	}
	l.line.SetText(text)
	l.list.Set(trained.Automations())
	l.bars.Set(automationBars(trained))
}

// fewLabels is how many labelled models a training needs at the least: some of each class in every
// fold.
const fewLabels = 3

// unlabelled says why there are no labels to learn from, and what helps.
func (p *Page) unlabelled() (e kit.Empty, is bool) {
	v := p.view
	switch {
	case v.Round.ID == "":
		round := kit.Help{Text: "New round…", Icon: theme.ContentAddIcon()}
		if p.site.NewRound != nil {
			round.Do = func() { p.site.NewRound(v.Selection.Hash) }
		}
		return kit.Empty{
			Help: []kit.Help{round},
			Text: fmt.Sprintf("Nobody labels the matrices of %s yet. Assessors learn from the annotators "+
				"of a round: make one, label the models on the Label screen, and come back.", v.Selection.Name),
		}, true
	case v.Secret:
		return kit.Empty{Text: fmt.Sprintf("Round %s is blind and still open: an assessor would show its annotators "+
			"what the others said. Close the round first, on the Agreement screen.", v.Round.Name)}, true
	case v.labelled() < fewLabels:
		return kit.Empty{Text: fmt.Sprintf("%s of %s in round %s: "+
			"too few to learn from. Label more of them on the Label screen.",
			result.Counted(v.labelled(), "labelled model"), result.Whole(len(v.Rows)), v.Round.Name)}, true
	}
	return e, false
}

// automationBars are the automation accuracies, algorithm by algorithm, with the largest deviation
// as a whisker.
func automationBars(l training.Automated) result.Figure {
	d := result.Figure{
		Title: "Automation accuracy", Note: l.Note(), Empty: "no assessor was trained yet",
		X: result.Axis{Name: "automation accuracy; whisker: largest deviation", Format: result.Share},
		Groups: []result.Group{
			{Name: "all matrices", Look: result.LookNone}, {Name: "those of an interpolant", Look: result.Category(0)},
		},
	}
	for _, a := range assess.Algorithms() {
		for _, one := range l.Automations() {
			if one.Settings.Algorithm != a || one.Problem != nil || math.IsNaN(one.Accuracy.Mean) {
				continue
			}
			name := a.Title(true)
			group := 0
			if one.Interpolant != "" {
				name, group = fmt.Sprintf("%s, %s", name, one.Interpolant), 1
			}
			text := result.Share.Say(one.Accuracy.Mean, 0)
			line := fmt.Sprintf("%s: automation accuracy %s, kappa %s", name, text,
				result.Coefficient.Say(one.Kappa.Mean, 0))
			bar := d.AddBar(name, text, line, 0, one.Accuracy.Mean, group)
			bar.Low, bar.High = one.Accuracy.Mean-one.Accuracy.Largest, one.Accuracy.Mean+one.Accuracy.Largest
		}
	}
	return d
}
