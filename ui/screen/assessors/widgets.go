package assessors

import (
	"cmp"
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

// widgets holds the screen's widgets: the form and the saved assessors at the left, the comparison
// and the pages about the chosen assessor at the right.
type widgets struct {
	s       *Screen
	form    *form
	saved   *savedPage
	compare *kit.Records[assess.Compared]
	fitted  fyne.CanvasObject
	heading *fynewidget.Label
	note    *fynewidget.Label
	name    *fynewidget.Label
	keep    *fynewidget.Button
	body    *fyne.Container
	top     *fyne.Container
	right   *kit.Screen[struct{}, struct{}] // nothing before the first training
	room    *fyne.Container                 // the split, or the right part alone
	split   *container.Split
	left    *fynewidget.Button // lists what was left out
	fold    *fynewidget.Button
	table   *fynewidget.Button // hides the comparison
	hidden  bool               // the comparison is hidden
	folded  bool
	chosen  bool // whether the form is folded was chosen by hand
	tabs    *kit.Tabs

	scores    *scoresPage
	inside    *insidePage
	judge     *judgePage
	doubts    *doubtsPage
	stability *stabilityPage
}

func newWidgets(s *Screen) *widgets {
	f := &widgets{s: s}
	f.form, f.saved = newForm(s), newSavedPage(s)
	f.heading, f.note = widget.Bold(""), widget.Wrapped("")
	f.heading.Truncation = fyne.TextTruncateEllipsis
	f.left = fynewidget.NewButton("", func() { f.s.showLeftOut() })
	f.left.Importance = fynewidget.LowImportance
	f.note.SizeName = theme.SizeNameCaptionText
	f.compare = &kit.Records[assess.Compared]{
		Host: f.s.host, Table: assess.Comparison, Plain: true,
		Colours: map[string]func(assess.Compared) fyne.ThemeColorName{
			"chance": func(assess.Compared) fyne.ThemeColorName { return theme.ColorNameWarning },
		},
		OnSelect: func(c assess.Compared, ok bool) {
			if ok {
				f.s.Choose(slices.IndexFunc(f.s.training.Entries,
					func(o assess.Compared) bool { return o.Settings.Algorithm == c.Settings.Algorithm }))
			}
		},
	}
	f.fitted = f.compare.Object()
	f.scores, f.inside, f.judge, f.doubts, f.stability = newScoresPage(s), newInsidePage(s), newJudgePage(s),
		newDoubtsPage(s), newStabilityPage(s)
	f.tabs = kit.NewTabs(s.host, "assessors",
		kit.Tab{Key: "scores", Title: "Scores", Page: f.scores},
		kit.Tab{Key: "inside", Title: "Inside", Page: f.inside},
		kit.Tab{Key: "verdicts", Title: "Verdicts", Page: f.judge},
		kit.Tab{Key: "doubts", Title: "Doubts", Page: f.doubts},
		kit.Tab{Key: "stability", Title: "Stability and transfer", Page: f.stability})
	f.name = fynewidget.NewLabel("")
	f.name.Truncation, f.name.Alignment = fyne.TextTruncateEllipsis, fyne.TextAlignTrailing
	f.keep = fynewidget.NewButtonWithIcon("Keep…", theme.DocumentSaveIcon(), f.openKeep)
	f.fold = fynewidget.NewButtonWithIcon("", nil, func() {
		f.chosen = true
		f.foldForm(!f.folded)
	})
	f.fold.Importance = fynewidget.LowImportance
	guide := s.host.IconButton(theme.HelpIcon(), "What the guide says of assessors", s.actions.Guide)
	guide.Importance = fynewidget.LowImportance
	about := container.NewBorder(nil, nil, nil, container.NewHBox(guide, f.keep), f.name)
	f.table = fynewidget.NewButtonWithIcon("", nil, func() { f.hideComparison(!f.hidden) })
	f.table.Importance = fynewidget.LowImportance
	f.top = container.NewBorder(nil, nil, f.fold, container.NewHBox(f.left, f.table), f.heading)
	f.tabs.Beside(about)
	f.body = container.New(above{func() int { return len(f.compare.Shown()) }}, f.top, f.fitted, f.note,
		f.tabs.Object())
	f.hideComparison(false)
	empty := kit.Empty{Text: "Train assessors on the labels of a round, or of a column of the training records: they " +
		"learn which variance matrices people call invariant or variant, and judge models that nobody has labelled. " +
		"The form at the left begins as in the ML4ML paper [1]; saved assessors are beside it."}
	f.right = kit.New(kit.Screen[struct{}, struct{}]{
		Host: s.host, Key: "assessors.subject", Body: f.body, Tabs: f.tabs,
		Load:  func(struct{}) kit.Work[struct{}] { return nil },
		Empty: func(struct{}) (kit.Empty, bool) { return empty, s.subject == nil },
		Show: func(struct{}) {
			f.name.SetText(f.s.subject.title())
			if f.s.subject.File != nil {
				f.compare.Select("")
			}
			f.hideComparison(f.hidden)
		},
	})
	left := container.NewAppTabs(widget.NewTab("Train", f.form.object), widget.NewTab("Saved", f.saved.object))
	f.split = container.NewHSplit(left, f.right.Object())
	f.split.Offset = 0.22
	f.room = container.NewStack()
	f.foldForm(false)
	return f
}

// foldForm hides the form and the saved assessors, which gives their room to the pages, or shows
// them again.
func (f *widgets) foldForm(folded bool) {
	f.folded = folded
	if folded {
		f.room.Objects = []fyne.CanvasObject{f.right.Object()}
		f.fold.SetIcon(theme.MenuDropDownIcon())
		f.fold.SetText("Show form")
	} else {
		f.room.Objects = []fyne.CanvasObject{f.split}
		f.split.Refresh()
		f.fold.SetIcon(theme.MenuDropUpIcon())
		f.fold.SetText("Hide form")
	}
	f.room.Refresh()
}

// hideComparison gives the room of the comparison to the pages, or shows it again. A saved
// assessor that is looked at while nothing was trained has none.
func (f *widgets) hideComparison(hide bool) {
	f.hidden = hide
	f.table.SetIcon(theme.MenuDropUpIcon())
	f.table.SetText("Hide table")
	if hide {
		f.table.SetIcon(theme.MenuDropDownIcon())
		f.table.SetText("Show table")
	}
	f.table.Hidden = f.s.training == nil
	f.note.Hidden = hide || f.s.training == nil
	widget.Show(f.fitted, !f.note.Hidden)
	f.body.Refresh()
}

// showTraining shows the comparison of a training.
func (f *widgets) showTraining(l *Training) {
	f.heading.SetText(l.Heading())
	models := map[string]bool{}
	for _, one := range l.Left {
		models[cmp.Or(one.Hash, one.ID)] = true
	}
	f.left.SetText(fmt.Sprintf("Left out: %d…", len(models)))
	f.left.Hidden = len(l.Left) == 0
	f.note.SetText(l.Note())
	f.compare.Select("")
	f.compare.Set(l.Entries)
	f.stability.forget()
	clear(f.judge.resampled) // of assessors that are gone
	f.hideComparison(false)
	if !f.chosen {
		f.foldForm(true) // what comes now is to be looked at; it is one click away
	}
}

// showLeftOut lists the models that take no part in the training.
func (s *Screen) showLeftOut() {
	if s.training == nil {
		return
	}
	list := &kit.Records[assess.LeftOut]{Host: s.host, Table: assess.LeftOuts}
	list.Set(s.training.Left)
	d := dialog.NewCustom("Left out", "Close", widget.Fitting(list.Object(), s.host.Window), s.host.Window)
	d.Resize(fyne.NewSize(640, 420))
	d.Show()
}

// follow shows whether work is under way; job is nil when it is not.
func (f *widgets) follow(job *jobs.Job) {
	f.form.follow(job)
	f.stability.ready()
	f.judge.ready()
}

// menuBelow opens a menu below a button.
func (s *Screen) menuBelow(button *fynewidget.Button, items ...*fyne.MenuItem) {
	widget.PopUpBelow(button, s.host.Window.Canvas(), items...)
}
