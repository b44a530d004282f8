package findings

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// lessonPart is how well assessors do the annotators' work per interpolant: the paper's Table 3.
type lessonPart struct {
	p           *Page
	task        Task
	lesson      Lesson
	of          Task // that lesson is of
	asking      background.Latest
	train       *errand
	repetitions *widget.Entry
	seed        *widget.Entry
	line        *fynewidget.Label
	list        *kit.Records[LessonLine]
	bars        *widget.Bars
	shown       fyne.CanvasObject
	empty       *widget.Vacancy
	content     fyne.CanvasObject
}

func newLessonPart(p *Page) *lessonPart {
	l := &lessonPart{p: p, task: usualTask(), line: caption(""), bars: widget.NewBars(), empty: widget.NewVacancy()}
	l.list = &kit.Records[LessonLine]{
		Host: p.host(), Table: lessonTable, Bare: true,
		Empty: "Nothing is trained with these numbers yet.",
	}
	l.train = newErrand(p, "Train assessors", l.learn)
	l.repetitions, l.seed = l.entry(strconv.Itoa(l.task.Repetitions)), l.entry(strconv.FormatUint(l.task.Seed, 10))
	l.bars.OnHover = p.deps.Host.Say
	l.bars.Menu = func() []*fyne.MenuItem {
		return p.saver.Entries(barsFigure(l.bars, "assessors", p.view.Selection.Name))
	}
	open := fynewidget.NewButtonWithIcon("Assessors…", theme.NavigateNextIcon(), func() { p.deps.Assess() })
	open.Hidden = p.deps.Assess == nil
	numbers := container.NewHBox(fynewidget.NewLabel("repetitions"), narrow(l.repetitions), fynewidget.NewLabel("seed"), narrow(l.seed))
	head := container.NewBorder(nil, nil, numbers, container.NewHBox(l.train.object(), open, p.exportButton(l)))
	split := container.NewHSplit(l.list.Object(), container.NewBorder(heading("Automation accuracy"), nil, nil, nil,
		container.NewVScroll(l.bars)))
	split.Offset = 0.62
	l.shown = container.NewBorder(head, l.line, nil, nil, split)
	l.content = container.NewStack(l.shown, l.empty.Object())
	return l
}

// entry takes a number; Return trains.
func (l *lessonPart) entry(text string) *widget.Entry {
	e := widget.NewEntry()
	e.SetText(text)
	e.OnChanged = func(string) { l.typed() }
	e.OnSubmitted = func(string) {
		if !l.train.busy() && !l.train.button.Disabled() {
			l.learn()
		}
	}
	e.OnEscape = l.p.Focus
	return e
}

// narrow is a field for a few digits.
func narrow(e *widget.Entry) fyne.CanvasObject {
	return container.NewGridWrap(fyne.NewSize(72*widget.Grown(), e.MinSize().Height), e)
}

// mostRepetitions bounds the work of a training.
const mostRepetitions = 1000

// typed takes what stands in the fields, and says what is wrong with it.
func (l *lessonPart) typed() {
	repetitions, err := strconv.Atoi(strings.TrimSpace(l.repetitions.Text))
	if err != nil || repetitions < 1 || repetitions > mostRepetitions {
		l.refuse(fmt.Sprintf("repetitions take a whole number from 1 to %d", mostRepetitions))
		return
	}
	seed, err := strconv.ParseUint(strings.TrimSpace(l.seed.Text), 10, 64)
	if err != nil {
		l.refuse("the seed takes a whole number from 0 on")
		return
	}
	l.task = Task{Repetitions: repetitions, Seed: seed}
	l.draw()
}

func (l *lessonPart) refuse(why string) {
	l.asking.Next() // what is being looked up is not asked for any more
	l.line.SetText(why)
	l.train.name("Train assessors", false)
}

func (l *lessonPart) learn() {
	data, task := l.p.view.Data, l.task
	l.train.start(fmt.Sprintf("Train assessors on the scenes of %s", data.Selection.Name), func(ctx context.Context, p *background.Progress) error {
		_, err := task.learn(ctx, l.p.deps.Workspace, &data, background.Stages{Progress: p})
		return err
	}, l.draw)
}

func (l *lessonPart) object() fyne.CanvasObject   { return l.content }
func (l *lessonPart) table() interface{ Focus() } { return l.list }
func (l *lessonPart) moved()                      { l.train.drop() }

func (l *lessonPart) close() {
	l.train.drop()
	l.asking.Next()
}

func (l *lessonPart) entries() []*fyne.MenuItem {
	return with(l.list.FileItems(), "Chart", l.bars.Menu())
}

// show implements part.
func (l *lessonPart) show() {
	text, help, empty := l.p.unlabelled()
	if empty {
		l.shown.Hide()
		l.empty.Say(text, help...)
		return
	}
	l.empty.Hide()
	l.shown.Show()
	l.draw()
}

// draw shows what was learned under the numbers that are typed. It is looked up in the background:
// its name is made of all rows.
func (l *lessonPart) draw() {
	task, data, ws := l.task, l.p.view.Data, l.p.deps.Workspace
	if task != l.of {
		l.put(Lesson{})
	}
	l.train.name("Train assessors", false)
	background.Load(l.p.deps.Host.Work, &l.asking, "look for trained assessors", func(context.Context) (lesson Lesson, _ error) {
		lesson, _ = task.kept(ws, &data)
		return lesson, nil
	}, func(lesson Lesson, err error) {
		if err == nil {
			l.of = task
			l.put(lesson)
			l.train.name("Train assessors", len(lesson.Lines) == 0)
			l.say()
		}
	})
}

// say says what was learned, or that nothing was.
func (l *lessonPart) say() {
	switch {
	case len(l.lesson.Lines) > 0:
		l.line.SetText(l.lesson.Note())
	default:
		l.line.SetText(fmt.Sprintf("Not trained with these numbers yet: every assessor on the matrices of every interpolant, %s.", present.ByCount(l.task.Repetitions, "%d repetition of 3 folds", "%d repetitions of 3 folds", l.task.Repetitions)))
	}
}

// put shows a lesson.
func (l *lessonPart) put(lesson Lesson) {
	l.lesson = lesson
	l.list.Set(lesson.Lines)
	l.bars.SetData(l.lesson.Bars())
}

// fewLabels is how many labelled models a training needs at the least: some of each class in every
// fold.
const fewLabels = 3

// unlabelled says why there are no labels to learn from, and what helps.
func (p *Page) unlabelled() (text string, help []widget.Help, empty bool) {
	v := p.view
	round := widget.Help{Text: "New round…", Icon: theme.ContentAddIcon()}
	if p.deps.NewRound != nil {
		round.Do = func() { p.deps.NewRound(v.Selection.Hash) }
	}
	switch {
	case v.Round.ID == "":
		return fmt.Sprintf("Nobody labels the matrices of %s yet. Assessors learn from the annotators of a round: make one, label the models on the Label screen, and come back.", v.Selection.Name),
			[]widget.Help{round}, true
	case v.Secret:
		return fmt.Sprintf("Round %s is blind and still open: an assessor would show its annotators what the others said. Close the round first, on the Agreement screen.", v.Round.Name), nil, true
	case v.labelled() < fewLabels:
		return fmt.Sprintf("%s of %s in round %s: too few to learn from. Label more of them on the Label screen.", present.ByCount(v.labelled(), "%d labelled model", "%d labelled models", v.labelled()),
			strconv.Itoa(len(v.Rows)), v.Round.Name), nil, true
	}
	return "", nil, false
}
