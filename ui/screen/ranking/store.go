package ranking

import (
	"context"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/predictions"
)

// Store is what the screen needs of a workspace; Of gives one.
type Store interface {
	Path() string
	Current() (store.Current, error)
	Suites() ([]suite.Manifest, error)
	Suite(hash string) (suite.Manifest, error)
	OpenSuiteContext(ctx context.Context, hash string) (*suite.Suite, error)
	PredictionTables() ([]store.PredictionTable, error)
	Gather(ctx context.Context, ask predictions.Ask, p engine.Progress) (rank.Data, []rank.LeftOut, error)
}

// Of makes a workspace into a Store.
func Of(ws *store.Workspace) Store { return workspace{ws} }

type workspace struct{ *store.Workspace }

// Gather implements Store.
func (w workspace) Gather(
	ctx context.Context, ask predictions.Ask, p engine.Progress,
) (rank.Data, []rank.LeftOut, error) {
	return predictions.Gather(ctx, w.Workspace, ask, p)
}
