package dialogs

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/assets"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/background"
)

// NewRound is what the dialog asks for; Make turns it into a round.
type NewRound struct {
	Name       string
	Suite      string // content hash
	Family     string // any accepted text
	Modalities string // separated by commas or blanks
	Classes    int
	Annotators string // separated by commas or lines
	Blind      bool
	Seed       string
	Guideline  string
	Models     []string // hashes
}

// Make checks what was typed and returns the round, without id and colour ranges. Errors say what to write instead.
func (n NewRound) Make() (label.Round, error) {
	r := label.Round{
		Name: strings.TrimSpace(n.Name), Kind: label.VarianceRound, Suite: n.Suite, Filter: "all",
		Classes: n.Classes, Guideline: n.Guideline, Annotators: splitNames(n.Annotators), Blind: n.Blind, Models: n.Models,
	}
	family, _, err := FamilyPreview(n.Family)
	if err != nil {
		return r, err
	}
	r.Family = family.String()
	if r.Modalities, err = parseModalities(n.Modalities); err != nil {
		return r, err
	}
	if r.OrderSeed, err = strconv.ParseUint(strings.TrimSpace(n.Seed), 10, 64); err != nil {
		return r, fmt.Errorf("order seed %q is not a whole number from 0 up", n.Seed)
	}
	return r, r.Validate()
}

