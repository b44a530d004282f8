package rank

import "github.com/variscope/variscope/internal/testdata"

// goldenScores is what the file says of one way to compute LaF; null there means that there is no
// ranking.
type goldenScores struct {
	Specialty  []float64
	Easiness   []float64 `json:"easiness_log"`
	Posterior  [][]float64
	Iterations *int
	QFirst     *float64 `json:"q_first"`
	QLast      *float64 `json:"q_last"`
	Rank       []int
	// FromExact is how far the file's reference scores lie from its exact ones; for reading only.
	FromExact *float64 `json:"max_abs_difference_from_exact"`
}

type goldenLaFExpected struct {
	Kept           []int
	KeptCount      *int `json:"kept_count"`
	Pseudo         []int32
	PriorSpecialty []float64 `json:"prior_specialty"`
	PriorEasiness  []float64 `json:"prior_easiness"`
	RankMajority   []int     `json:"rank_majority_only"`
	Exact          *goldenScores
	FixedPoint     *goldenScores `json:"fixed_point"`
	Reference      *goldenScores
	NoPruning      *goldenScores `json:"no_pruning"`
	Rank           []int
	RankReference  []int    `json:"rank_reference"`
	SmallestGap    *float64 `json:"smallest_gap"`
	Reason         string
}

func (g golden) laf(c testdata.Case) {
	var input struct {
		Kind    string
		Classes int
		Labels  [][]int32
	}
	var want goldenLaFExpected
	c.Read(g, &input, &want)
	d := goldenLabels(input.Labels, input.Classes)
	exact := g.runLaF(d, LaFOptions{})
	g.priors(exact, want)
	g.scores("exact", exact, want.Exact, g.tolerance.Exact)
	testdata.Equal(g, "rank", exact.Rank, want.Rank)
	g.scores("fixed point", g.runLaF(d, LaFOptions{Tolerance: 1e-13}), want.FixedPoint, g.tolerance.FixedPoint)
	reference := g.runLaF(d, LaFOptions{Reference: true})
	g.scores("reference", reference, withoutLineSearch(want.Reference), g.tolerance.Reference)
	g.order(reference.Rank, want)
	g.scores("no pruning", g.runLaF(d, LaFOptions{NoPruning: true}), want.NoPruning, g.tolerance.Exact)
	majority := g.runLaF(d, LaFOptions{NoOptimising: true})
	if want.RankMajority != nil {
		testdata.Equal(g, "rank by majority", majority.Rank, want.RankMajority)
	}
}

func (g golden) runLaF(d Data, o LaFOptions) LaFResult {
	g.Helper()
	return testdata.Must(LaF(g.Context(), d, o))(g)
}

func (g golden) priors(r LaFResult, want goldenLaFExpected) {
	testdata.Equal(g, "kept", r.Kept, want.Kept)
	testdata.Equal(g, "pseudo", r.Pseudo, want.Pseudo)
	testdata.NearAll(g, "prior specialty", r.PriorSpecialty, want.PriorSpecialty, g.tolerance.Other)
	testdata.NearAll(g, "prior easiness", r.PriorEasiness, want.PriorEasiness, g.tolerance.Other)
	if want.KeptCount != nil && len(r.Kept) != *want.KeptCount {
		g.Errorf("%d images are kept, want %d", len(r.Kept), *want.KeptCount)
	}
	if r.Reason.None() != (want.Reason == "") || want.Reason == "every sample is unanimous" &&
		r.Reason.Code != Unanimous {
		g.Errorf("reason %q, want %q", r.Reason, want.Reason)
	}
}

// withoutLineSearch leaves out of the reference mode's values what hangs on its line search beyond
// the file's tolerance.
func withoutLineSearch(s *goldenScores) *goldenScores {
	if s == nil {
		return nil
	}
	return &goldenScores{Specialty: s.Specialty, Rank: s.Rank}
}

func (g golden) scores(what string, r LaFResult, want *goldenScores, tolerance float64) {
	g.Helper()
	if want == nil {
		if r.Specialty != nil && !r.Reason.None() {
			g.Errorf("%s: scores %v, want none", what, r.Specialty)
		}
		return
	}
	testdata.NearAll(g, what+" specialty", r.Specialty, want.Specialty, tolerance)
	if want.Easiness != nil {
		testdata.NearAll(g, what+" easiness", r.Easiness, want.Easiness, tolerance)
	}
	for i, row := range want.Posterior {
		testdata.NearAll(g, what+" posterior", r.Posterior[i*len(row):(i+1)*len(row)], row, g.tolerance.Posterior)
	}
	if want.Iterations != nil && r.Rounds != *want.Iterations {
		g.Errorf("%s: %d rounds, want %d", what, r.Rounds, *want.Iterations)
	}
	if want.Rank != nil {
		testdata.Equal(g, what+" rank", r.Rank, want.Rank)
	}
	g.q(what+" first Q", r.QFirst, want.QFirst)
	g.q(what+" last Q", r.QLast, want.QLast)
}

func (g golden) q(what string, got float64, want *float64) {
	g.Helper()
	if want != nil {
		testdata.Near(g, what, got, *want, g.tolerance.Q)
	}
}

// order compares the reference mode's ranks where its scores differ by more than the tolerance
// between any two models.
func (g golden) order(rank []int, want goldenLaFExpected) {
	if want.Reference == nil {
		return
	}
	scores := want.Reference.Specialty
	for j := range scores {
		for k := range scores {
			if scores[j]-scores[k] > g.tolerance.Reference && rank[j] >= rank[k] {
				g.Errorf("reference: model %d ranks %d, model %d ranks %d, want it before", j, rank[j], k, rank[k])
			}
		}
	}
	if want.SmallestGap == nil || *want.SmallestGap > 2*g.tolerance.Reference {
		testdata.Equal(g, "reference rank", rank, want.RankReference)
	}
}
