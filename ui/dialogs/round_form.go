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

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/kit"
)

// offer is a list of models to choose for a round, under a name.
type offer struct {
	name   string
	hashes []string
}

// roundTask is what a round dialog is opened for.
type roundTask struct {
	title, button string
	base          label.Round // what the fields show at first
	frozen        bool        // only the guideline can change
	fresh         bool        // a new round, whose kind can be chosen
	offers, more  []offer     // before and after those with signals
	// store keeps the round, off the main goroutine; done is told on the main goroutine.
	store func(ctx context.Context, r label.Round) (label.Round, error)
	done  func(label.Round)
}

// roundForm is the dialog in which a round is made or changed.
type roundForm struct {
	host  *kit.Host
	facts roundFacts
	task  roundTask

	sheet                     *kit.Dialog
	name, others, seed, shown *widget.Entry
	repeats, size, lot        *widget.Entry
	known                     *widget.CheckGroup
	suites                    *suiteMenu
	family                    *familyPicker
	classes, sight, models    *widget.RadioGroup
	order                     *widget.RadioGroup
	filter, column            *widget.Select
	filters                   []string // as they are stored, in the order of the menu
	sampled                   *widget.Check
	preview, problem          *widget.Label
	start                     *widget.Button
	guideline                 *guidelineEditor
	options                   map[string][]string // text of a models option -> hashes
	scenes                    *scenePicker
	record                    *fieldTicks
	judged                    *container.Scroll // the page of what is judged
	ready                     bool              // all fields are there
}

const (
	twoClasses    = "2: invariant, variant"
	threeClasses  = "3: with borderline"
	blindClosed   = "blind until closed"
	blindFinished = "blind until finished"
	seenByAll     = "open"
	shuffled      = "shuffled"
	asListed      = "as listed"
	anyColumn     = "from all alike"
	evenlyBy      = "evenly by "
)

// filters are the image filters that a round offers, as they are stored.
var filters = []string{"all", "correct", "wrong"}

func newRoundForm(host *kit.Host, facts roundFacts, task roundTask) *roundForm {
	f := &roundForm{host: host, facts: facts, task: task}
	f.sheet = host.NewDialog(task.title, fyne.NewSize(820, 620))
	f.problem = widget.NewLabel("")
	f.problem.Importance = widget.DangerImportance
	f.problem.Wrapping = fyne.TextWrapWord
	f.start = widget.NewButton(task.button, f.create)
	f.start.Importance = widget.HighImportance
	f.makeFields()
	f.guideline = newGuidelineEditor(host, task.base.Guideline, task.base.Pictures)
	guideline := container.NewTabItem("Guideline", f.guideline.object)
	tabs := container.NewAppTabs(guideline)
	if task.frozen {
		note := widget.NewLabel("This round has labels, so only its guideline can change. Duplicate the round to change the rest.")
		note.Wrapping = fyne.TextWrapWord
		guideline.Content = container.NewBorder(note, nil, nil, nil, f.guideline.object)
	} else {
		tabs.SetItems([]*container.TabItem{
			container.NewTabItem("Round", container.NewVScroll(f.peopleForm())),
			container.NewTabItem("Models", f.judged), container.NewTabItem("Record", f.record.object), guideline,
		})
	}
	f.sheet.Show(container.NewBorder(nil, f.problem, nil, nil, tabs), f.sheet.CloseButton("Cancel"), f.start)
	f.ready = true
	f.check()
	if task.frozen {
		f.sheet.Present(f.guideline.entry)
	} else {
		f.sheet.Present(f.name)
	}
	return f
}

