package dscore

import (
	"context"

	"github.com/variscope/variscope/engine"
	score "github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/diagnosis"
)

// Store is what the screen needs of a workspace; Of gives one.
type Store interface {
	Current() (store.Current, error)
	Models() ([]model.Model, error)
	Suites() ([]suite.Manifest, error)
	Suite(hash string) (suite.Manifest, error)
	OpenSuiteContext(ctx context.Context, hash string) (*suite.Suite, error)
	Sets(model, suite, family string) ([]store.SetInfo, error)
	Setting(key string, into any) (bool, error)
	SetSetting(key string, value any) error
	Subscribe(func(store.Change)) (cancel func())
	Available(suiteHash string) ([]score.Grid, error)
	Usual(suiteHash string) (g score.Grid, ok bool, err error)
	Diagnose(ctx context.Context, ask diagnosis.Ask, p engine.Progress) ([]score.Diagnosis, []score.LeftOut, error)
	LayersOf(ctx context.Context, m model.Model, suiteHash string, n int) ([]score.Layer, error)
	OneImage(ctx context.Context, d score.Diagnosis, index int) (diagnosis.Image, error)
	Average(ctx context.Context, suiteHash string, limit int, p engine.Progress) (suite.Image, error)
	Maps(m model.Model, suiteHash string, g score.Grid) (maps []model.FeatureMap, leftAlone []int, err error)
}

// Of makes a workspace into a Store. read reads what masks do to a model file (engine/onnx); with
// nil nobody can say which regions hold nothing.
func Of(ws *store.Workspace, read diagnosis.MapReader) Store { return workspace{ws, read} }

type workspace struct {
	*store.Workspace
	read diagnosis.MapReader
}

// Available implements Store.
func (w workspace) Available(suiteHash string) ([]score.Grid, error) {
	return diagnosis.Available(w.Workspace, suiteHash)
}

// Usual implements Store.
func (w workspace) Usual(suiteHash string) (g score.Grid, ok bool, err error) {
	return diagnosis.Usual(w.Workspace, suiteHash, nil)
}

// Diagnose implements Store.
func (w workspace) Diagnose(
	ctx context.Context, ask diagnosis.Ask, p engine.Progress,
) ([]score.Diagnosis, []score.LeftOut, error) {
	return diagnosis.Diagnose(ctx, w.Workspace, ask, p)
}

// LayersOf implements Store.
func (w workspace) LayersOf(ctx context.Context, m model.Model, suiteHash string, n int) ([]score.Layer, error) {
	return diagnosis.Layers(ctx, w.Workspace, m, suiteHash, n)
}

// OneImage implements Store.
func (w workspace) OneImage(ctx context.Context, d score.Diagnosis, index int) (diagnosis.Image, error) {
	return diagnosis.OneImage(ctx, w.Workspace, d, index)
}

// Average implements Store.
func (w workspace) Average(ctx context.Context, suiteHash string, limit int, p engine.Progress) (suite.Image, error) {
	return diagnosis.Average(ctx, w.Workspace, suiteHash, limit, p)
}

// Maps implements Store.
func (w workspace) Maps(
	m model.Model, suiteHash string, g score.Grid,
) (maps []model.FeatureMap, leftAlone []int, err error) {
	if w.read == nil || !w.HasFile(m.Hash) {
		return nil, nil, nil
	}
	return diagnosis.Maps(w.Workspace, m, suiteHash, g, w.read)
}
