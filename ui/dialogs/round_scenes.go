package dialogs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/assets"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/lookup"
	"github.com/variscope/variscope/ui/present"
)

// OfScenes asks for a new round on the scenes of a selection (hash).
func (r Rounds) OfScenes(selection string) { r.inScenes(selection, r.ticked(), false) }

// OfModelsInScenes asks for a new round of models in their order on the scenes of a selection
// (hash); name says of the list what it is.
func (r Rounds) OfModelsInScenes(selection, name string, hashes []string) {
	r.inScenes(selection, offer{name, hashes}, true)
}

func (r Rounds) inScenes(selection string, first offer, ordered bool) {
	r.newFrom(first, func() (label.Round, error) {
		_, err := r.Workspace.Selection(selection)
		usual := feature.DefaultBackgroundLayout()
		return label.Round{
			Kind: label.BackgroundRound, Selection: selection, Modalities: usual.Modalities, Interpolants: usual.Background.Interpolants,
			Classes: 3, Blind: true, RepeatShare: usualRepeats, Guideline: assets.BackgroundGuideline,
			Ordered: ordered,
		}, err
	})
}

// sceneFacts is what the dialog needs to know of selections.
type sceneFacts struct {
	selections []store.SelectionRecord // oldest first
	ran        map[string][]string     // models with signals in the scenes, by selection
	ids        map[string]string       // of models, by hash
}

func gatherScenes(ws *store.Workspace, models []model.Model) (f sceneFacts, err error) {
	f.ran, f.ids = map[string][]string{}, map[string]string{}
	if f.selections, err = ws.Selections(); err != nil {
		return f, err
	}
	for _, m := range models {
		f.ids[m.Hash] = m.ID
		for _, s := range f.selections {
			family, err := s.Family()
			if err != nil {
				return f, err
			}
			_, reason, err := lookup.Set(ws, m, s.Targets, family)
			if err != nil {
				return f, err
			}
			if reason.None() {
				f.ran[s.Hash] = append(f.ran[s.Hash], m.Hash)
			}
		}
	}
	return f, nil
}

// find is the selection with a hash.
func (f sceneFacts) find(hash string) (store.SelectionRecord, bool) {
	at := slices.IndexFunc(f.selections, func(s store.SelectionRecord) bool { return s.Hash == hash })
	if at < 0 {
		return store.SelectionRecord{}, false
	}
	return f.selections[at], true
}

// withoutScenes names the models of a background round that have nothing to judge, and says what
// to do; "" without any. What came with a round package is not known here, so a round on a
// selection that is not here gets no remark.
func (f sceneFacts) withoutScenes(r label.Round) string {
	if _, here := f.find(r.Selection); r.Kind != label.BackgroundRound || !here {
		return ""
	}
	var names []string
	for _, hash := range r.Models {
		if !slices.Contains(f.ran[r.Selection], hash) {
			names = append(names, cmp.Or(f.ids[hash], result.ID.SayText(hash)))
		}
	}
	if len(names) == 0 {
		return ""
	}
	const most = 6
	list := strings.Join(names[:min(most, len(names))], ", ")
	if len(names) > most {
		list += ", …"
	}
	return present.ByCount(len(names), "%d model has no signals in these scenes yet (%s): run it on the Background screen, page Scenes; until then it can only be skipped.",
		"%d models have no signals in these scenes yet (%s): run them on the Background screen, page Scenes; until then they can only be skipped.",
		len(names), list)
}

// Scenes is what the dialog asks for a background round.
type Scenes struct {
	Selection    string // hash
	Targets      string // hash of the suite
	Measures     []string
	Interpolants []string
}

// set makes a round one on these scenes. Colour ranges that fit stay; all targets count.
func (s Scenes) set(r *label.Round) {
	r.Suite, r.Selection, r.Family, r.Filter = s.Targets, s.Selection, "", "all"
	r.Modalities, r.Interpolants = s.Measures, s.Interpolants
}

// scenePicker chooses the kind of a round, and for backgrounds the selection and the matrices.
type scenePicker struct {
	facts         sceneFacts
	task          roundTask
	kinds         *widget.RadioGroup // nil where the kind cannot be chosen
	menu          *widget.Select
	hashes        []string // in the order of the menu
	measures, rbf *widget.CheckGroup
	interpolants  []string // in the order of rbf
	about         *widget.Label
	background    bool
}

// The kinds of rounds in words.
const (
	ofFamily = "changes of the image"
	ofScenes = "backgrounds"
)

// newScenePicker offers the kinds where a new round has selections to choose from. changed is told
// of every choice, turned of another kind.
func newScenePicker(facts sceneFacts, task roundTask, changed func(), turned func(background bool)) *scenePicker {
	base := task.base
	p := &scenePicker{facts: facts, task: task, background: base.Kind == label.BackgroundRound}
	if task.fresh && len(facts.selections) > 0 {
		p.kinds = choice(ofFamily, ofScenes)
		if p.background {
			p.kinds.Selected = ofScenes
		}
		p.kinds.OnChanged = func(kind string) {
			if now := kind == ofScenes; now != p.background {
				p.background = now
				turned(now)
			}
		}
	}
	p.about = widget.NewLabel("")
	p.about.Wrapping, p.about.Importance = fyne.TextWrapWord, widget.LowImportance
	p.makeMenu(base.Selection, changed)
	p.makeChecks(changed)
	return p
}

