package variance

import "math"

// HalfWidth is the eps that the mean of squared differences over m independent images keeps within
// at a confidence in (0, 1), by the Hoeffding bound of spec/variance.md section 9: R sqrt(
// ln(2/(1-c)) / (2m) ). rangeOfSquare is R = f+^2, the largest possible squared difference (1 for
// CONF).
func HalfWidth(m int, rangeOfSquare, confidence float64) float64 {
	return rangeOfSquare * math.Sqrt(math.Log(2/(1-confidence))/(2*float64(m)))
}

// ImagesNeeded is the number of images for a half-width eps at a confidence: ceil( R^2 ln(2/(1-c))
// / (2 eps^2) ). It is math.MaxInt where that does not fit.
func ImagesNeeded(eps, rangeOfSquare, confidence float64) int {
	need := math.Ceil((rangeOfSquare / eps) * (rangeOfSquare / eps) * math.Log(2/(1-confidence)) / 2)
	if !(need < math.MaxInt64) {
		return math.MaxInt
	}
	return int(need)
}

// DeltaHalfWidth turns a half-width of the mean of squares into one of delta itself:
// |delta^ - delta| <= min( sqrt(eps), eps / delta^ ), where delta^ is the measured element.
func DeltaHalfWidth(eps, delta float64) float64 {
	if delta <= 0 {
		return math.Sqrt(eps)
	}
	return math.Min(math.Sqrt(eps), eps/delta)
}

// What is said of the certainty of a matrix where nothing else is chosen: the confidence, and the
// half-width of delta that images are counted for, as a share of delta.
const (
	Confidence = 0.95
	Precision  = 0.1
)

// Certainty is what the Hoeffding bound says of one element of a matrix (spec/variance.md section
// 9).
type Certainty struct {
	Images     int
	Confidence float64
	Largest    float64 // f+, the largest |dif| that is possible, or that was observed
	Estimated  bool    // f+ was observed, so that all of this is an estimate
	Delta      float64
	EpsSquares float64 // half-width of delta^2
	HalfWidth  float64 // of delta
	Share      float64 // the half-width of delta that is wanted, as a share of delta
	Needed     int     // images for it; 0 where delta is 0
}

// Certain judges an element delta that was measured over a number of images. largest is f+. share
// is the half-width that is wanted: at 0.1 the number of images is the one that tells delta to
// within a tenth, so eps = share delta^2.
func Certain(images int, delta, largest, confidence, share float64) Certainty {
	r := largest * largest
	c := Certainty{Images: images, Confidence: confidence, Largest: largest, Delta: delta, Share: share}
	c.EpsSquares = HalfWidth(images, r, confidence)
	c.HalfWidth = DeltaHalfWidth(c.EpsSquares, delta)
	if delta > 0 {
		c.Needed = ImagesNeeded(share*delta*delta, r, confidence)
	}
	return c
}
