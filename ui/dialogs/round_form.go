package dialogs

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/assets"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/kit"
	own "github.com/variscope/variscope/ui/widget"
)

// offer is a list of models to choose for a round, under a name.
type offer struct {
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
	offers, more  []offer       // before and after those with signals
	// store keeps the round, off the main goroutine; done is told on the main goroutine.
	store func(ctx context.Context, r label.Round) (label.Round, error)
	done  func(label.Round)
}

// roundDialog is the dialog in which a round is made or changed.
type roundDialog struct {
	host            *kit.Host
	facts           roundFacts
	task            roundTask
	ask             *kit.Ask[label.Options]
	kind            label.RoundKind // for which the form is laid out
	lists           []kit.Option    // of models
	fields          recordFields
	guideline       *guidelineEditor
	preview, warned *widget.Label // what the round will be
}

func newRoundDialog(host *kit.Host, facts roundFacts, task roundTask) *roundDialog {
	d := &roundDialog{host: host, facts: facts, task: task, preview: wrapped(""), warned: wrapped("")}
	d.warned.Importance = widget.WarningImportance
	start := task.options
	if !task.fresh {
		start = label.OptionsOf(task.base)
	}
	d.fields = fieldsOfRecords(facts.models, task.base)
	if start.Fields = d.fields.allowed; !task.frozen {
		start.Models = nil // the first list that is offered takes its place
	}
	start.Suite = cmp.Or(start.Suite, facts.current.Suite)
	start.Family = cmp.Or(start.Family, facts.startFamily())
	d.kind = start.Kind
	d.ask = &kit.Ask[label.Options]{
		Title: task.title, Button: task.button, Size: fyne.NewSize(820, 660), Do: d.do,
		Form: &kit.Form[label.Options]{
			Host: host, Own: d.part, Choices: d.choices, Named: roundWord, OnChange: d.changed, Hide: d.hidden(),
			Pages: []kit.FormPage{
				{Title: "Round", First: "name"},
				{Title: "Models", First: "kind"},
				{Title: "Record", First: "fields"},
				{Title: "Guideline", First: "guideline"},
			},
			Trees: map[string]func() []own.ChoiceNode{"suites": func() []own.ChoiceNode { return SuiteNodes(facts.suites) }},
		},
		Start: func(f *kit.Form[label.Options]) { _ = f.Take(start) }, // in rows it takes all
		Below: container.NewVBox(d.preview, d.warned),
	}
	if task.frozen {
		d.ask.Above = wrapped("This round has labels, so only its guideline can change. Duplicate the round to change the rest.")
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

// part makes what asks for options that need more than an entry or a menu.
func (d *roundDialog) part(name string, take func(string)) kit.Part {
	switch name {
	case "annotators":
		return kit.Part{Object: d.people(take)}
	case "family":
		return familyPart(false, take)
	case "interpolants":
		return kit.Part{Object: d.interpolants(take)}
	case "fields":
		return kit.Part{Object: d.fields.page(take)}
	case "guideline":
		d.guideline = newGuidelineEditor(d.host, d.task.base.Pictures, take)
		return kit.Part{Object: d.guideline.object, Show: d.guideline.set}
	}
	return kit.Part{}
}

// named are choices of these keys.
func named(keys []string, name func(key string) string) []kit.Option {
	list := make([]kit.Option, len(keys))
	for k, key := range keys {
		list[k] = kit.Option{Key: key, Name: name(key)}
	}
	return list
}

// ticks is a group of checks, one for each option, that tells the keys of those that are ticked.
func ticks(list []kit.Option, ticked []string, tell func(keys []string)) *widget.CheckGroup {
	group := widget.NewCheckGroup(nil, nil)
	for _, o := range list {
		group.Options = append(group.Options, o.Name)
		if slices.Contains(ticked, o.Key) {
			group.Selected = append(group.Selected, o.Name)
		}
	}
	group.OnChanged = func(names []string) {
		var keys []string
		for _, o := range list { // in the order of the list, whatever the order of ticking
			if slices.Contains(names, o.Name) {
				keys = append(keys, o.Key)
			}
		}
		tell(keys)
	}
	return group
}

// people asks for annotators: an entry for names, and checks for those of other rounds; who
// retired is there only in a round that has them already. A typed name of somebody known is that
// person.
func (d *roundDialog) people(take func(string)) fyne.CanvasObject {
	ids := map[string]string{} // by name
	var known []kit.Option
	var ticked []string
	for _, a := range d.facts.people {
		ids[a.Name] = a.ID
		in := slices.Contains(d.task.base.Annotators, a.ID)
		if in {
			ticked = append(ticked, a.ID)
		}
		if in || !a.Retired {
			known = append(known, kit.Option{Key: a.ID, Name: a.Name})
		}
	}
	names := widget.NewEntry()
	tell := func() {
		list := slices.Clone(ticked)
		for _, name := range splitNames(names.Text) {
			if id := cmp.Or(ids[name], name); !slices.Contains(list, id) {
				list = append(list, id)
			}
		}
		take(option.Join(list))
	}
	names.SetPlaceHolder("names, separated by commas")
	names.OnChanged = func(string) { tell() }
	box := container.NewVBox(names)
	if len(known) > 0 {
		names.SetPlaceHolder("further names, separated by commas")
		group := ticks(known, ticked, func(keys []string) {
			ticked = keys
			tell()
		})
		group.Horizontal = len(known) <= 5 // one line holds no more
		box.Add(group)
	}
	return box
}

// roundWord is what the form calls a choice.
func roundWord(name, choice string) string {
	return cmp.Or(map[string]string{
		"classes 2": "2: invariant, variant", "classes 3": "3: with borderline",
		"reveal closed": "the round is closed", "reveal finished": "an annotator has finished",
		"kind variance": "changes of the image", "kind background": "backgrounds",
	}[name+" "+choice], choice)
}

// choices are the entries of the menus. Of an option without a meaning there are none.
func (d *roundDialog) choices(source string) (list []kit.Option, first string) {
	o := d.ask.Form.Options()
	scenes := o.Kind == label.BackgroundRound
	switch {
	case source == "models":
		list = d.models(o)
	case source == "suites" && !scenes:
		names, hashes := SuiteNames(d.facts.suites)
		for _, name := range names {
			list = append(list, kit.Option{Key: hashes[name], Name: name})
		}
		list = withBase(list, d.task.base.Suite)
	case source == "selections" && scenes:
		for _, s := range d.facts.selections {
			list, first = append(list, kit.Option{Key: s.Hash, Name: s.Name}), s.Hash // the newest
		}
		list = withBase(list, d.task.base.Selection)
	case source == "filters" && !scenes:
		filters := []string{"all", "correct", "wrong"}
		if base := d.task.base.Filter; base != "" && !slices.Contains(filters, base) {
			filters = append(filters, base)
		}
		list = named(filters, func(filter string) string { return filter })
	case source == "strata" && o.Sample != nil:
		columns := named(columnsOf(d.facts.models), func(name string) string { return fmt.Sprintf("evenly by %s", name) })
		list = append([]kit.Option{{Name: "from all alike"}}, columns...)
	}
	return list, first
}

// withBase adds what the base round has (a hash) to the choices where the workspace does not have
// it.
func withBase(list []kit.Option, hash string) []kit.Option {
	if hash == "" || slices.ContainsFunc(list, func(o kit.Option) bool { return o.Key == hash }) {
		return list
	}
	return append(list, kit.Option{Key: hash, Name: fmt.Sprintf("%s, not in this workspace", result.ID.SayText(hash))})
}

// models are the lists of models: the task's own, those that have signals for what is judged, and
// all. While the family cannot be read, they are the last ones.
func (d *roundDialog) models(o label.Options) []kit.Option {
	signals := offer{"with signals in these scenes", d.facts.ran[o.Selection]}
	if o.Kind == label.VarianceRound {
		family, err := transform.Parse(o.Family)
		if err != nil && len(d.lists) > 0 {
			return d.lists
		}
		signals = offer{"with signals", d.facts.ready[o.Suite+"\n"+family.String()]}
	}
	all := offer{name: "all models"}
	for _, m := range d.facts.models {
		all.hashes = append(all.hashes, m.Hash)
	}
	d.lists = nil
	for _, one := range slices.Concat(d.task.offers, []offer{signals}, d.task.more, []offer{all}) {
		if len(one.hashes) > 0 {
			name := fmt.Sprintf("%s (%d)", one.name, len(one.hashes))
			d.lists = append(d.lists, kit.Option{Key: option.Join(one.hashes), Name: name})
		}
	}
	return d.lists
}

// columnsOf are the columns of the models' records that tell them apart without being different
// for each.
func columnsOf(models []model.Model) []string {
	values := map[string]map[string]bool{}
	for _, m := range models {
		for _, field := range m.Record {
			if values[field.Name] == nil {
				values[field.Name] = map[string]bool{}
			}
			values[field.Name][field.Value] = true
		}
	}
	maps.DeleteFunc(values, func(_ string, v map[string]bool) bool { return len(v) < 2 || 2*len(v) > len(models)+1 })
	return slices.Sorted(maps.Keys(values))
}

// changed offers what goes with the options. Another kind of round has the classes and the
// guideline that are usual for it, unless others were chosen.
func (d *roundDialog) changed(o label.Options) {
	form := d.ask.Form
	if o.Kind != d.kind {
		d.kind = o.Kind
		from, to, classes := assets.BackgroundGuideline, assets.VarianceGuideline, "2"
		if o.Kind == label.BackgroundRound {
			from, to, classes = to, from, "3"
		}
		if o.Guideline == from {
			put(form, "guideline", to)
		}
		put(form, "classes", classes)
	}
	form.Offer()
	o = form.Options()
	if !d.task.frozen {
		d.preview.SetText(d.says(o))
		warning := ""
		if telling := d.fields.told(o.Fields); !o.Open && len(telling) > 0 {
			warning = fmt.Sprintf("The round is blind, and annotators would see %s, which tells them the answer. "+
				"Their labels would not be independent of it.", strings.Join(telling, ", "))
		}
		d.warned.SetText(warning)
	}
	own.Show(d.preview, d.preview.Text != "")
	own.Show(d.warned, d.warned.Text != "")
}

// says says which models the round will have, and what some of them lack.
func (d *roundDialog) says(o label.Options) string {
	value := d.facts.valueOf(o.Stratum)
	models, err := o.Drawn(value)
	if err != nil {
		return "" // the form says it
	}
	text := result.Counted(len(models), "model")
	if o.Sample != nil {
		text = drawnText(models, len(o.Models), value)
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
	r, err := o.Round(base, d.facts.valueOf(o.Stratum))
	if len(d.fields.names) == 0 {
		r.Fields = nil
	}
	return r, err
}

func (d *roundDialog) do(sheet *kit.Dialog, o label.Options) {
	round, err := d.round(o)
	if err != nil {
		d.ask.Refuse(err)
		return
	}
	sheet.Work(d.task.title, func(ctx context.Context, _ *background.Progress) (err error) {
		round, err = d.task.store(ctx, round)
		return err
	}, func(err error) {
		switch {
		case err == nil:
			sheet.Close()
			d.task.done(round)
		case cancelled(err):
			sheet.Close()
		default:
			d.ask.Refuse(err)
		}
	})
}