// makeFields makes the fields with what the base round says.
func (f *roundForm) makeFields() {
	base := f.task.base
	entry := func(text, hint string) *widget.Entry {
		e := widget.NewEntry()
		e.SetText(text)
		e.SetPlaceHolder(hint)
		e.OnChanged = func(string) { f.check() }
		return e
	}
	f.name = entry(base.Name, "Rotation, first pass")
	f.others = entry("", "further names, separated by commas")
	f.shown = entry(strings.Join(base.Modalities, ", "), "max@CONF, mean@CONV-1")
	f.seed = entry(fmt.Sprint(max(base.OrderSeed, 1)), "a whole number")
	f.repeats = entry(percentText(base.RepeatShare), "0")
	f.size, f.lot = entry("", "how many"), entry("1", "seed")
	f.preview = widget.NewLabel("")
	f.preview.Wrapping = fyne.TextWrapWord
	f.known = f.knownPeople(base)
	f.classes, f.sight, f.models = choice(twoClasses, threeClasses), choice(blindClosed, blindFinished, seenByAll), choice()
	f.models.Horizontal = false
	f.order = choice(shuffled, asListed)
	if base.Ordered {
		f.order.Selected = asListed
	}
	if base.Classes == 3 {
		f.classes.Selected = threeClasses
	}
	switch {
	case !base.Blind:
		f.sight.Selected = seenByAll
	case base.Reveal == label.RevealFinished:
		f.sight.Selected = blindFinished
	}
	f.models.OnChanged = func(string) { f.check() }
	f.filters = slices.Clone(filters)
	if base.Filter != "" && !slices.Contains(filters, base.Filter) {
		f.filters = append(f.filters, base.Filter)
	}
	f.filter = widget.NewSelect(nil, nil)
	f.filter.Options = slices.Clone(f.filters)
	f.filter.SetSelectedIndex(slices.Index(f.filters, cmp.Or(base.Filter, filters[0])))
	f.column = widget.NewSelect([]string{anyColumn}, nil)
	for _, name := range columnsOf(f.facts.models) {
		f.column.Options = append(f.column.Options, evenlyBy+name)
	}
	f.column.SetSelected(anyColumn)
	f.column.OnChanged = func(string) { f.check() }
	f.sampled = widget.NewCheck("only a sample of", func(bool) { f.check() })
	f.suites = newSuiteMenu(f.facts.suites, cmp.Or(base.Suite, f.facts.current.Suite), f.check)
	f.family = newFamilyPicker(cmp.Or(base.Family, f.startFamily()), false, f.check)
	f.scenes = newScenePicker(f.facts.sceneFacts, f.task, f.check, f.turn)
	f.record = newFieldTicks(f.facts.models, base, f.check)
	f.sight.OnChanged = func(string) { f.check() }
	f.judged = container.NewVScroll(f.modelsForm())
}

