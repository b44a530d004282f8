package dialogs

import (
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/store/job"
	"github.com/variscope/variscope/ui/kit"
)

// Wish is what the run dialog begins with.
type Wish struct {
	// Models are the hashes of the chosen models; with none, all is the only choice.
	Models []string
	// Modalities are those that shall be shown afterwards; the run computes what they need beside the
	// usual.
	Modalities []string
}

// namedPositions are the positions that the dialog offers by name.
func namedPositions() []string { return []string{model.CONF, model.Conv1, model.Conv2, model.Head} }

// StartFor starts a run of the models of a wish without asking further: the usual positions, and
// what its modalities need beside.
func (r Runner) StartFor(host *kit.Host, w Wish, suite, family string) {
	named, tensors, vectors := w.needs()
	positions := model.DefaultPositions()
	for _, p := range slices.Concat(named, tensors) {
		if !slices.Contains(positions, p) {
			positions = append(positions, p)
		}
	}
	r.Start(host, job.Request{Models: w.Models, Suite: suite, Family: family, Positions: positions, Vectors: vectors})
}

// needs sorts what the modalities need: positions with a name of their own, other tensors, and
// vector modalities. What is no modality is passed over.
func (w Wish) needs() (named, tensors, vectors []string) {
	for _, text := range w.Modalities {
		m, err := signal.ParseModality(text)
		if err != nil {
			continue
		}
		list := &tensors
		name := m.Position
		switch {
		case m.Vector():
			list, name = &vectors, m.String()
		case slices.Contains(namedPositions(), m.Position):
			list = &named
		}
		if !slices.Contains(*list, name) {
			*list = append(*list, name)
		}
	}
	return named, tensors, vectors
}

// parseVectors reads the modalities that compare whole tensors.
func parseVectors(text string) ([]string, error) {
	names, err := parseModalities(text)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if m, err := signal.ParseModality(name); err == nil && !m.Vector() {
			return nil, fmt.Errorf("%s is computed with its position anyway; write distances such as L2@%s here", name, m.Position)
		}
	}
	return names, nil
}
