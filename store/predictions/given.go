package predictions

import (
	"context"
	"math"
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store/diagnosis"
	"github.com/variscope/variscope/store/evaluate"
)

// maxConf is the matrix whose mean counts as mean variance.
var maxConf = signal.DefaultModalities()[0].String()

// given measures the rankers that rest on signals.
func (g *gathering) given(ctx context.Context) ([]rank.Given, error) {
	var list []rank.Given
	ei, err := g.effective(ctx)
	if err != nil {
		return nil, err
	}
	scores, err := g.dscores(ctx)
	if err != nil {
		return nil, err
	}
	robust, variances, err := g.summaries()
	if err != nil {
		return nil, err
	}
	for _, one := range []rank.Given{ei, scores, robust, variances} {
		if slices.ContainsFunc(one.Scores, func(v float64) bool { return !math.IsNaN(v) }) {
			list = append(list, one)
		}
	}
	return list, nil
}

// effective is the mean effective invariance under rot90, or grayscale where no model was run
// under rot90.
func (g *gathering) effective(ctx context.Context) (rank.Given, error) {
	for _, family := range evaluate.Usual() {
		var hashes []string
		err := g.eachModel(func(_ int, m model.Model) error {
			_, ok, err := g.ws.BestSet(m, g.suite.Hash, family)
			if ok {
				hashes = append(hashes, m.Hash)
			}
			return err
		})
		if err != nil {
			return rank.Given{}, err
		}
		if len(hashes) == 0 {
			continue
		}
		ask := evaluate.Ask{Models: hashes, Suites: []string{g.suite.Hash}, Families: []string{family}}
		results, _, err := evaluate.Measure(ctx, g.ws, ask, engine.NoProgress{})
		if err != nil {
			return rank.Given{}, err
		}
		one := rank.Given{Method: rank.EI, Note: family, Family: family, Scores: confidences(nil, len(g.sources))}
		for _, r := range results {
			if j := g.place(r.Model.Hash); j >= 0 {
				one.Scores[j] = r.Mean[invariance.EI]
			}
		}
		return one, nil
	}
	return rank.Given{}, nil
}

// dscores are D-Scores with the grid that speaks for the models (diagnosis.Usual). They rest on
// the suite's labels.
func (g *gathering) dscores(ctx context.Context) (rank.Given, error) {
	if !g.bySuite() {
		return rank.Given{}, nil
	}
	hashes := []string{}
	for _, s := range g.sources {
		if s.model.Hash != "" {
			hashes = append(hashes, s.model.Hash)
		}
	}
	grid, ok, err := diagnosis.Usual(g.ws, g.suite.Hash, hashes)
	if err != nil || !ok {
		return rank.Given{}, err
	}
	ask := diagnosis.Ask{Models: hashes, Suites: []string{g.suite.Hash}, Grids: []dscore.Grid{grid}, ScoresOnly: true}
	list, _, err := diagnosis.Diagnose(ctx, g.ws, ask, nil)
	if err != nil {
		return rank.Given{}, err
	}
	one := rank.Given{
		Method: rank.DScore, Note: grid.String(),
		Family: grid.Mask + ", " + grid.Shift, Scores: confidences(nil, len(g.sources)),
	}
	for _, d := range list {
		if j := g.place(d.Model.Hash); j >= 0 {
			one.Scores[j] = d.Score.DScore
		}
	}
	return one, nil
}

// bySuite tells whether true classes are the suite's labels.
func (g *gathering) bySuite() bool { return g.ask.Truth == OfSuite || g.ask.Truth == "" }

func (g *gathering) place(hash string) int {
	return slices.IndexFunc(g.sources, func(s source) bool { return s.model.Hash == hash })
}

// eachModel visits the sources that are models of the workspace.
func (g *gathering) eachModel(visit func(j int, m model.Model) error) error {
	for j, s := range g.sources {
		if s.model.Hash == "" {
			continue
		}
		m, err := g.ws.Model(s.model.Hash)
		if err != nil {
			return err
		}
		if err := visit(j, m); err != nil {
			return err
		}
	}
	return nil
}

// summaries are robust accuracy and mean variance under the family.
func (g *gathering) summaries() (robust, variances rank.Given, err error) {
	family := g.ask.Family
	if family == "" {
		current, err := g.ws.Current()
		if err != nil {
			return robust, variances, err
		}
		family = current.Family
	}
	if family == "" || transform.IsSet(family) {
		return robust, variances, nil
	}
	name := g.ws.FamilyName(family)
	robust = rank.Given{
		Method: rank.RobustAccuracy, Note: name,
		Family: family, Scores: confidences(nil, len(g.sources)),
	}
	variances = rank.Given{
		Method: rank.MeanVariance, Note: name + ", " + maxConf,
		Family: family, Scores: confidences(nil, len(g.sources)),
	}
	err = g.eachModel(func(j int, m model.Model) error {
		s, ok, err := g.ws.Summary(m, g.suite.Hash, family)
		if err != nil || !ok {
			return err
		}
		if len(s.Accuracy) > 0 && g.bySuite() {
			robust.Scores[j] = s.Robust
		}
		if matrix, ok := s.Matrices[maxConf]; ok {
			variances.Scores[j] = -meanOffDiagonal(matrix)
		}
		return nil
	})
	return robust, variances, err
}

// meanOffDiagonal is the mean of a matrix over all pairs of different transformations.
func meanOffDiagonal(m variance.Matrix) float64 {
	sum := 0.0
	for i := range m.N {
		for j := range m.N {
			if i != j {
				sum += m.Data[i*m.N+j]
			}
		}
	}
	return sum / float64(m.N*(m.N-1))
}