// knownPeople offers the annotators of other rounds by name, those who retired only where they are
// in the round already.
func (f *roundForm) knownPeople(base label.Round) *widget.CheckGroup {
	group := widget.NewCheckGroup(nil, nil)
	for _, a := range f.facts.people {
		in := slices.Contains(base.Annotators, a.ID)
		if a.Retired && !in {
			continue
		}
		group.Options = append(group.Options, a.Name)
		if in {
			group.Selected = append(group.Selected, a.Name)
		}
	}
	group.Horizontal = len(group.Options) <= 5 // one line holds no more
	group.OnChanged = func([]string) { f.check() }
	return group
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

// startFamily is the current family, else one that has signals, else the usual one.
func (f *roundForm) startFamily() string {
	if f.facts.current.Family != "" {
		return f.facts.current.Family
	}
	for _, key := range slices.Sorted(maps.Keys(f.facts.ready)) {
		if source, family, _ := strings.Cut(key, "\n"); source == f.facts.current.Suite {
			return family
		}
	}
	return usualFamily()
}

func (f *roundForm) peopleForm() *widget.Form {
	people := container.NewVBox(f.others)
	if len(f.known.Options) > 0 {
		people.Add(f.known)
	}
	repeats := container.NewBorder(nil, nil, nil, widget.NewLabel("% of the models come back later, unannounced"), f.repeats)
	return widget.NewForm(
		widget.NewFormItem("Name", f.name),
		widget.NewFormItem("Annotators", people),
		widget.NewFormItem("Classes", f.classes),
		widget.NewFormItem("Sight", hinted(f.sight, ("Whether annotators see the labels of others: not before the round is closed, "+
			"not before they have finished, or always."))),
		widget.NewFormItem("Repeats", hinted(repeats, "They show how far an annotator agrees with themselves; 5 is usual, 0 is none.")),
		widget.NewFormItem("Order", hinted(container.NewBorder(nil, nil, f.order, nil, container.NewBorder(nil, nil, widget.NewLabel("seed"), nil, f.seed)),
			"Shuffled: every annotator sees the models in another order, made from the seed. As listed: everybody sees them in the list's order.")),
	)
}

// hinted puts a line of explanation under a field.
func hinted(field fyne.CanvasObject, text string) fyne.CanvasObject {
	hint := widget.NewLabel(text)
	hint.Wrapping = fyne.TextWrapWord
	hint.Importance = widget.LowImportance
	return container.NewVBox(field, hint)
}

func (f *roundForm) modelsForm() *widget.Form {
	sample := container.NewBorder(nil, nil, f.sampled, container.NewHBox(widget.NewLabel("seed"), container.NewGridWrap(fyne.NewSize(70, f.lot.MinSize().Height), f.lot),
		widget.NewLabel("drawn"), f.column), f.size)
	models := widget.NewFormItem("Models", container.NewVBox(f.models, sample, f.preview))
	if f.scenes.on() {
		return widget.NewForm(f.scenes.items(models)...)
	}
	return widget.NewForm(append(f.scenes.kindItem(),
		widget.NewFormItem("Test suite", f.suites.menu),
		widget.NewFormItem("Family", f.family.object),
		models,
		widget.NewFormItem("Matrices", f.shown),
		widget.NewFormItem("Images", f.filter))...)
}

func choice(options ...string) *widget.RadioGroup {
	group := widget.NewRadioGroup(options, nil)
	group.Horizontal = true
	group.Required = true
	if len(options) > 0 {
		group.Selected = options[0]
	}
	return group
}

// refreshModels offers the task's own lists of models, those that have signals for the suite and
// family, and all.
func (f *roundForm) refreshModels() {
	signals, ok := f.withSignals()
	if !ok {
		return
	}
	var all []string
	for _, m := range f.facts.models {
		all = append(all, m.Hash)
	}
	f.options = map[string][]string{}
	var names []string
	for _, o := range slices.Concat(f.task.offers, []offer{signals}, f.task.more, []offer{{"all models", all}}) {
		if len(o.hashes) > 0 {
			name := fmt.Sprintf("%s (%d)", o.name, len(o.hashes))
			f.options[name] = o.hashes
			names = append(names, name)
		}
	}
	if slices.Equal(names, f.models.Options) {
		return
	}
	f.models.Options = names
	if !slices.Contains(names, f.models.Selected) {
		f.models.Selected = names[0]
	}
	f.models.Refresh()
}

// withSignals are the models with matrices to judge; ok is false while the family cannot be read.
func (f *roundForm) withSignals() (o offer, ok bool) {
	if f.scenes.on() {
		return offer{"with signals in these scenes", f.facts.ran[f.scenes.hash()]}, true
	}
	family, err := f.family.family()
	if err != nil {
		return o, false
	}
	return offer{"with signals", f.facts.ready[f.suites.hash()+"\n"+family.String()]}, true
}

func (f *roundForm) asked() NewRound {
	n := NewRound{
		Base: f.task.base, Kind: f.scenes.kind(), Scenes: f.scenes.asked(), Name: f.name.Text, Suite: f.suites.hash(), Family: f.family.entry.Text, Modalities: f.shown.Text,
		Filter: f.filters[f.filter.SelectedIndex()], Classes: 2, Annotators: f.others.Text, People: f.facts.people,
		Blind: f.sight.Selected != seenByAll, Repeats: f.repeats.Text, Seed: f.seed.Text, Ordered: f.order.Selected == asListed,
		Guideline: f.guideline.entry.Text, Pictures: f.guideline.pictures, Models: f.options[f.models.Selected],
		Fields: f.record.fields(),
		Sample: Sample{On: f.sampled.Checked, Size: f.size.Text, Seed: f.lot.Text},
	}
	if f.sight.Selected == blindFinished {
		n.Reveal = label.RevealFinished
	}
	if f.classes.Selected == threeClasses {
		n.Classes = 3
	}
	for _, a := range f.facts.people { // in the order of the list, whatever the order of ticking
		if slices.Contains(f.known.Selected, a.Name) {
			n.Known = append(n.Known, a.ID)
		}
	}
	if column, stratified := strings.CutPrefix(f.column.Selected, evenlyBy); stratified {
		n.Sample.Strata = map[string]string{}
		for _, m := range f.facts.models {
			n.Sample.Strata[m.Hash] = m.Value(column)
		}
	}
	return n
}

// result is the round that is asked for now.
func (f *roundForm) result() (label.Round, error) {
	if !f.task.frozen {
		return f.asked().Make()
	}
	r := f.task.base
	r.Guideline = f.guideline.entry.Text
	r.Pictures = shownPictures(r.Guideline, f.guideline.pictures)
	return r, r.Validate()
}

func (f *roundForm) check() {
	if !f.ready {
		return
	}
	f.refreshModels()
	round, err := f.result()
	preview, previewErr := f.asked().Preview()
	if previewErr != nil {
		preview = sentence(previewErr)
	} else if missing := f.facts.withoutScenes(round); missing != "" {
		preview += "\n" + missing
	}
	f.preview.SetText(preview)
	f.record.warn(f.asked().Blind)
	if err != nil {
		f.start.Disable()
		f.problem.SetText(sentence(err))
		return
	}
	f.problem.SetText("")
	f.start.Enable()
}

func (f *roundForm) create() {
	round, err := f.result()
	if err != nil {
		f.problem.SetText(sentence(err))
		return
	}
	f.sheet.Work(f.task.title, func(ctx context.Context, _ *background.Progress) (err error) {
		round, err = f.task.store(ctx, round)
		return err
	}, func(err error) {
		f.sheet.Close()
		switch {
		case err != nil && !cancelled(err):
			f.host.Fail(err)
		case err == nil:
			f.task.done(round)
		}
	})
}