// splitNames splits a list of names at commas, semicolons and line ends; each is kept once.
func splitNames(text string) []string {
	var names []string
	for name := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == ';' || r == '\n' }) {
		if name = strings.TrimSpace(name); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// RoundDialog asks for a new round and creates it. Chosen are the hashes chosen on the Models screen, Created is called
// on the main goroutine with the round.
func RoundDialog(host Host, ws *store.Workspace, chosen []string, created func(label.Round)) {
	var facts runFacts
	var ready map[string][]string
	host.Work.Quiet("round dialog", func(context.Context) (err error) {
		if facts, err = gather(ws); err != nil {
			return err
		}
		ready, err = readyModels(ws, facts.models)
		return err
	}, func(err error) {
		switch {
		case err != nil:
			host.Failed(err)
		case len(facts.models) == 0 || len(facts.suites) == 0:
			host.Failed(fmt.Errorf("a round needs models and a test suite; import them first"))
		default:
			d := &roundDialog{host: host, ws: ws, facts: facts, ready: ready, chosen: chosen, created: created}
			d.open()
		}
	})
}

// readyModels are the models that have signals, by suite and family.
func readyModels(ws *store.Workspace, models []model.Model) (map[string][]string, error) {
	ready := map[string][]string{}
	for _, m := range models {
		sets, err := ws.Sets(m.Hash, "", "")
		if err != nil {
			return nil, err
		}
		for _, set := range sets {
			key := set.Spec.Source + "\n" + set.Spec.Family
			if !slices.Contains(ready[key], m.Hash) {
				ready[key] = append(ready[key], m.Hash)
			}
		}
	}
	return ready, nil
}

type roundDialog struct {
	host    Host
	ws      *store.Workspace
	facts   runFacts
	ready   map[string][]string
	chosen  []string
	created func(label.Round)

	sheet                         *sheet
	name, annotators, seed, shown *widget.Entry
	guideline                     *widget.Entry
	suites                        *suiteMenu
	family                        *familyPicker
	classes, sight, models        *widget.RadioGroup
	problem                       *widget.Label
	start                         *widget.Button
	options                       map[string][]string // text of a models option -> hashes
}

const (
	twoClasses   = "2: invariant, variant"
	threeClasses = "3: with borderline"
	blind        = "blind: others' labels are hidden until the round is closed"
	open         = "open"
)

func (d *roundDialog) open() {
	d.sheet = d.host.open("New round", fyne.NewSize(760, 590))
	d.problem = widget.NewLabel("")
	d.problem.Importance = widget.DangerImportance
	d.problem.Wrapping = fyne.TextWrapWord
	d.start = widget.NewButton("Create", d.create)
	d.start.Importance = widget.HighImportance
	d.name, d.annotators, d.shown = widget.NewEntry(), widget.NewEntry(), widget.NewEntry()
	d.name.SetPlaceHolder("Rotation, first pass")
	d.annotators.SetPlaceHolder("names, separated by commas")
	d.shown.SetText(strings.Join(defaultModalities(), ", "))
	d.seed = widget.NewEntry()
	d.seed.SetText("1")
	d.guideline = widget.NewMultiLineEntry()
	d.guideline.Wrapping = fyne.TextWrapWord
	d.guideline.SetMinRowsVisible(5)
	d.guideline.SetText(assets.VarianceGuideline)
	d.classes = choice(twoClasses, threeClasses)
	d.sight = choice(blind, open)
	d.models = choice()
	d.suites = newSuiteMenu(d.facts.suites, d.facts.current.Suite, d.check)
	d.family = newFamilyPicker(d.startFamily(), d.check)
	for _, entry := range []*widget.Entry{d.name, d.annotators, d.shown, d.seed} {
		entry.OnChanged = func(string) { d.check() }
	}
	d.models.OnChanged = func(string) { d.check() }
	d.sheet.show(container.NewBorder(nil, d.problem, nil, nil, container.NewVScroll(d.form())), d.sheet.closeButton("Cancel"), d.start)
	d.check()
	d.sheet.present(d.name)
}

// startFamily is the current family, else one that has signals, else the usual one.
func (d *roundDialog) startFamily() string {
	if d.facts.current.Family != "" {
		return d.facts.current.Family
	}
	for key := range d.ready {
		if source, family, _ := strings.Cut(key, "\n"); source == d.facts.current.Suite {
			return family
		}
	}
	return usualFamily()
}

func (d *roundDialog) form() *widget.Form {
	return widget.NewForm(
		widget.NewFormItem("Name", d.name),
		widget.NewFormItem("Annotators", d.annotators),
		widget.NewFormItem("Test suite", d.suites.menu),
		widget.NewFormItem("Family", d.family.object),
		widget.NewFormItem("Models", d.models),
		widget.NewFormItem("Matrices", d.shown),
		widget.NewFormItem("Classes", d.classes),
		widget.NewFormItem("Sight", d.sight),
		widget.NewFormItem("Order seed", d.seed),
		widget.NewFormItem("Guideline", d.guideline),
	)
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

// refreshModels offers the models that have signals for the suite and family, the chosen ones, and all.
func (d *roundDialog) refreshModels() {
	family, err := d.family.family()
	if err != nil {
		return
	}
	var all []string
	for _, m := range d.facts.models {
		all = append(all, m.Hash)
	}
	d.options = map[string][]string{}
	var names []string
	add := func(name string, hashes []string) {
		if len(hashes) > 0 {
			name = fmt.Sprintf("%s (%d)", name, len(hashes))
			d.options[name] = hashes
			names = append(names, name)
		}
	}
	add("with signals", d.ready[d.suites.hash()+"\n"+family.String()])
	add("chosen ones", d.chosen)
	add("all", all)
	if slices.Equal(names, d.models.Options) {
		return
	}
	d.models.Options = names
	if !slices.Contains(names, d.models.Selected) {
		d.models.Selected = names[0]
	}
	d.models.Refresh()
}

func (d *roundDialog) asked() NewRound {
	n := NewRound{
		Name: d.name.Text, Suite: d.suites.hash(), Family: d.family.entry.Text, Modalities: d.shown.Text, Classes: 2,
		Annotators: d.annotators.Text, Blind: d.sight.Selected == blind, Seed: d.seed.Text,
		Guideline: d.guideline.Text, Models: d.options[d.models.Selected],
	}
	if d.classes.Selected == threeClasses {
		n.Classes = 3
	}
	return n
}

func (d *roundDialog) check() {
	if d.family == nil {
		return
	}
	d.refreshModels()
	_, err := d.asked().Make()
	if err != nil {
		d.start.Disable()
		d.problem.SetText(sentence(err))
		return
	}
	d.problem.SetText("")
	d.start.Enable()
}

func (d *roundDialog) create() {
	round, err := d.asked().Make()
	if err != nil {
		d.problem.SetText(sentence(err))
		return
	}
	d.sheet.work("Create round", func(context.Context, *background.Progress) (err error) {
		round, err = d.ws.CreateRound(round) // this also freezes the colour ranges, so that all see the same colours
		return err
	}, func(err error) {
		d.sheet.close()
		switch {
		case err != nil && !cancelled(err):
			d.host.Failed(err)
		case err == nil:
			d.host.Say(fmt.Sprintf("Round %s with %d models", round.Name, len(round.Models)))
			if d.created != nil {
				d.created(round)
			}
		}
	})
}
