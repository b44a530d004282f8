package background

import "github.com/variscope/variscope/engine/suite"

// Compositing says how a foreground lies on a scene.
type Compositing struct {
	Height, Width int // of the composite: the model's input
	// Feather is the radius in pixels over which the mask's edge is blended; 0 is the hard mask of spec/background.md section 7.
	Feather float64
	// Align moves the foreground on the composite.
	Align Alignment
}

// Alignment is where the foreground lies: where it was, in the middle, or standing at the bottom in the middle.
type Alignment string

// The alignments; Keep is the default.
const (
	Keep   Alignment = "keep"
	Centre Alignment = "centre"
	Ground Alignment = "ground"
)

// Composite puts the foreground of target on scene. Target, mask and scene may have any sizes, the mask that of the target; all three are brought to
// the composite's size first: images by the triangle filter, the mask by the nearest pixel. The result has three channels where either image has.
func Composite(target suite.Image, mask Mask, scene suite.Image, c Compositing) (suite.Image, error) {
	panic("not built yet")
}

// DecodeMask reads a mask from an image file's bytes: foreground where the value is above 127. The error says what is wrong: no image, a size other than
// height x width, an empty or a full mask. It does not name the file.
func DecodeMask(data []byte, height, width int) (Mask, error) { panic("not built yet") }
