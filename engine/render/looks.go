package render

import (
	"image/color"

	"github.com/variscope/variscope/engine/result"
)

// Appearance is how a look is drawn: by shape, and by colours for light and dark grounds that
// people with colour vision deficiencies tell apart. Those for light grounds are also those of
// figures on paper.
type Appearance struct {
	Shape       Shape
	Light, Dark color.NRGBA
}

// Looks are the appearances by look; those of result.Category follow result.LookVariant.
var Looks = append([]Appearance{
	result.LookNone:       {Ring, color.NRGBA{0x75, 0x7d, 0x89, 0xff}, color.NRGBA{0x98, 0xa3, 0xb2, 0xff}},
	result.LookInvariant:  {Disc, color.NRGBA{0x00, 0x72, 0xb2, 0xff}, color.NRGBA{0x56, 0xb4, 0xe9, 0xff}},
	result.LookBorderline: {Square, color.NRGBA{0xb8, 0x5c, 0x93, 0xff}, color.NRGBA{0xdf, 0x9a, 0xc3, 0xff}},
	result.LookVariant:    {Triangle, color.NRGBA{0xd5, 0x5e, 0x00, 0xff}, color.NRGBA{0xf0, 0x8c, 0x3a, 0xff}},
}, categories()...)

// Crosses is the appearance of the crosses over points.
var Crosses = Appearance{Cross, color.NRGBA(crossColour), color.NRGBA{0xff, 0x6b, 0x6b, 0xff}}

// GroupOf is a group of points or bars in a figure on paper.
func GroupOf(name string, look result.Look) Group {
	a := Looks[look]
	return Group{Name: name, Shape: a.Shape, Colour: color.RGBA(a.Light)}
}

// categories are the looks of result.Category: eight colours, each in two shapes.
func categories() []Appearance {
	colours := [...][2]color.NRGBA{
		{{0x00, 0x72, 0xb2, 0xff}, {0x56, 0xb4, 0xe9, 0xff}},
		{{0xd5, 0x5e, 0x00, 0xff}, {0xf0, 0x8c, 0x3a, 0xff}},
		{{0x00, 0x8a, 0x64, 0xff}, {0x3f, 0xc7, 0x9a, 0xff}},
		{{0xb8, 0x5c, 0x93, 0xff}, {0xdf, 0x9a, 0xc3, 0xff}},
		{{0xa8, 0x80, 0x00, 0xff}, {0xe6, 0xc2, 0x29, 0xff}},
		{{0x6a, 0x51, 0xa3, 0xff}, {0xa9, 0x9b, 0xe0, 0xff}},
		{{0x8c, 0x56, 0x4b, 0xff}, {0xc9, 0xa0, 0x94, 0xff}},
		{{0x4d, 0x4d, 0x4d, 0xff}, {0xd8, 0xd8, 0xd8, 0xff}},
	}
	shapes := [...]Shape{Disc, Square, Triangle, Diamond}
	list := make([]Appearance, result.Categories)
	for k := range list {
		c := colours[k%len(colours)]
		list[k] = Appearance{shapes[(k+k/len(colours))%len(shapes)], c[0], c[1]}
	}
	return list
}
