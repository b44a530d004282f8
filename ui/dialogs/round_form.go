package dialogs

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/assets"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	own "github.com/variscope/variscope/ui/widget"
)

// modelGroup is a list of models to choose for a round, under a name.
type modelGroup struct {
	name   string
	hashes []string
}

// roundTask is what a round dialog is opened for.
type roundTask struct {
	title, button string
	base          label.Round   // the round that is changed or copied; the zero Round for a new one
	options       label.Options // what a new round begins with
	fresh         bool          // a new round, whose kind can be chosen
	frozen        bool          // only the guideline can change
	offers, more  []modelGroup  // before and after those with signals
	// store keeps the round, off the main goroutine; done is told on the main goroutine.
	store func(ctx context.Context, r label.Round) (label.Round, error)
	done  func(label.Round)
}

// roundDialog is the dialog in which a round is made or changed.
type roundDialog struct {
	host      *kit.Host
	facts     roundFacts
	task      roundTask
	ask       *kit.Ask[label.Options]
	kind      label.RoundKind // for which the form is laid out, with classes
	classes   int
	lists     []kit.Option // of models
	fields    recordFields
	guideline *guidelineEditor
	preview   *widget.Label // what the round will be
}

func newRoundDialog(host *kit.Host, facts roundFacts, task roundTask) *roundDialog {
	d := &roundDialog{host: host, facts: facts, task: task, preview: own.Wrapped("")}
	start := task.options
	if !task.fresh {
		start = label.OptionsOf(task.base)
	}
	d.fields = fieldsOfRecords(facts.models, task.base)
	start.Curves = d.fields.shownCurves(task.base)
	start.KnownModels = renamed(start.KnownModels, facts.ids)
	if start.Fields = d.fields.allowed; !task.frozen {
		start.Models = nil // the first list that is offered takes its place
	}
	start.Suite = cmp.Or(start.Suite, facts.current.Suite)
	start.Family = cmp.Or(start.Family, facts.startFamily())
	d.kind, d.classes = start.Kind, start.Classes
	d.ask = &kit.Ask[label.Options]{
		Title: task.title, Button: task.button, Size: fyne.NewSize(820, 660), Do: d.do,
		Form: &kit.Form[label.Options]{
			Host: host, Own: d.part, Choices: d.choices, OnChange: d.changed, Hint: d.hint, Hide: d.hidden(),
			Shown: func(name string) bool {
				return name != "word-borderline" || d.ask.Form.Options().Classes == 3
			},
			Ticks: map[string]func() []kit.Option{
				"annotators": d.people, "fields": d.fields.list,
				"curves":       func() []kit.Option { return own.ByName(d.fields.curves...) },
				"interpolants": func() []kit.Option { return interpolants(task.base) },
			},
			Others: map[string]string{"annotators": "names, separated by commas"},
			Pages: []kit.FormPage{
				{Title: "Round", First: "name"},
				{Title: "Models", First: "kind"},
				{Title: "Record", First: "fields"},
				{Title: "Guideline", First: "guideline"},
			},
			Trees: suiteTree(facts.suites),
		},
		Start: func(f *kit.Form[label.Options]) { _ = f.Take(start) }, // in rows it takes all
		Below: d.preview, Warn: d.warning,
	}
	d.ask.Form.Menus = d.menus()
	if task.frozen {
		d.ask.Above = own.Wrapped("This round has labels, " +
			"so only its guideline can change. Duplicate the round to change the rest.")
	}
	d.ask.Open()
	if task.frozen {
		host.Window.Canvas().Focus(d.guideline.entry)
	}
	return d
}

// hidden are the options that the dialog does not ask for.
func (d *roundDialog) hidden() (names []string) {
	switch {
	case d.task.frozen:
		for _, field := range option.Fields(&label.Options{}) {
			if field.Name != "guideline" {
				names = append(names, field.Name)
			}
		}
	case !d.task.fresh || len(d.facts.selections) == 0:
		names = []string{"kind"}
	}
	return names
}

// menus offer usual families, and fields and curves to pin.
func (d *roundDialog) menus() map[string]*fyne.Menu {
	pins := own.ByName(d.fields.allowed...)
	for _, curve := range d.fields.curves {
		pins = append(pins, kit.Option{Key: label.CurvePrefix + curve, Name: label.CurvePrefix + curve})
	}
	menus := map[string]*fyne.Menu{
		"family": d.ask.Form.Texts("family", "Usual ones", families(transform.Names())),
	}
	if len(pins) > 0 {
		menus["pinned"] = d.ask.Form.Texts("pinned", "Pin", pins)
	}
	return menus
}

// renamed are known answers (MODEL=LABEL) with the models called as names has them.
func renamed(pairs []string, names map[string]string) []string {
	list := slices.Clone(pairs)
	for k, pair := range list {
		model, value, _ := strings.Cut(pair, "=")
		list[k] = cmp.Or(names[strings.TrimSpace(model)], model) + "=" + value
	}
	return list
}

// part makes what asks for the guideline.
func (d *roundDialog) part(name string, take func(string)) kit.Part {
	if name != "guideline" {
		return kit.Part{}
	}
	d.guideline = newGuidelineEditor(d.host, d.task.base.Pictures, take)
	return kit.Part{Object: d.guideline.object, Show: d.guideline.set}
}

// hint says what an option means for this round.
func (d *roundDialog) hint(name string) string {
	switch {
	case name == "family":
		return familyMeaning(d.ask.Form.Options().Family)
	case name == "pinned":
		return "Pinned ones keep a fixed place beside the matrices, in this order, also where a model has none."
	case name == "known-models":
		return "Everybody labels these models and is not told which they are. Write MODEL=LABEL, such as m12=variant."
	case name == "overlap":
		return "Models with a known answer go to all annotators."
	case name != "fields":
		return ""
	case len(d.fields.names) == 0:
		return "The models have no training records."
	}
	return "Annotators see the ticked fields of the models' training records beside the matrices; packages and " +
		"reports of the round hold no others. Labels, their reasons and judgements by others tell the answer."
}

