package store

import (
	"cmp"
	"slices"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store/database"
)

// State says what a workspace has of a model's signals for a suite and a family. Running and
// failed are known by the engine and by run records.
type State string

// The states of DESIGN.md section 6, and Partial: some units are there, the others are still to be
// computed.
const (
	None    State = "none"
	Partial State = "partial"
	Ready   State = "ready"
	Stale   State = "stale"
)

// State derives the state of a model. Ready: a finished set fits the model's settings. Partial: an
// unfinished one does. Stale: there are only signals for other preprocessing, output kind, output
// or tensors, or for a suite of the same name or folder with other content. What a round package
// brought of a model makes it ready too.
func (w *Workspace) State(m model.Model, suiteHash, family string) (State, error) {
	settings, err := m.Settings()
	if err != nil {
		return None, err
	}
	found, err := w.basis(m, settings, suiteHash, family)
	return found.state, err
}

func (w *Workspace) basis(m model.Model, settings model.Settings, suiteHash, family string) (basis, error) {
	return viewed(w, func(tx *database.Tx) (basis, error) { return basisOf(tx, m, settings, suiteHash, family) })
}

// basis is a model's state with what it rests on: a set of this workspace, else what a round
// package brought.
type basis struct {
	state    State
	set      SetInfo           // its Key is empty where there is no finished set that fits
	packaged database.Evidence // without its matrices; its key is empty where there is none, or a set
	damaged  *DamagedError
}

// basisOf is the one place that derives a state.
func basisOf(tx *database.Tx, m model.Model, settings model.Settings, suiteHash, family string) (basis, error) {
	found := basis{state: None}
	err := eachSet(tx, m.Hash, suiteHash, family, func(info SetInfo) {
		switch {
		case !fits(info.Spec, m, settings):
			found.state = stronger(found.state, Stale)
		case info.Finished:
			found.state = Ready
			if found.set.Key == "" || betterSet(info, found.set) {
				found.set = info
			}
		case info.Recorded > 0 || info.Damaged != nil:
			found.state, found.damaged = stronger(found.state, Partial), cmp.Or(found.damaged, info.Damaged)
		}
	})
	if err != nil || found.state == Ready {
		return found, err
	}
	packaged, there, err := packagedOf(tx, m.Hash, suiteHash, family, database.WithoutMatrices)
	if there {
		found.state, found.packaged = Ready, packaged
	}
	if err != nil || found.state != None {
		return found, err
	}
	old, err := hasOldContent(tx, m.Hash, suiteHash, family)
	if old {
		found.state = Stale
	}
	return found, err
}

// stronger keeps the state that says more of what is usable.
func stronger(a, b State) State {
	rank := []State{None, Stale, Partial, Ready}
	if slices.Index(rank, b) > slices.Index(rank, a) {
		return b
	}
	return a
}

// fits tells whether signals under a spec are those that the model's settings ask for. Library
// version, processor and batch size are part of a set's key but do not make it stale. Signals of a
// transformation set need no position but CONF.
func fits(spec signal.Spec, m model.Model, s model.Settings) bool {
	if spec.OutputKind != s.OutputKind || spec.Output != s.Output || !spec.Preprocessing.Equal(s.Preprocessing) {
		return false
	}
	for position, tensor := range m.Correction.Positions {
		i := spec.Position(position)
		if i < 0 && transform.IsSet(spec.Family) {
			continue
		}
		if i < 0 || spec.Positions[i].Tensor != tensor {
			return false
		}
	}
	for _, position := range spec.Positions {
		if position.Name == model.CONF {
			continue // the class output, compared above
		}
		if tensor, ok := m.Graph.Tensor(position.Name, m.Correction.Positions); ok && tensor != position.Tensor {
			return false
		}
	}
	return true
}

// hasOldContent tells whether the model has signals of this family for a suite of the same name or
// folder with another content hash.
func hasOldContent(tx *database.Tx, modelHash, suiteHash, family string) (bool, error) {
	now, found, err := database.HeadOfSuite(tx, suiteHash)
	if err != nil || !found {
		return false, err
	}
	var sources []string
	err = eachSet(tx, modelHash, "", family, func(info SetInfo) { sources = append(sources, info.Spec.Source) })
	if err != nil {
		return false, err
	}
	for _, source := range sources {
		was, found, err := database.HeadOfSuite(tx, source)
		if err != nil {
			return false, err
		}
		if found && isOldContent(was, now) {
			return true, nil
		}
	}
	return false, nil
}

// isOldContent tells whether a suite is another one as it was earlier: the same name or folder,
// the same change of its images where it is derived, and another content.
func isOldContent(was, now suite.Manifest) bool {
	if was.Hash == now.Hash || (was.Derived == nil) != (now.Derived == nil) {
		return false
	}
	if was.Derived != nil && was.Derived.Change != now.Derived.Change {
		return false
	}
	return was.Name == now.Name || was.Root == now.Root
}

// BestSet is the finished set that Summary speaks of, for LoadSet and Matrix; ok is false when
// there is none.
func (w *Workspace) BestSet(m model.Model, suiteHash, family string) (info SetInfo, ok bool, err error) {
	info, err = viewed(w, func(tx *database.Tx) (SetInfo, error) { return bestSet(tx, m, suiteHash, family) })
	return info, info.Key != "", err
}

// bestSet is the finished set that fits the model's settings, with an empty key when there is none.
func bestSet(tx *database.Tx, m model.Model, suiteHash, family string) (SetInfo, error) {
	var best SetInfo
	settings, err := m.Settings()
	if err != nil {
		return best, err
	}
	err = eachSet(tx, m.Hash, suiteHash, family, func(info SetInfo) {
		if info.Finished && fits(info.Spec, m, settings) && (best.Key == "" || betterSet(info, best)) {
			best = info
		}
	})
	return best, err
}

// betterSet prefers the set with more positions, then the newer one, so that a run with fewer
// positions does not hide matrices.
func betterSet(a, b SetInfo) bool {
	if x, y := defaultPositions(a.Spec), defaultPositions(b.Spec); x != y {
		return x > y
	}
	return a.Updated.After(b.Updated)
}

func defaultPositions(spec signal.Spec) int {
	n := 0
	for _, name := range model.DefaultPositions() {
		if spec.Position(name) >= 0 {
			n++
		}
	}
	return n
}
