package assessors

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/tree"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// form is where a training is put together.
type form struct {
	s      *Screen
	object fyne.CanvasObject
	offer  Offer
	draft  Draft
	quiet  bool

	source, borderline, scheme, group *fynewidget.Select
	scenes, set                       *fynewidget.Select
	boosting, score, profile          *fynewidget.Select
	entries                           map[*string]*fynewidget.Entry // by the field of draft that they fill
	algorithms                        *fynewidget.CheckGroup
	measures, interpolants            *fynewidget.CheckGroup
	tune, zScores                     *fynewidget.Check
	rows                              map[string]*fyne.Container // those that a scheme has or has not
	caution, problem                  *fynewidget.Label
	train, cancel                     *fynewidget.Button // one is there while the other is not
	copy                              *fynewidget.Button // of the command
}

func newForm(s *Screen) *form {
	f := &form{s: s, draft: newDraft(), entries: map[*string]*fynewidget.Entry{}, rows: map[string]*fyne.Container{}}
	f.quiet = true
	f.makeMenus()
	f.problem = wrapped("")
	f.problem.Importance = fynewidget.DangerImportance
	f.problem.Hide()
	f.train = fynewidget.NewButtonWithIcon("Train and compare", theme.MediaPlayIcon(), func() { s.Train(f.draft) })
	f.train.Importance = fynewidget.HighImportance
	f.cancel = fynewidget.NewButtonWithIcon("Cancel", theme.CancelIcon(), s.Cancel)
	f.cancel.Hide()
	f.caution = wrapped("")
	f.caution.Importance = fynewidget.WarningImportance
	f.caution.Hide()
	f.copy = fynewidget.NewButtonWithIcon("Copy as command", theme.ContentCopyIcon(), func() {
		fyne.CurrentApp().Clipboard().SetContent(f.draft.command(s.ws.Path(), f.offer.Here))
		s.host.Say("command copied")
	})
	foot := container.NewVBox(f.problem, f.train, f.cancel, f.copy)
	f.object = container.NewBorder(nil, foot, nil, nil, container.NewVScroll(container.NewPadded(f.fields())))
	f.quiet = false
	f.check() // nothing can be trained before it is known what there is
	f.say("")
	return f
}

func (f *form) makeMenus() {
	f.source = fynewidget.NewSelect(nil, func(string) { f.turn(func() { f.offer.take(&f.draft, f.source.SelectedIndex()) }) })
	f.source.PlaceHolder = "no labels yet"
	f.scenes = f.menu(nil, func(k int) { f.turn(func() { f.draft.measure(f.offer.selection(k)) }) })
	f.set = f.menu(names(feature.Sets(), setName), func(k int) { f.draft.Measurements = feature.Sets()[k] })
	f.measures = fynewidget.NewCheckGroup(feature.BackgroundModalities(), func(chosen []string) {
		f.change(func() { f.draft.Measures = inOrder(feature.BackgroundModalities(), chosen) })
	})
	f.interpolants = fynewidget.NewCheckGroup(nil, func(chosen []string) {
		f.change(func() { f.draft.Interpolants = inOrder(f.interpolants.Options, chosen) })
	})
	f.interpolants.Horizontal = true
	f.borderline = f.menu(names(borderlines(), borderlineName), func(k int) { f.draft.Borderline = borderlines()[k] })
	f.scheme = f.menu(names(schemeKinds(), assess.SchemeKind.Title), func(k int) { f.draft.Scheme = schemeKinds()[k] })
	f.group = f.menu(nil, func(k int) { f.draft.Group = f.offer.Groups[k] })
	f.group.PlaceHolder = "choose a column"
	f.boosting = f.menu([]string{string(tree.SAMMER), string(tree.SAMME)}, func(k int) { f.draft.Boosting = []tree.Boosting{tree.SAMMER, tree.SAMME}[k] })
	f.score = f.menu(names(scores(), scoreNamer(false)), func(k int) { f.draft.Score = scores()[k] })
	profiles := []feature.Profile{feature.Paper, feature.Refcode}
	f.profile = f.menu([]string{"printed formulas", "published code"}, func(k int) { f.draft.Profile = profiles[k] })
	f.algorithms = fynewidget.NewCheckGroup(names(assess.Algorithms(), namer(false)), func(chosen []string) {
		f.change(func() {
			f.draft.Algorithms = nil
			for _, a := range assess.Algorithms() {
				if slices.Contains(chosen, namer(f.draft.OfScenes())(a)) {
					f.draft.Algorithms = append(f.draft.Algorithms, a)
				}
			}
		})
	})
	f.tune = fynewidget.NewCheck("tune (nested cross-validation)", func(on bool) { f.change(func() { f.draft.Tune = on }) })
	f.zScores = fynewidget.NewCheck("regression on z-scores", func(on bool) { f.change(func() { f.draft.ZScores = on }) })
}

