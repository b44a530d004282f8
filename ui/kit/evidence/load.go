package evidence

import (
	"context"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/present"
)

// Source is what evidence is read from; *store.Workspace is one.
type Source interface {
	Models() ([]model.Model, error)
	Model(hash string) (model.Model, error)
	Suite(hash string) (suite.Manifest, error)
	Summary(m model.Model, suiteHash, family string) (store.Summary, bool, error)
	Chance(ctx context.Context, s store.Summary) (chance.Level, error)
	Looks(m model.Model, suiteHash string) chance.Looks
	WhyNoSet(m model.Model, suiteHash, family string) (result.Reason, error)
	Matrices(ctx context.Context, q store.MatrixRequest) (store.Answer, error)
}

// Request says which evidence is wanted.
type Request struct {
	Model      string // hash
	Suite      string // hash
	Family     string // canonical text
	Modalities []string
	Images     variance.Images
}

// DefaultModalities are the names of the five matrices in their order.
func DefaultModalities() []string { return signal.DefaultNames() }

// Load reads the evidence of a model. What is not there is said in Evidence.State and in the
// tiles' reasons; the error is for what cannot be read at all, for a choice of images that leaves
// none (variance.ErrNoImages) and for a ctx that ended. It is slow (files) and safe for several
// goroutines.
func Load(ctx context.Context, from Source, req Request) (Evidence, error) {
	e, summary, err := Describe(ctx, from, req)
	if err != nil || summary.Key == "" {
		return e, err
	}
	err = e.fill(ctx, from, req)
	return e, err
}

// Describe reads everything but the matrices: the tiles are left out unless there is a reason for
// none of them to be there. The summary is that of the signals; its Key is "" without finished
// signals. It reads no signal files, but those whose summary was made before chance levels were
// counted, once.
func Describe(ctx context.Context, from Source, req Request) (Evidence, store.Summary, error) {
	var none store.Summary
	m, err := from.Model(req.Model)
	if err != nil {
		return Evidence{}, none, err
	}
	e := Evidence{Model: m, Family: req.Family, Looks: from.Looks(m, req.Suite)}
	manifest, err := from.Suite(req.Suite)
	if err == nil {
		e.Suite, e.Total, e.Skipped = manifest.Name, manifest.Images, len(manifest.Skipped)
		e.Classes = manifest.Classes
	}
	if family, err := transform.Parse(req.Family); err == nil {
		e.Family, e.Variable, e.Values, e.Unit = family.Short(), family.Name(), family.Values(), family.Unit()
	}
	if req.Suite == "" || req.Family == "" {
		e.missing(req, Choose(req.Suite, req.Family))
		return e, none, nil
	}
	if _, err := m.Settings(); err != nil {
		e.missing(req, present.Sentence(err))
		return e, none, nil
	}
	summary, ok, err := from.Summary(m, req.Suite, req.Family)
	if err != nil {
		return e, none, err
	}
	if !ok {
		reason, err := from.WhyNoSet(m, req.Suite, req.Family)
		e.missing(req, reason.Text)
		return e, none, err
	}
	e.MappedBy = summary.MappedBy
	e.Device = summary.Device
	e.Chance, err = from.Chance(ctx, summary)
	if ctx.Err() != nil {
		return e, none, err
	}
	// signals that cannot be read have no badge here; what is wrong is said where they are opened
	return e, summary, nil
}

// Choose says what to choose before there can be matrices.
func Choose(suite, family string) string {
	if suite == "" {
		return "no test suite is chosen: choose one in the toolbar, or import one"
	}
	return "no family of transformations is chosen: choose one in the toolbar"
}

func (e *Evidence) missing(req Request, state string) {
	e.State = state
	for _, name := range req.Modalities {
		e.Tiles = append(e.Tiles, Tile{Modality: name, Reason: "no signals"})
	}
}

// fill takes over the store's answer.
func (e *Evidence) fill(ctx context.Context, from Source, req Request) error {
	answer, err := from.Matrices(ctx, store.MatrixRequest{
		Model: e.Model, Suite: req.Suite, Family: req.Family, Modalities: req.Modalities, Images: req.Images,
	})
	if err != nil {
		return err
	}
	e.Images, e.Total, e.Skipped = answer.Chosen, answer.Total, answer.Skipped
	e.Accuracy, e.Robust = answer.Accuracy, answer.Robust
	for _, name := range req.Modalities {
		e.Tiles = append(e.Tiles, Tile{Modality: name, Matrix: answer.Matrices[name], Reason: answer.Absent[name]})
	}
	return nil
}

// Without is the evidence with every matrix absent for one reason.
func (e Evidence) Without(modalities []string, reason string) Evidence {
	e.Tiles, e.Accuracy, e.Robust, e.Images = nil, nil, 0, 0
	for _, name := range modalities {
		e.Tiles = append(e.Tiles, Tile{Modality: name, Reason: reason})
	}
	return e
}