// changed offers what goes with the options. Another kind of round has the classes that are usual
// for it, and the guideline follows kind and classes unless it was changed.
func (d *roundDialog) changed(o label.Options) {
	form := d.ask.Form
	if o.Kind != d.kind || o.Classes != d.classes {
		usual := assets.Guideline(d.kind == label.BackgroundRound, d.classes)
		another, classes := o.Kind != d.kind, o.Classes
		if another {
			classes = usualClasses(o.Kind)
		}
		if d.kind, d.classes = o.Kind, classes; another {
			put(form, "classes", fmt.Sprint(classes))
		}
		if o.Guideline == usual {
			put(form, "guideline", assets.Guideline(o.Kind == label.BackgroundRound, classes))
		}
	}
	form.Offer()
	o = form.Options()
	if !d.task.frozen {
		d.preview.SetText(d.says(o))
	}
	own.Show(d.preview, d.preview.Text != "")
}

// warning says what would make the labels of annotators depend on the answer.
func (d *roundDialog) warning(o label.Options) string {
	telling := d.fields.told(o.Fields)
	if d.task.frozen || o.Open || len(telling) == 0 {
		return ""
	}
	return fmt.Sprintf("The round is blind, and annotators would see %s, which tells them the answer. "+
		"Their labels would not be independent of it.", strings.Join(telling, ", "))
}

// says says which models the round will have, and what some of them lack.
func (d *roundDialog) says(o label.Options) string {
	value := d.facts.valueOf(o.Stratum)
	models, err := o.Drawn(value)
	if err != nil {
		return "" // the form says it
	}
	o.KnownModels = d.known(o)
	text := result.Counted(len(models), "model")
	if o.Sample != nil {
		text = drawnText(models, len(o.Models), value)
	}
	r := label.Round{
		Classes: o.Classes, Models: models, Annotators: o.Annotators, Overlap: o.Overlap, Known: d.task.base.Known,
	}
	if o.Wording.Set(&r); o.Calibration.Set(&r) != nil {
		return text // the form says what is wrong
	}
	if len(r.Known) > 0 {
		text = fmt.Sprintf("%s, %d of %d with a known answer", text, len(r.Known), len(r.Models))
	}
	if o.Overlap > 0 && o.Overlap < len(o.Annotators) {
		least, most := len(r.Models), 0
		for _, assigned := range r.Assignment() {
			least, most = min(least, len(assigned)), max(most, len(assigned))
		}
		text = fmt.Sprintf("%s; each annotator labels %d to %d of them", text, least, most)
	}
	if o.Kind == label.BackgroundRound {
		text = strings.Join(slices.DeleteFunc([]string{
			d.facts.describe(o.Selection), text, d.facts.withoutScenes(o.Selection, models),
		}, func(part string) bool { return part == "" }), "\n")
	}
	return text
}

// round is the round that is asked for.
func (d *roundDialog) round(o label.Options) (label.Round, error) {
	base := d.task.base
	base.Pictures = shownPictures(o.Guideline, d.guideline.pictures)
	if d.task.frozen {
		base.Guideline = o.Guideline
		return base, base.Validate()
	}
	if record, here := d.facts.find(o.Selection); here {
		base.Suite = record.Targets
	}
	o.Annotators = slices.Clone(o.Annotators)
	for _, a := range d.facts.people { // a name of somebody known, also of one who retired, is that person
		if k := slices.Index(o.Annotators, a.Name); k >= 0 {
			o.Annotators[k] = a.ID
		}
	}
	if o.Classes == 2 {
		o.WordBorderline = "" // the form does not show it
	}
	o.KnownModels = d.known(o)
	r, err := o.Round(base, d.facts.valueOf(o.Stratum))
	if len(d.fields.names) == 0 {
		r.Fields = nil
	}
	if len(r.Curves) == len(d.fields.curves) {
		r.Curves = nil // all, also of models that come later
	} else if r.Curves == nil {
		r.Curves = []string{}
	}
	return r, err
}

func (d *roundDialog) do(_ *kit.Dialog, o label.Options) {
	round, err := d.round(o)
	if err != nil {
		d.ask.Refuse(err)
		return
	}
	stopped := "It was cancelled; nothing was changed."
	d.ask.Try(d.task.title, stopped, func(ctx context.Context, _ *jobs.Progress) (kit.Done, error) {
		round, err := d.task.store(ctx, round)
		return kit.Done{Then: func() { d.task.done(round) }}, err
	})
}

// drawnText says how many models of all a sample has, and how many of each value where they are
// drawn by one.
func drawnText(models []string, all int, value func(model string) string) string {
	text := fmt.Sprintf("%d of %s", len(models), result.Counted(all, "model"))
	if value == nil {
		return text
	}
	counts := map[string]int{}
	for _, hash := range models {
		counts[value(hash)]++
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", cmp.Or(name, "without a value"), counts[name]))
	}
	const most = 8
	if len(parts) > most {
		parts = append(parts[:most], "…")
	}
	return text + ": " + strings.Join(parts, ", ")
}

// shownPictures are the pictures that a guideline's text names.
func shownPictures(text string, pictures map[string][]byte) map[string][]byte {
	var shown map[string][]byte
	for _, part := range own.GuidelineParts(text) {
		if data, ok := pictures[part.Picture]; ok {
			if shown == nil {
				shown = map[string][]byte{}
			}
			shown[part.Picture] = data
		}
	}
	return shown
}