// inOrder are the chosen ones of a list, in its order.
func inOrder(list, chosen []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(name string) bool { return !slices.Contains(chosen, name) })
}

// names are the texts of a menu.
func names[T any](list []T, name func(T) string) []string {
	texts := make([]string, len(list))
	for k, item := range list {
		texts[k] = name(item)
	}
	return texts
}

func (f *form) menu(options []string, chosen func(k int)) *fynewidget.Select {
	var menu *fynewidget.Select
	menu = fynewidget.NewSelect(options, func(string) {
		if k := menu.SelectedIndex(); k >= 0 {
			f.change(func() { chosen(k) })
		}
	})
	return menu
}

// fields are the form's lines: a caption above each field, since the form is narrow.
func (f *form) fields() *fyne.Container {
	d := &f.draft
	line := func(key, caption string, field fyne.CanvasObject) *fyne.Container {
		f.rows[key] = container.NewVBox(small(caption), field)
		return f.rows[key]
	}
	pair := func(a, b *fyne.Container) *fyne.Container { return container.NewGridWithColumns(2, a, b) }
	number := func(key, caption string, into *string) *fyne.Container {
		return line(key, caption, f.entry(into, "default"))
	}
	advanced := container.NewVBox(
		pair(number("depth", "Largest depth", &d.MaxDepth), number("leaf", "Models in a leaf", &d.MinLeaf)),
		pair(number("trees", "Trees of the forest", &d.Trees), number("columns", "Features per split", &d.Columns)),
		line("boosting", "AdaBoost algorithm", f.boosting),
		pair(number("rounds", "AdaBoost rounds", &d.Rounds), number("rate", "Learning rate", &d.LearningRate)),
		f.zScores,
		line("score", "Score of the baseline", f.score),
		line("profile", "Features by the", f.profile))
	fold := fynewidget.NewAccordion(fynewidget.NewAccordionItem("Advanced", advanced))
	matrices := f.entry(&d.Matrices, "max@CONF, mean@CONV-1")
	matrices.MultiLine, matrices.Wrapping = true, fyne.TextWrapWord
	matrices.SetMinRowsVisible(3)
	return container.NewVBox(
		line("source", "Labels", f.source),
		line("scenes", "Matrices of", f.scenes),
		f.caution,
		line("borderline", "Borderline is", f.borderline),
		line("algorithms", "Assessors", f.algorithms),
		line("scheme", "Scheme", f.scheme),
		line("holdout", "Hold-out models (column=value)", f.entry(&d.Holdout, "none: stratified 3-fold")),
		line("group", "Groups by", f.group),
		evidence.Columns(line("repetitions", "Repetitions", f.entry(&d.Repetitions, "10")), line("folds", "Folds", f.entry(&d.Folds, "3")),
			line("seed", "Seed", f.entry(&d.Seed, "1"))),
		f.tune,
		line("matrices", "Matrices", matrices),
		line("measures", "Measures", f.measures),
		line("interpolants", "Interpolants", f.interpolants),
		line("set", "Measurements of each matrix", f.set),
		fold)
}

// entry is a field for a text of the draft.
func (f *form) entry(into *string, hint string) *fynewidget.Entry {
	e := fynewidget.NewEntry()
	e.SetPlaceHolder(hint)
	e.OnChanged = func(text string) { f.change(func() { *into = text }) }
	f.entries[into] = e
	return e
}