func (p *scenePicker) makeMenu(chosen string, changed func()) {
	var names []string
	for _, s := range p.facts.selections {
		p.hashes = append(p.hashes, s.Hash)
		name := s.Name
		if slices.Contains(names, name) {
			name += " " + s.Hash[:8]
		}
		names = append(names, name)
	}
	if _, here := p.facts.find(chosen); chosen != "" && !here {
		p.hashes, names = append(p.hashes, chosen), append(names, fmt.Sprintf("%s, not in this workspace", result.ID.SayText(chosen)))
	}
	p.menu = widget.NewSelect(names, nil)
	if at := slices.Index(p.hashes, chosen); at >= 0 {
		p.menu.SetSelectedIndex(at)
	} else if len(names) > 0 {
		p.menu.SetSelectedIndex(len(names) - 1) // the newest
	}
	p.describe()
	p.menu.OnChanged = func(string) {
		p.describe()
		changed()
	}
}

// describe says what the selection is.
func (p *scenePicker) describe() {
	s, here := p.facts.find(p.hash())
	if !here {
		p.about.SetText("")
		return
	}
	p.about.SetText(fmt.Sprintf("%s per target; %s ran in them", result.Counted(s.N, "scene"),
		result.Counted(len(p.facts.ran[s.Hash]), "model")))
}

// makeChecks offers the measures and the interpolants, those of the round among them.
func (p *scenePicker) makeChecks(changed func()) {
	usual, base := feature.DefaultBackgroundLayout(), p.task.base
	measures, interpolants := usual.Modalities, usual.Background.Interpolants
	if p.background {
		measures, interpolants = base.Modalities, base.Interpolants
	}
	p.measures = widget.NewCheckGroup(feature.BackgroundModalities(), func([]string) { changed() })
	p.measures.Selected, p.measures.Horizontal = slices.Clone(measures), true
	for _, one := range scatter.Interpolants() {
		p.interpolants = append(p.interpolants, one.Name())
	}
	for _, name := range interpolants {
		if !slices.Contains(p.interpolants, name) {
			p.interpolants = append(p.interpolants, name)
		}
	}
	p.rbf = widget.NewCheckGroup(nil, func([]string) { changed() })
	p.rbf.Horizontal = true
	for _, name := range p.interpolants {
		p.rbf.Options = append(p.rbf.Options, interpolantText(name))
		if slices.Contains(interpolants, name) {
			p.rbf.Selected = append(p.rbf.Selected, interpolantText(name))
		}
	}
}

// interpolantText is an interpolant with its circle and its sigma, "I1 (16, σ 5)".
func interpolantText(name string) string {
	p, err := scatter.ParseInterpolant(name)
	if err != nil {
		return name
	}
	return fmt.Sprintf("%s (width %g, σ %g)", name, p.Size, p.Sigma)
}

// on tells whether the round is about backgrounds.
func (p *scenePicker) on() bool { return p.background }

func (p *scenePicker) kind() label.RoundKind {
	if p.background {
		return label.BackgroundRound
	}
	return label.VarianceRound
}

// hash is the selection chosen, "" without one.
func (p *scenePicker) hash() string {
	if at := p.menu.SelectedIndex(); at >= 0 {
		return p.hashes[at]
	}
	return ""
}

// asked are the choices, in the order of the offers.
func (p *scenePicker) asked() Scenes {
	s := Scenes{Selection: p.hash(), Targets: p.task.base.Suite}
	if record, here := p.facts.find(s.Selection); here {
		s.Targets = record.Targets
	}
	for _, measure := range p.measures.Options {
		if slices.Contains(p.measures.Selected, measure) {
			s.Measures = append(s.Measures, measure)
		}
	}
	for k, name := range p.interpolants {
		if slices.Contains(p.rbf.Selected, p.rbf.Options[k]) {
			s.Interpolants = append(s.Interpolants, name)
		}
	}
	return s
}

// kindItem is the choice of the kind, where there is one.
func (p *scenePicker) kindItem() []*widget.FormItem {
	if p.kinds == nil {
		return nil
	}
	return []*widget.FormItem{widget.NewFormItem("Invariance to", p.kinds)}
}

// items are the fields of a background round around those of the models.
func (p *scenePicker) items(models *widget.FormItem) []*widget.FormItem {
	return append(p.kindItem(), widget.NewFormItem("Selection", container.NewVBox(p.menu, p.about)), models, widget.NewFormItem("Signals", p.measures),
		widget.NewFormItem("Matrices", hinted(p.rbf, ("Each signal is shown as a scatter plot over semantic distances, and as one interpolated "+
			"matrix for each of these."))))
}

// turn shows the fields of another kind of round, with the classes and the guideline that are
// usual for it unless others were chosen.
func (f *roundForm) turn(background bool) {
	from, to, classes := assets.BackgroundGuideline, assets.VarianceGuideline, twoClasses
	if background {
		from, to, classes = to, from, threeClasses
	}
	if f.guideline.entry.Text == from {
		f.guideline.entry.SetText(to)
	}
	f.classes.SetSelected(classes)
	f.judged.Content = f.modelsForm()
	f.judged.Refresh()
	f.check()
}
