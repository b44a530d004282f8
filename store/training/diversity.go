package training

import (
	"context"
	"fmt"
	"math"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/tables"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/background"
)

// Diversity is the line of the paper's Table 4 of a selection of testing scenes, of which family is
// the transformation set, over the models of d: how many of their neurons the scenes reach, and
// how far the annotators agree. A model whose coverage cannot be had counts as missing. Progress
// counts models.
func Diversity(
	ctx context.Context, ws *store.Workspace, rt engine.Runtime, d assess.Data, family string, p engine.Progress,
) (line tables.Diversity, err error) {
	set, err := transform.ParseAny(family)
	if err != nil {
		return line, err
	}
	selection, n, ok := set.Scened()
	if !ok {
		return line, fmt.Errorf("%s is no selection of testing scenes", family)
	}
	p.SetTotal(int64(len(d.Rows)))
	values := make([]float64, len(d.Rows))
	ratings := make([][]int, len(d.Raters))
	for i, row := range d.Rows {
		m, err := ws.Model(row.Hash)
		if err != nil {
			return line, err
		}
		c, reason, err := background.Cover(ctx, ws, rt, m, selection, 0, engine.NoProgress{})
		if err != nil {
			return line, err
		}
		if values[i] = c.Share; reason != "" {
			values[i] = math.NaN()
		}
		for a := range ratings {
			rating, ok := row.Ratings[a].Index(len(d.Classes))
			if !ok {
				rating = agreement.Missing
			}
			ratings[a] = append(ratings[a], rating)
		}
		p.Add(1)
	}
	return tables.Table4(n, values, ratings, len(d.Classes)), nil
}
