package calibration

import (
	"math"

	"github.com/variscope/variscope/engine/result"
)

// The temperatures that are tried.
const lowest, highest = 0.01, 100.0

// logits are what a model's outputs were up to a constant of each image, which no softmax sees: the
// logarithms of its probabilities. One that is 0 in float32 counts as the smallest number above 0,
// 1.4e-45: its logarithm, -103, is the largest one that it can have had, so that NLL is what it was
// at least.
type logits struct {
	z       []float64 // images x classes
	classes int
	truth   []int // class of each image
}

func newLogits(probabilities []float32, classes int, truth []int) logits {
	l := logits{make([]float64, len(probabilities)), classes, truth}
	for k, p := range probabilities {
		l.z[k] = math.Log(max(float64(p), math.SmallestNonzeroFloat32))
	}
	return l
}

// of are the logits of image i, and the largest of them.
func (l logits) of(i int) (z []float64, top float64) {
	z, top = l.z[i*l.classes:(i+1)*l.classes], math.Inf(-1)
	for _, v := range z {
		top = max(top, v)
	}
	return z, top
}

// share is the probability of a class of image i at a temperature.
func (l logits) share(i, class int, temperature float64) float64 {
	z, top := l.of(i)
	sum := 0.0
	for _, v := range z {
		sum += math.Exp((v - top) / temperature)
	}
	return math.Exp((z[class]-top)/temperature) / sum
}

// loss is the mean negative log-likelihood of softmax(b z) over the images first, first+step, ...,
// with its first two derivatives by b, the inverse of the temperature. It is convex in b.
func (l logits) loss(b float64, first, step int) (nll, slope, bend float64) {
	n := 0
	for i := first; i < len(l.truth); i += step {
		z, top := l.of(i)
		var sum, mean, square float64
		for _, v := range z {
			d := v - top
			e := math.Exp(b * d)
			sum += e
			mean += float64(e * d)
			square += float64(float64(e*d) * d)
		}
		mean /= sum
		d := z[l.truth[i]] - top
		nll += math.Log(sum) - float64(b*d)
		slope += mean - d
		bend += square/sum - float64(mean*mean)
		n++
	}
	return nll / float64(n), slope / float64(n), bend / float64(n)
}

// brier is the mean over the images of the squared distance of the probabilities from those of one
// who knows the class: from 0 to 2.
func (l logits) brier() float64 {
	sum := 0.0
	for i, truth := range l.truth {
		for c := range l.classes {
			d := l.share(i, c, 1)
			if c == truth {
				d--
			}
			sum += float64(d * d)
		}
	}
	return sum / float64(len(l.truth))
}

// temperature is the one for which softmax(z / temperature) is most likely over the images first,
// first+step, ...: the root of the slope by Newton's method, in a bracket that each step narrows
// and outside of which it is halved.
func (l logits) temperature(first, step int) (float64, result.Reason) {
	switch {
	case l.classes < 2:
		return 0, result.Because(OneClass, "the model has one class")
	case len(l.truth) <= first:
		return 0, result.Because(FewImages, "temperatures of both halves of the images need two images with a label")
	}
	low, high := 1/highest, 1/lowest
	if _, slope, _ := l.loss(low, first, step); slope >= 0 {
		return 0, result.Because(NoTemperature,
			"the likelihood grows up to the highest temperature that is tried, %g: "+
				"the probabilities say nothing about the classes", highest)
	}
	if _, slope, _ := l.loss(high, first, step); slope <= 0 {
		return 0, result.Because(NoTemperature,
			"the likelihood grows down to the lowest temperature that is tried, %g, "+
				"as where every image is classified rightly", lowest)
	}
	b := 1.0
	for range 200 { // it takes about 8
		_, slope, bend := l.loss(b, first, step)
		change := slope / bend
		if math.Abs(change) <= 1e-12*b {
			break
		}
		if slope > 0 {
			high = b
		} else {
			low = b
		}
		if b -= change; !(b > low && b < high) { // also NaN
			b = math.Sqrt(low * high)
		}
	}
	return 1 / b, result.Reason{}
}

// scaled is the ECE at temperatures that the images were not fitted with: the even images at the
// temperature of the odd ones, and the other way round. class is the predicted class of each image.
func (l logits) scaled(class []int, correct []bool, bins int) (float64, result.Reason) {
	var of [2]float64
	for half := range of {
		var why result.Reason
		if of[half], why = l.temperature(half, 2); !why.None() {
			return 0, why
		}
	}
	confidence := make([]float64, len(class)) // as exact as stored ones, so that equal ones stay equal
	for i, c := range class {
		confidence[i] = float64(float32(l.share(i, c, of[1-i%2])))
	}
	return expected(newPool(confidence, correct).bins(bins)), result.Reason{}
}
