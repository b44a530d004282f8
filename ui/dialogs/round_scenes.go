package dialogs

import (
	"cmp"
	"fmt"
	"slices"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/assets"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/option"
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
	r.newFrom(first, func(o *label.Options) error {
		o.Kind, o.Selection, o.Classes, o.AsListed = label.BackgroundRound, selection, 3, ordered
		o.Guideline = assets.BackgroundGuideline
		_, err := r.Workspace.Selection(selection)
		return err
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

// describe says what a selection is, "" for one that is not here.
func (f sceneFacts) describe(selection string) string {
	s, here := f.find(selection)
	if !here {
		return ""
	}
	ran := result.Counted(len(f.ran[s.Hash]), "model")
	return fmt.Sprintf("%s per target; %s ran in them", result.Counted(s.N, "scene"), ran)
}

// withoutScenes names those of the models that have nothing to judge in a selection, and says what
// to do; "" without any. What came with a round package is not known here, so of a selection that
// is not here there is no remark.
func (f sceneFacts) withoutScenes(selection string, models []string) string {
	if _, here := f.find(selection); !here {
		return ""
	}
	var names []string
	for _, hash := range models {
		if !slices.Contains(f.ran[selection], hash) {
			names = append(names, cmp.Or(f.ids[hash], result.ID.SayText(hash)))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return present.ByCount(len(names), "%d model has no signals in these scenes yet (%s): run it on the Background screen, page Scenes; until then it can only be skipped.",
		"%d models have no signals in these scenes yet (%s): run them on the Background screen, page Scenes; until then they can only be skipped.",
		len(names), firstNames(names))
}

// interpolants asks for the interpolated matrices: the paper's, and those of the base round.
func (d *roundDialog) interpolants(take func(string)) fyne.CanvasObject {
	ticked := feature.DefaultBackgroundLayout().Background.Interpolants
	if d.task.base.Kind == label.BackgroundRound {
		ticked = d.task.base.Interpolants
	}
	names := slices.Clone(ticked)
	for _, one := range slices.Backward(scatter.Interpolants()) {
		names = slices.Insert(slices.DeleteFunc(names, func(name string) bool { return name == one.Name() }), 0, one.Name())
	}
	group := ticks(named(names, interpolantText), ticked, func(names []string) { take(option.Join(names)) })
	group.Horizontal = true
	return group
}

// interpolantText is an interpolant with its circle and its sigma, "I1 (width 16, σ 5)".
func interpolantText(name string) string {
	p, err := scatter.ParseInterpolant(name)
	if err != nil {
		return name
	}
	return fmt.Sprintf("%s (width %g, σ %g)", name, p.Size, p.Sigma)
}
