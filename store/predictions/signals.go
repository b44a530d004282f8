package predictions

import (
	"context"
	"fmt"
	"math"

	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/lookup"
)

// column is one model's place among the predicted classes of all.
type column struct {
	labels []int32
	n, j   int
}

// predictions writes a model's predicted classes and returns its mean confidence, NaN where it is
// not known.
func (g *gathering) predictions(ctx context.Context, s source, to column) (float64, error) {
	if s.table.ID != "" {
		return g.fromTable(ctx, s, to)
	}
	sum := 0.0
	identity := transform.IdentityOf(s.set.Spec.Family, s.set.Transformations)
	want := store.Want{Predictions: true, Confidence: true}
	err := g.ws.EachChunk(ctx, s.set.Key, want, func(first int, part *signal.Set) error {
		row := identity * part.Images
		for i := range part.Images {
			class := part.Prediction[row+i]
			if class < 0 || int(class) >= len(s.number.class) {
				err := fmt.Errorf("class %d is predicted for image %d, and there are %d", class, first+i,
					len(s.number.class))
				return lookup.Unusable(err)
			}
			to.labels[(first+i)*to.n+to.j] = s.number.class[class]
			sum += float64(part.Confidence[row+i])
		}
		return nil
	})
	return sum / float64(g.samples), err
}

func (g *gathering) fromTable(ctx context.Context, s source, to column) (float64, error) {
	labels, n := g.tabled[s.table.ID], len(s.table.Models)
	for i := range s.table.Samples {
		to.labels[i*to.n+to.j] = s.number.class[labels[i*n+s.column]]
	}
	if !s.soft() || ctx.Err() != nil {
		return math.NaN(), ctx.Err()
	}
	rows, err := g.ws.PredictionProbabilities(s.table.ID, s.column)
	if err != nil {
		return 0, err
	}
	return meanConfidence(rows, s.table.Classes), nil
}

// softmax reads the probabilities of a model, m x classes, in the task's numbering.
func softmax(ctx context.Context, ws *store.Workspace, s source, classes int) ([]float32, error) {
	if s.table.ID != "" {
		rows, err := ws.PredictionProbabilities(s.table.ID, s.column)
		if err != nil {
			return nil, err
		}
		return s.number.spread(make([]float32, s.table.Samples*classes), rows), ctx.Err()
	}
	out := make([]float32, s.set.Spec.Images*classes)
	identity := transform.IdentityOf(s.set.Spec.Family, s.set.Transformations)
	err := ws.EachChunk(ctx, s.set.Key, store.Want{Softmax: true}, func(first int, part *signal.Set) error {
		each := part.Images * part.Classes
		rows := part.Softmax[identity*each : (identity+1)*each]
		s.number.spread(out[first*classes:(first+part.Images)*classes], rows)
		return nil
	})
	return out, err
}

// spread writes rows of a model's classes as rows of the task's classes, and returns them. Classes
// that the model does not have keep what is there.
func (n numbering) spread(to, rows []float32) []float32 {
	own := len(n.class)
	samples := len(rows) / own
	classes := len(to) / samples
	for i := range samples {
		for c, p := range rows[i*own : (i+1)*own] {
			to[i*classes+int(n.class[c])] = p
		}
	}
	return to
}
