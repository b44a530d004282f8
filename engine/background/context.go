package background

// Mask is where an image's foreground lies: Height x Width, true for foreground.
type Mask struct {
	Height, Width int
	Set           []bool
}

// Shares are, per element, the share of the pixels outside of the foreground at which the element's logit is the largest (the first of equal
// ones), and the number of the pixels counted. logits is elements x height x width. mask may be nil; otherwise it has the size of the logits.
// All zero where nothing is visible.
func Shares(logits []float32, elements, height, width int, mask *Mask) (shares []float64, visible int) {
	panic("not built yet")
}

// Scores are the softmax of a scene network's logits, in float64.
func Scores(logits []float32) []float64 { panic("not built yet") }
