package rank

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/variscope/variscope/engine/progress"
	"github.com/variscope/variscope/engine/stats"
)

// Factor is what an impact study varies (the paper's Fig. 8).
type Factor string

// The factors: the share of models, and of samples.
const (
	ShareOfModels Factor = "models"
	ShareOfImages Factor = "images"
)

// shares are those of the paper's section 5.4.
var shares = []float64{0.2, 0.4, 0.6, 0.8, 1}

// ImpactPoint is the ranking quality of LaF on a share of the models or samples: mean and
// deviation over repetitions with different draws (one for 100 %).
type ImpactPoint struct {
	Factor  Factor
	Share   float64 // 0.2, 0.4, 0.6, 0.8, 1
	Models  int     // the share of them, rounded, at least 3
	Samples int     // the share of them, rounded, at least 1
	Quality Quality
}

// Impact measures LaF on shares of the models and of the samples, each drawn without replacement
// o.Repetitions times (0 for 10). As in the paper, where the experiment is repeated on the reduced
// data, the truth is the accuracy on the drawn samples. It needs the true class of every sample.
// Progress counts draws. Errors are those of Data.Check and the end of ctx.
func Impact(ctx context.Context, d Data, o Options, p progress.Progress) ([]ImpactPoint, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	if _, err := d.usable([]int{1}); err != nil {
		return nil, err
	}
	if o.Repetitions < 1 {
		o.Repetitions = usualImpactRepeats
	}
	s := study{data: d, options: o.filled(d), progress: progress.Or(p)}
	points := s.points()
	s.progress.SetTotal(int64(len(shares)-1)*2*int64(s.options.Repetitions) + 1)
	for k := range points {
		if err := s.measure(ctx, &points[k], k); err != nil {
			return nil, err
		}
	}
	return points, nil
}

// study is an impact study.
type study struct {
	data     Data
	options  Options
	progress progress.Progress
	full     *outcome // of all models and samples, once measured
}

func (s *study) points() []ImpactPoint {
	var list []ImpactPoint
	n, m := len(s.data.Models), s.data.Samples
	for _, share := range shares {
		list = append(list, ImpactPoint{
			Factor: ShareOfModels, Share: share, Models: max(minModels, part(n, share)), Samples: m,
		})
	}
	for _, share := range shares {
		list = append(list, ImpactPoint{
			Factor: ShareOfImages, Share: share, Models: n, Samples: max(1, part(m, share)),
		})
	}
	return list
}

func part(of int, share float64) int { return int(math.Round(float64(of) * share)) }

// measure fills in the quality of a point; stream tells its draws from those of others.
func (s *study) measure(ctx context.Context, p *ImpactPoint, stream int) error {
	draws := s.options.Repetitions
	if p.Share == 1 {
		draws = 1
	}
	outcomes := make([]outcome, draws)
	err := eachModel(ctx, draws, s.options.Workers, func(r int) error {
		if p.Share == 1 && s.full != nil {
			outcomes[r] = *s.full
			return nil
		}
		var err error
		outcomes[r], err = s.draw(ctx, *p, source(s.options.Seed, shareStream, r, stream))
		s.progress.Add(1)
		return err
	})
	if err != nil {
		return err
	}
	if p.Share == 1 {
		s.full = &outcomes[0]
	}
	t := trials{selectors: 1, repetitions: draws, outcomes: [][]outcome{outcomes}}
	p.Quality = t.quality(s.options.Top, 0)
	return nil
}

// draw ranks one draw of models or samples by LaF. One draw is one goroutine's work.
func (s *study) draw(ctx context.Context, p ImpactPoint, random *rand.Rand) (outcome, error) {
	var models, samples []int
	if p.Models < len(s.data.Models) {
		models = drawSorted(random, len(s.data.Models), p.Models)
	}
	if p.Samples < s.data.Samples {
		samples = drawSorted(random, s.data.Samples, p.Samples)
	}
	d := s.data.Subset(models, samples)
	scores, _, err := lafScores(ctx, d, LaFMethod, 1)
	if err != nil {
		return outcome{}, err
	}
	if scores == nil { // every sample is unanimous: all models rank 1
		scores = make([]float64, len(d.Models))
	}
	return (&sampling{truth: d.Accuracy(), topK: s.options.Top}).compare(scores), nil
}

func drawSorted(random *rand.Rand, of, count int) []int {
	list := wide(drawFirst(random, upTo(of), count))
	slices.Sort(list)
	return list
}

// Conditions of one data set: mean accuracy of the models (the paper's quality), its standard
// deviation between models (diversity, over all of them: divisor n) and range, beside LaF's
// quality: one point of the paper's Fig. 9, one row of its Table A2.
type Conditions struct {
	Name, SuiteHash string // of the suite; the hash is for the caller to fill in
	Models          int
	MeanAccuracy    float64
	Diversity       float64
	Lowest, Highest float64
	Quality         Quality
	Corruption      string // for the caller to fill in; empty for the suite itself
	Severity        int    // for the caller to fill in
}

// ConditionsOf measures one data set. It needs the true labels of more than half of the samples.
// Where all models predict the same, quality has a reason instead of values. Errors are those of
// Data.Check, missing labels and the end of ctx.
func ConditionsOf(ctx context.Context, name string, d Data, o Options) (Conditions, error) {
	if err := d.Check(); err != nil {
		return Conditions{}, err
	}
	o = o.filled(d)
	truth, reason := d.accuracies()
	if truth == nil {
		return Conditions{}, refusal{reason}
	}
	c := Conditions{Name: name, Models: len(d.Models), Quality: noQuality(identical, 0, o.Top)}
	c.MeanAccuracy, c.Diversity = stats.Moments(truth)
	c.Lowest, c.Highest = slices.Min(truth), slices.Max(truth)
	scores, _, err := lafScores(ctx, d, LaFMethod, o.Workers)
	if err != nil {
		return Conditions{}, err
	}
	if scores != nil {
		c.Quality = qualityOf(truth, scores, o)
	}
	return c, nil
}
