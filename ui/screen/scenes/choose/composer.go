package choose

import (
	"context"
	"image"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
)

// shot names a picture of a selection.
type shot struct {
	target, image int  // image 0 is the target itself
	alone         bool // the scene without the foreground, in its own proportions
	height, width int  // of the model's input
	// preview asks for another feather and alignment than the selection's.
	preview bool
	feather float64
	align   background.Alignment
}

// sceneSide bounds the longer side of scenes that are shown alone.
const sceneSide = 320

// composer makes pictures of a selection.
type composer struct{ *scenes.Composites }

// composing opens what the pictures of a selection are made of.
func composing(ws *store.Workspace, selection string) kit.OpenImages[shot] {
	return func(ctx context.Context) (kit.ImageSource[shot], error) {
		opened, err := scenes.OpenContext(ctx, ws, selection)
		return composer{opened}, err
	}
}

// Image implements kit.ImageSource.
func (c composer) Image(k shot) (image.Image, error) {
	var img suite.Image
	var err error
	switch {
	case k.preview:
		img, err = c.Preview(k.target, k.image, k.height, k.width, k.feather, k.align)
	case k.alone && k.image > 0:
		if img, err = c.Background(k.target, k.image); err == nil {
			return picture.Bounded(img, sceneSide), nil
		}
	default:
		img, err = c.Picture(k.target, k.image, k.height, k.width)
	}
	if err != nil {
		return nil, err
	}
	return img.RGBA(), nil
}
