package assessors

import (
	"cmp"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

// form asks for a training: for the options of the command assess eval, of which the labels are
// chosen from rounds and columns together.
type form struct {
	*kit.Form[assess.EvalOptions]
	s      *Screen
	object fyne.CanvasObject
	offer  FormChoices
	labels *widget.Picker
	// scened tells for which kind of matrices the options were chosen
	// (assess.DataOptions.Selection), other has the matrices that were chosen for the other kind.
	scened              bool
	other               string
	caution             *fynewidget.Label
	train, cancel, copy *fynewidget.Button // train is there while cancel is not
}

func newForm(s *Screen) *form {
	f := &form{s: s, caution: widget.Wrapped("")}
	f.caution.Importance = fynewidget.WarningImportance
	f.train = fynewidget.NewButtonWithIcon("Train and compare", theme.MediaPlayIcon(), func() {
		if f.Complete() {
			s.Train(f.Options())
			return
		}
		f.settle()
	})
	f.train.Importance = fynewidget.HighImportance
	f.cancel = fynewidget.NewButtonWithIcon("Cancel", theme.CancelIcon(), s.Cancel)
	f.copy = fynewidget.NewButtonWithIcon("Copy as command", theme.ContentCopyIcon(), func() {
		f.Entries()[0].Action()
	})
	f.Form = &kit.Form[assess.EvalOptions]{
		Host: s.host, Key: "assessors", Narrow: true, Choices: f.choices, Named: f.named, Own: f.own,
		Hide: []string{
			"suite", "family", "column", "ties", "images", "raster", "stability", "transfer", "intervals",
			"per-interpolant", "coverage",
		},
		Folded: []string{
			"profile", "max-depth", "min-leaf", "trees", "tree-columns", "boosting", "rounds", "learning-rate",
			"z-scores", "score",
		},
		Refuse:   func(o assess.EvalOptions) error { return f.offer.refusal(o) },
		OnChange: func(assess.EvalOptions) { f.settle() },
		Command:  func(o assess.EvalOptions) ([]string, any) { return s.command(f.offer.Here, o) },
	}
	f.Make()
	f.scened = f.Options().Selection != ""
	foot := container.NewVBox(f.caution, f.train, f.cancel, f.copy)
	f.object = container.NewBorder(nil, foot, nil, nil, f.Form.Object())
	f.follow(nil)
	f.train.Disable() // nothing can be trained before it is known what there is
	return f
}

// show fills the form in with what a workspace offers.
func (f *form) show(o FormChoices) {
	f.offer, f.labels.PlaceHolder = o, "no labels yet"
	now := sourceOf(f.Options())
	if !slices.ContainsFunc(o.sources(), func(s kit.Option) bool { return s.Key == now }) {
		f.Prepare(func() {
			f.choose(o.usualSource())
			if f.Options().Holdout == "" {
				f.put("holdout", o.Holdout)
			}
		})
	}
	f.Offer()
	f.settle()
}

// choose takes the labels of a source; those of a round are about its own matrices.
func (f *form) choose(source string) {
	kind, name, _ := strings.Cut(source, " ")
	wasRound := f.Options().Labels != ""
	texts := map[string]string{kind: name}
	f.put("labels", texts["round"])
	f.put("column", texts["column"])
	if wasRound && kind != "round" {
		f.put("selection", "")
	}
}

// put gives an option a text that it takes.
func (f *form) put(name, text string) {
	if err := f.Put(name, text); err != nil {
		f.s.host.Fail(err)
	}
}

// settle brings along what the papers do otherwise for the other kind of matrices, and what stands
// below the form.
func (f *form) settle() {
	if o := f.Options(); f.scened != (o.Selection != "") {
		f.scened = !f.scened
		matrices := f.other
		f.other = strings.Join(o.Modalities, ",")
		f.Prepare(func() {
			f.put("modalities", matrices)
			f.put("scheme", string(assess.UsualScheme(f.layout(), 1).Kind))
		})
		return // putting has settled
	}
	err := f.Err()
	f.caution.SetText(f.offer.warning(f.Options()))
	widget.Show(f.caution, f.caution.Text != "")
	widget.Enable(f.train, f.Wrong() == nil && !f.s.busy())
	widget.Enable(f.copy, err == nil)
}

// layout is the usual one for the kind of matrices that is chosen.
func (f *form) layout() feature.Layout {
	if f.Options().Selection != "" {
		return feature.DefaultBackgroundLayout()
	}
	return feature.DefaultLayout()
}

// choices are the entries of the menus of selections and of columns that sort models into groups.
func (f *form) choices(source string) ([]kit.Option, string) {
	o := f.Options()
	if source != "selections" {
		list := []kit.Option{{Name: "choose a column"}}
		for _, name := range f.offer.Groups {
			list = append(list, kit.Option{Key: name, Name: name})
		}
		return list, ""
	}
	r, ofRound := f.offer.round(o)
	list := []kit.Option{{Name: "the toolbar's family"}}
	for _, s := range f.offer.Scenes {
		list = append(list, kit.Option{Key: s.Hash, Name: "scenes of " + s.Name})
	}
	if !ofRound {
		return list, ""
	}
	list = slices.DeleteFunc(list, func(o kit.Option) bool { return o.Key != r.Selection })
	if len(list) == 0 {
		list = []kit.Option{{Key: r.Selection, Name: "scenes that are not here"}}
	}
	return list, ""
}

// named is the name of a choice; that of none is what is done without one.
func (f *form) named(option, choice string) string {
	scenes := f.Options().Selection != ""
	usual := ""
	if choice == "" {
		usual = " (default)"
		switch option {
		case "borderline":
			choice = f.Options().BorderlineOf(f.layout())
		case "boosting":
			choice = string(cmp.Or(assess.Usual(assess.AdaBoost, f.layout(), 1).Boosting, "SAMME.R"))
		case "measurements":
			choice = string(feature.DefaultBackgroundLayout().Background.Set)
		}
	}
	name := choice
	switch option {
	case "algorithm":
		name = assess.Algorithm(choice).Title(scenes)
	case "scheme":
		name = assess.SchemeKind(choice).Title()
	case "score":
		return assess.Score(choice).Title(scenes)
	default:
		name = cmp.Or(choiceNames[choice], choice)
	}
	return name + usual
}

// choiceNames are the names of choices of borderline labels, of formulas, and of sets of
// measurements.
var choiceNames = map[string]string{
	"leave": "left out", "keep": "a class of its own", "invariant": "counts as invariant",
	"variant": "counts as variant", "paper": "printed formulas", "refcode": "published code",
	string(feature.SceneSet):   "seven of interpolated matrices",
	string(feature.SixteenSet): "those of variance matrices, but asymm",
	string(feature.AllSet):     "both, 20 in all",
}

// own makes what asks for the labels, and for matrices and interpolants, where none stands for the
// usual ones.
func (f *form) own(name string, take func(text string)) kit.Part {
	switch name {
	case "labels":
		f.labels = widget.NewPicker(f.choose)
		f.labels.PlaceHolder = " " // nobody knows yet what there is
		return kit.Part{Object: f.labels.Select, Show: func(string) {
			f.labels.Offer(f.offer.sources(), sourceOf(f.Options()))
		}}
	case "interpolant":
		return ticks(true, "\n", take, func() (list, chosen []string) {
			usual := feature.DefaultBackgroundLayout().Background.Interpolants
			return f.offer.interpolants(f.Options()), or(f.Options().Interpolant, usual)
		})
	case "modalities":
		typed := fynewidget.NewMultiLineEntry()
		typed.Wrapping = fyne.TextWrapWord
		typed.SetPlaceHolder("max@CONF, mean@CONV-1")
		typed.SetMinRowsVisible(3)
		ticked := ticks(false, ",", take, func() (list, chosen []string) {
			return feature.BackgroundModalities(), or(f.Options().Modalities, f.layout().Modalities)
		})
		return kit.Part{Object: container.NewStack(typed, ticked.Object), Show: func(text string) {
			f.typeMatrices(typed, text, take)
			ticked.Show(text)
			widget.Show(typed, f.Options().Selection == "")
			widget.Show(ticked.Object, f.Options().Selection != "")
		}}
	}
	return kit.Part{}
}

// typeMatrices shows the text of matrices in an entry, unless what is typed already means it, and
// takes what is typed.
func (f *form) typeMatrices(entry *fynewidget.Entry, text string, take func(text string)) {
	usual := feature.DefaultLayout().Modalities
	meant := func() string {
		names := strings.FieldsFunc(entry.Text, func(r rune) bool { return strings.ContainsRune(",; \n\t", r) })
		if slices.Equal(names, usual) {
			return ""
		}
		return strings.Join(names, ",")
	}
	entry.OnChanged = nil
	if meant() != text || text == "" {
		entry.SetText(strings.ReplaceAll(cmp.Or(text, strings.Join(usual, ",")), ",", ", "))
	}
	entry.OnChanged = func(string) { take(meant()) }
}

// ticks asks for some of a list, which list gives, with those that are ticked; sep is between their
// names in the option's text.
func ticks(horizontal bool, sep string, take func(text string), list func() (all, ticked []string)) kit.Part {
	group := fynewidget.NewCheckGroup(nil, nil)
	group.Horizontal = horizontal
	show := func(string) {
		group.OnChanged = nil
		all, ticked := list()
		group.Options = all
		group.SetSelected(ticked)
		group.OnChanged = func(chosen []string) {
			chosen = slices.DeleteFunc(slices.Clone(all),
				func(name string) bool { return !slices.Contains(chosen, name) })
			take(strings.Join(chosen, sep))
		}
	}
	return kit.Part{Object: group, Show: show}
}

// or is the usual list in place of an empty one.
func or(list, usual []string) []string {
	if len(list) == 0 {
		return usual
	}
	return list
}

// follow offers to cancel the work that is under way, or, when job is nil, to train.
func (f *form) follow(job *jobs.Job) {
	widget.Show(f.train, job == nil)
	widget.Show(f.cancel, job != nil)
	widget.Enable(f.cancel, job != nil && !job.Snapshot().Cancelling)
	f.settle()
}
