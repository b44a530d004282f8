package dialogs

import (
	"slices"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store/job"
)

// Wish is what the run dialog begins with.
type Wish struct {
	// Models are the hashes of the chosen models; with none, all is the only choice.
	Models []string
	// Modalities are those that shall be shown afterwards; the run computes what they need beside
	// the usual.
	Modalities []string
}

// namedPositions are the positions that the dialog offers by name.
func namedPositions() []string { return []string{model.CONF, model.Conv1, model.Conv2, model.Head} }

// Request is the run of the models of a wish without asking further: the usual positions, and what
// its modalities need beside.
func (w Wish) Request(suite, family string) (job.Request, error) {
	parsed, err := transform.ParseAny(family)
	if err != nil {
		return job.Request{}, err
	}
	req, err := job.Options{Positions: model.DefaultPositions(), Modalities: w.beyond()}.Request(parsed)
	req.Models, req.Suite = w.Models, suite
	return req, err
}

// beyond are the wished modalities that the usual positions do not give. What is no modality is
// passed over.
func (w Wish) beyond() (list []string) {
	for _, text := range w.Modalities {
		m, err := signal.ParseModality(text)
		if err != nil || !m.Vector() && slices.Contains(model.DefaultPositions(), m.Position) {
			continue
		}
		if name := m.String(); !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}
