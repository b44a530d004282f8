package assess

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/progress"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
)

// Resampled is what an assessor says of a model that is measured on resamples of its images. The
// assessor stays as it is: what other training models would have taught it is no part of this.
type Resampled struct {
	Resamples int // 0 where none were asked for, and with Why
	Why       result.Reason
	Shares    []float64 // of the resamples, by the class of their verdict
	// Mean, Low and High are the mean and the percentiles 2.5 and 97.5 of the probability of
	// variant; NaN for the baseline, which has none.
	Mean, Low, High float64
}

// Resample judges a model on resamples of its images: of each the features are measured and the
// verdict is asked for. It adds resamples to p. Too few images are a Why; the errors are those of
// feature.Layout.Resample and Judge.
func (a *Assessor) Resample(
	ctx context.Context, on Basis, b variance.Bootstrap, p progress.Progress,
) (Resampled, error) {
	verdicts := make([]Verdict, b.Resamples)
	predictions := on.Set.Predictions()
	at := transform.IdentityOf(on.Set.Spec.Family, on.Set.Transformations)
	judge := func(r int, drawn []int, values []float64) (err error) {
		row := Row{X: values, Scores: Robust(predictions, on.Labels, on.Classes, at, drawn)}
		verdicts[r], err = a.Judge(row)
		return err
	}
	var err error
	if a.Threshold != nil { // which looks at no features
		err = b.Each(ctx, on.Images, p, func(r int, drawn []int) error { return judge(r, drawn, nil) })
	} else {
		err = on.Layout.Resample(ctx, on.Set, on.Images, b, p, func(r int, drawn []int, v feature.Vector) error {
			return judge(r, drawn, v.Values)
		})
	}
	if errors.Is(err, variance.ErrFewImages) {
		return Resampled{Why: result.Because("few_images", "%s", err)}, nil
	}
	if err != nil {
		return Resampled{}, err
	}
	s := Resampled{Resamples: b.Resamples, Shares: make([]float64, len(a.Classes)), Mean: nan, Low: nan, High: nan}
	var variant []float64
	for _, v := range verdicts {
		s.Shares[v.Class]++
		variant = append(variant, v.Variant())
	}
	for class := range s.Shares {
		s.Shares[class] /= float64(b.Resamples)
	}
	if a.Threshold == nil {
		s.Mean, _ = stats.Moments(variant)
		s.Low, s.High = variance.Percentiles(variant)
	}
	return s, nil
}

// Again says in how many resamples the verdict is the same; "" without resamples.
func (j Judgement) Again() string {
	switch {
	case !j.Resampled.Why.None():
		return "no resamples: " + j.Resampled.Why.Text
	case j.Resampled.Resamples == 0:
		return ""
	}
	return fmt.Sprintf("%s in %s of %d resamples of the images", j.Verdict.Label,
		result.Share.Say(j.same(), 0), j.Resampled.Resamples)
}

// same is the share of the resamples with the verdict of all images; NaN without resamples.
func (j Judgement) same() float64 {
	if j.Resampled.Shares == nil || j.Verdict.Label == "" {
		return nan
	}
	return j.Resampled.Shares[j.Verdict.Class]
}

// usual is the share of the resamples below which a verdict depends on the images.
const usual = 0.95

// Unsettled names the models whose verdict is another one in more than 5 % of the resamples; nil
// for none.
func Unsettled(list []Judgement) []string {
	var names []string
	judged, least, most := 0, 0, 0
	for _, j := range list {
		if j.Resampled.Resamples == 0 {
			continue
		}
		if judged++; judged == 1 {
			least = j.Resampled.Resamples
		}
		least, most = min(least, j.Resampled.Resamples), max(most, j.Resampled.Resamples)
		if j.same() < usual {
			names = append(names, fmt.Sprintf("%s (%s in %s)", j.ID, j.Verdict.Label, result.Share.Say(j.same(), 0)))
		}
	}
	if len(names) == 0 {
		return nil
	}
	resamples := strconv.Itoa(least)
	if most > least {
		resamples = fmt.Sprintf("%s to %d", resamples, most)
	}
	return []string{fmt.Sprintf("%d of %s are judged otherwise in more than 5 %% of %s resamples of their images: %s",
		len(names), result.Counted(judged, "model"), resamples, result.Some(names))}
}

// ResampledColumns are the columns about resamples, none where no judgement has any.
func ResampledColumns(list []Judgement) []result.Column[Judgement] {
	if !slices.ContainsFunc(list, func(j Judgement) bool { return j.Again() != "" }) {
		return nil
	}
	why := func(j Judgement) result.Reason { return j.Resampled.Why }
	of := func(number func(Resampled) float64) func(Judgement) float64 {
		return func(j Judgement) float64 {
			if j.Resampled.Resamples == 0 {
				return nan
			}
			return number(j.Resampled)
		}
	}
	return []result.Column[Judgement]{
		result.Numbers("resampled", "same verdict",
			"share of the resamples of the model's images with the same verdict",
			result.Share, Judgement.same).Because(why),
		result.Numbers("resampled_variant", "variant in resamples", "share of the resamples that are judged variant",
			result.Share, of(func(s Resampled) float64 {
				return s.Shares[len(s.Shares)-1]
			})).Because(why).In(result.FileOnly),
		result.Numbers("resampled_probability", "mean probability",
			"of variant over the resamples, with its percentiles 2.5 and 97.5", result.Share,
			of(func(s Resampled) float64 { return s.Mean })).Because(why).In(result.FileOnly).
			Between(of(func(s Resampled) float64 { return s.Low }), of(func(s Resampled) float64 { return s.High })),
	}
}
