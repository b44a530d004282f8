package training

import (
	"context"
	"fmt"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/store"
)

// Gathered are the models of a workspace, or of an exported table, with features and labels.
type Gathered struct {
	Data     assess.Data
	Measured []Measured // by row of Data; nil for a table
	Left     []LeftOut  // without features or without a label
}

// Gather measures models (Measure) and joins them with their labels (Label). It is an error where
// no model has features.
func Gather(
	ctx context.Context, ws *store.Workspace, ask Ask, from Labels, cache *Cache, p engine.Progress,
) (g Gathered, err error) {
	if g.Measured, g.Left, err = Measure(ctx, ws, ask, cache, p); err != nil {
		return g, err
	}
	switch {
	case len(g.Measured)+len(g.Left) == 0:
		return g, fmt.Errorf("workspace %s has no models yet; import some first", ws.Name())
	case len(g.Measured) == 0:
		return g, fmt.Errorf("no model of workspace %s has features: %s", ws.Name(),
			strings.Join(assess.Lines(g.Left), "; "))
	}
	data, unlabelled, err := Label(ws, g.Measured, ask.Layout, from)
	g.Data, g.Left = data, AllLeftOut(g.Left, unlabelled)
	return g, err
}