func small(text string) *fynewidget.Label {
	l := fynewidget.NewLabel(text)
	l.SizeName = theme.SizeNameCaptionText
	l.Importance = fynewidget.LowImportance
	return l
}

// change notes what was typed or chosen and checks it.
func (f *form) change(note func()) {
	if f.quiet {
		return
	}
	note()
	f.check()
}

func (f *form) check() {
	show := func(key string, on bool) { widget.Show(f.rows[key], on) }
	show("holdout", f.draft.Scheme == assess.PaperScheme)
	show("group", f.draft.Scheme == assess.LeaveGroupOut)
	show("folds", f.draft.Scheme == assess.KFold)
	show("repetitions", f.draft.Scheme != assess.LeaveGroupOut)
	scenes := f.draft.OfScenes()
	show("scenes", f.draft.Round == "" && len(f.offer.Scenes) > 0)
	show("matrices", !scenes)
	show("measures", scenes)
	show("interpolants", scenes)
	show("set", scenes)
	show("profile", !scenes) // the published code measures no interpolated matrices
	_, err := f.draft.Plan()
	if err == nil {
		err = f.offer.refusal(f.draft)
	}
	f.caution.SetText(f.offer.warning(f.draft))
	f.caution.Hidden = f.caution.Text == ""
	f.say(present.Sentence(err))
	widget.Enable(f.train, err == nil && !f.s.busy())
	widget.Enable(f.copy, err == nil)
}

// say shows what is wrong, "" for nothing.
func (f *form) say(problem string) {
	f.problem.SetText(problem)
	f.problem.Hidden = problem == ""
}

// turn notes a choice that may change the kind of matrices, and with it what else is chosen.
func (f *form) turn(note func()) {
	if f.quiet {
		return
	}
	before := f.draft.OfScenes()
	note()
	if f.draft.OfScenes() != before {
		f.show(f.offer, f.draft)
	}
	f.check()
}

// show fills the form in.
func (f *form) show(o Offer, d Draft) {
	f.quiet = true
	f.offer, f.draft = o, o.begin(d)
	scenes := f.draft.OfScenes()
	f.source.SetOptions(o.sources())
	f.source.ClearSelected()
	f.source.SetSelectedIndex(o.source(f.draft))
	f.scenes.SetOptions(o.places())
	f.scenes.ClearSelected()
	f.scenes.SetSelectedIndex(o.scenes(f.draft) + 1)
	f.set.SetSelectedIndex(max(slices.Index(feature.Sets(), f.draft.Measurements), 0))
	f.measures.SetSelected(f.draft.Measures)
	f.interpolants.Options = o.interpolants(f.draft)
	f.interpolants.SetSelected(f.draft.Interpolants)
	f.group.SetOptions(o.Groups)
	f.group.ClearSelected()
	f.group.SetSelectedIndex(slices.Index(o.Groups, f.draft.Group))
	f.borderline.SetSelectedIndex(max(slices.Index(borderlines(), f.draft.Borderline), 0))
	f.scheme.SetSelectedIndex(max(slices.Index(schemeKinds(), f.draft.Scheme), 0))
	f.score.SetOptions(names(scores(), scoreNamer(scenes)))
	f.score.SetSelectedIndex(max(slices.Index(scores(), f.draft.Score), 0))
	f.boosting.SetSelected(string(f.draft.Boosting))
	f.profile.SetSelectedIndex(max(slices.Index([]feature.Profile{feature.Paper, feature.Refcode}, f.draft.Profile), 0))
	f.algorithms.Options = names(assess.Algorithms(), namer(scenes))
	f.algorithms.SetSelected(names(f.draft.Algorithms, namer(scenes)))
	f.tune.SetChecked(f.draft.Tune)
	f.zScores.SetChecked(f.draft.ZScores)
	for into, e := range f.entries {
		e.SetText(*into)
	}
	f.quiet = false
	f.check()
}

// follow offers to cancel the work that is under way, or, when job is nil, to train.
func (f *form) follow(job *background.Job) {
	f.train.Hidden, f.cancel.Hidden = job != nil, job == nil
	f.train.Refresh()
	widget.Enable(f.cancel, job != nil && !job.Snapshot().Cancelling)
	f.check()
}
