package variance

import "math"

// Bound is the Hoeffding bound of spec/variance.md section 9 for the mean of squared differences over m independent
// images: the probability that it is off by more than eps is at most min(1, 2 exp(-2 m eps^2 / R^2)). rangeOfSquare is
// R = f+^2, the largest possible squared difference (1 for CONF).
func Bound(m int, eps, rangeOfSquare float64) float64 {
	return math.Min(1, 2*math.Exp(-2*float64(m)*(eps/rangeOfSquare)*(eps/rangeOfSquare)))
}

// HalfWidth is the eps that the mean of squared differences over m images keeps within at a confidence in (0, 1):
// R sqrt( ln(2/(1-c)) / (2m) ).
func HalfWidth(m int, rangeOfSquare, confidence float64) float64 {
	return rangeOfSquare * math.Sqrt(math.Log(2/(1-confidence))/(2*float64(m)))
}

// ImagesNeeded is the number of images for a half-width eps at a confidence: ceil( R^2 ln(2/(1-c)) / (2 eps^2) ).
// It is math.MaxInt where that does not fit.
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
