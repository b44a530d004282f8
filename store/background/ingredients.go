package background

import (
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/suite"
)

// ingredients are what opened composites are made of.
type ingredients struct{ *Composites }

var _ background.Ingredients = ingredients{}

// Ingredients implements wire.Composed. They can be read until Close.
func (c *Composites) Ingredients() (background.Ingredients, error) { return ingredients{c}, nil }

// Mask reads the mask of target i; it must have the target's size.
func (g ingredients) Mask(i int) (background.Mask, error) {
	target, err := g.targets.Image(i)
	if err != nil {
		return background.Mask{}, err
	}
	return g.masks.Mask(i, target.Height, target.Width)
}

// Scenes is the scenes per target.
func (g ingredients) Scenes() int { return g.record.N }

// Scene is the background of scene t = 1..N of target i.
func (g ingredients) Scene(i, t int) int { return g.record.Selection.Chosen[i][t-1].Background }

// Background decodes a background.
func (g ingredients) Background(number int) (suite.Image, error) { return g.backgrounds.Image(number) }

// How is the selection's feather and alignment.
func (g ingredients) How() background.Compositing {
	return background.Compositing{Feather: g.record.Selection.Feather, Align: g.record.Selection.Align}
}
