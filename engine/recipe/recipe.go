// Package recipe says how an image becomes one input of a model: resize, crop, channels, range,
// normalisation, layout and number type (spec/recipe.md). A recipe is a value with a canonical
// text. The package also reads the recipes and class names that files beside a model and its
// metadata declare, from bytes. It is pure; package suite applies the part that makes pixels
// (Geometry), Feed the rest.
package recipe

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/resample"
	"github.com/variscope/variscope/engine/result"
)

// Resize is the form of a resize.
type Resize string

// The forms of spec section 1. LongerRound is Longer with the other side rounded half to even in
// place of truncated: timm's crop mode "border".
const (
	None        Resize = "none"
	Stretch     Resize = "stretch"
	Shorter     Resize = "shorter"
	Longer      Resize = "longer"
	LongerRound Resize = "longer-round"
)

// Geometry is the part of a recipe that makes the pixels in 0..1 that transformations see (spec
// section 1, steps 2 to 5). It is comparable. The zero value is no geometry: the default of
// earlier versions stands in for it.
type Geometry struct {
	Resize Resize
	// Height and Width are those of Stretch, both 0 for the input's own size. Height alone is the
	// side of the other forms.
	Height, Width int
	Filter        resample.Kernel
	Aliased       bool // antialias=0: filters are not widened when they shrink
	// CropHeight and CropWidth are 0 without a crop.
	CropHeight, CropWidth int
	Floor                 bool       // offset=floor, the rule of transformers; else torchvision's
	Pad                   [3]float64 // per channel in 0..255, around an image that is smaller than the crop
	Float                 bool       // depth=float; else 8 bits after each pass
}

// Default is the geometry of earlier versions: stretched to the input's size, in float64.
func Default() Geometry {
	return Geometry{Resize: Stretch, Filter: resample.Bilinear, Float: true}
}

// Size is what an image of height x width becomes by the resize, before the crop. open is the size
// of Stretch without one.
func (g Geometry) Size(height, width int, open [2]int) (int, int) {
	switch g.Resize {
	case Stretch:
		if g.Height == 0 {
			return open[0], open[1]
		}
		return g.Height, g.Width
	case Shorter:
		if height <= width {
			return g.Height, max(1, g.Height*width/height)
		}
		return max(1, g.Height*height/width), g.Height
	case Longer:
		if height >= width {
			return g.Height, max(1, g.Height*width/height)
		}
		return max(1, g.Height*height/width), g.Height
	case LongerRound:
		ratio := float64(max(height, width)) / float64(g.Height)
		side := func(n int) int { return max(1, int(math.RoundToEven(float64(n)/ratio))) }
		return side(height), side(width)
	}
	return height, width
}

// Fixed is the size of every result, 0 x 0 where it depends on the image or the input.
func (g Geometry) Fixed() (height, width int) {
	switch {
	case g.CropHeight > 0:
		return g.CropHeight, g.CropWidth
	case g.Resize == Stretch:
		return g.Height, g.Width
	}
	return 0, 0
}

// Offset is where a crop of so many entries begins on a side of size entries: before 0 where the
// side is padded.
func (g Geometry) Offset(size, crop int) int {
	switch {
	case size < crop && g.Floor:
		return -((crop - size + 1) / 2)
	case size < crop:
		return -((crop - size) / 2)
	case g.Floor:
		return (size - crop) / 2
	}
	return int(math.RoundToEven(float64(size-crop) / 2))
}

// Channels are the order of a model's channels.
type Channels string

// The channels of spec section 1.
const (
	RGB  Channels = "rgb"
	BGR  Channels = "bgr"
	Gray Channels = "gray"
)

// Range turns pixels v in 0..1 into the values that the model takes: (v * Scale + Shift - Mean[c])
// / Std[c] (spec section 1, step 6). Scale 0 is the default of the input's number type: 255 for
// whole numbers, else 1. Mean and Std have one entry for all channels or one for each; nil is 0
// and 1.
type Range struct {
	Scale, Shift float64
	Mean, Std    []float64
}

// Recipe is a whole recipe. Empty Channels, Layout and Type are those of the model's input.
type Recipe struct {
	Geometry
	Channels Channels
	Range
	Layout string // nchw, nhwc, chw, hwc, nhw, hw
	Type   string // float32, float16, float64, uint8, int8
}

// Keys are groups of keys that come from one source together (spec section 1).
type Keys uint8

// The groups. A source sets a group whole or not at all.
const (
	OfGeometry Keys = 1 << iota
	OfChannels
	OfRange
	OfLayout
	OfType
	All = OfGeometry | OfChannels | OfRange | OfLayout | OfType
)

// Groups are all groups with the words that name them for people.
var Groups = []struct {
	Keys Keys
	Name string
}{{OfGeometry, "resize"}, {OfChannels, "channels"}, {OfRange, "range"}, {OfLayout, "layout"}, {OfType, "type"}}

// Part is what one source says: the groups in Sets of a recipe.
type Part struct {
	Recipe
	Sets Keys
}

// Take takes these groups from another part.
func (p *Part) Take(from Part, keys Keys) {
	if keys&OfGeometry != 0 {
		p.Geometry = from.Geometry
	}
	if keys&OfChannels != 0 {
		p.Channels = from.Channels
	}
	if keys&OfRange != 0 {
		p.Range = from.Range
	}
	if keys&OfLayout != 0 {
		p.Layout = from.Layout
	}
	if keys&OfType != 0 {
		p.Type = from.Type
	}
	p.Sets |= keys
}

// whole tells whether numbers of this type are whole.
func whole(numbers string) bool { return numbers == "uint8" || numbers == "int8" }

// Scaled is the scale in force.
func (r Recipe) Scaled() float64 {
	switch {
	case r.Scale != 0:
		return r.Scale
	case whole(r.Type):
		return 255
	}
	return 1
}

// Text is the canonical text: keys in the order of spec section 1, defaults left out, resize never.
func (r Recipe) Text() string { return Part{r, All}.Text() }

// Text is the canonical text of the groups that the part sets.
func (p Part) Text() string {
	var b strings.Builder
	put := func(key, value string) {
		if b.Len() > 0 {
			b.WriteByte(';')
		}
		b.WriteString(key + "=" + value)
	}
	if p.Sets&OfGeometry != 0 {
		p.Geometry.text(put)
	}
	if p.Sets&OfChannels != 0 && p.Channels != "" && p.Channels != RGB {
		put("channels", string(p.Channels))
	}
	if p.Sets&OfRange != 0 {
		if scale := p.Scaled(); scale != (Recipe{Type: p.Type}).Scaled() {
			put("scale", number(scale))
		}
		if p.Shift != 0 {
			put("shift", number(p.Shift))
		}
		if slices.ContainsFunc(p.Mean, func(v float64) bool { return v != 0 }) {
			put("mean", list(p.Mean))
		}
		if slices.ContainsFunc(p.Std, func(v float64) bool { return v != 1 }) {
			put("std", list(p.Std))
		}
	}
	if p.Sets&OfLayout != 0 && p.Layout != "" {
		put("layout", p.Layout)
	}
	if p.Sets&OfType != 0 && p.Type != "" {
		put("type", p.Type)
	}
	return b.String()
}

func (g Geometry) text(put func(key, value string)) {
	switch {
	case g.Resize == Stretch && g.Height == 0, g.Resize == None:
		put("resize", string(g.Resize))
	case g.Resize == Stretch:
		put("resize", fmt.Sprintf("%s:%dx%d", g.Resize, g.Height, g.Width))
	default:
		put("resize", fmt.Sprintf("%s:%d", g.Resize, g.Height))
	}
	if g.Filter != resample.Bilinear {
		put("filter", string(g.Filter))
	}
	if g.Aliased {
		put("antialias", "0")
	}
	if g.CropHeight > 0 {
		put("crop", fmt.Sprintf("center:%dx%d", g.CropHeight, g.CropWidth))
	}
	if g.Floor {
		put("offset", "floor")
	}
	if g.Pad != [3]float64{} {
		pad := g.Pad[:]
		if pad[0] == pad[1] && pad[1] == pad[2] {
			pad = pad[:1]
		}
		put("pad", list(pad))
	}
	if g.Float {
		put("depth", "float")
	}
}

// number is the shortest text that reads back the same.
func number(v float64) string { return result.Number.Write(v) }

func list(values []float64) string {
	texts := make([]string, len(values))
	for k, v := range values {
		texts[k] = number(v)
	}
	return strings.Join(texts, ",")
}

// Words says in words what a recipe does.
func (r Recipe) Words() string {
	var words []string
	say := func(format string, values ...any) { words = append(words, fmt.Sprintf(format, values...)) }
	g := r.Geometry
	by := string(g.Filter)
	if g.Aliased {
		by += ", not widened"
	}
	switch {
	case g.Resize == None:
		say("not resized")
	case g.Resize == Stretch && g.Height == 0:
		say("stretched to the input's size (%s)", by)
	case g.Resize == Stretch:
		say("stretched to %d x %d (%s)", g.Height, g.Width, by)
	case g.Resize == Shorter:
		say("shorter side to %d (%s)", g.Height, by)
	default:
		say("longer side to %d (%s)", g.Height, by)
	}
	if g.CropHeight > 0 {
		say("centre %d x %d", g.CropHeight, g.CropWidth)
	}
	if r.Channels != "" && r.Channels != RGB {
		say("channels %s", map[Channels]string{BGR: "blue, green, red", Gray: "gray"}[r.Channels])
	}
	scale := r.Scaled()
	say("pixels of %s..%s", number(min(r.Shift, scale+r.Shift)), number(max(r.Shift, scale+r.Shift)))
	if m := (Range{Mean: r.Mean, Std: r.Std}); (Part{Recipe{Range: m}, OfRange}).Text() != "" {
		say("less mean %s, divided by std %s", list(orOne(r.Mean, 0)), list(orOne(r.Std, 1)))
	}
	if g.Float {
		say("in floating point")
	} else {
		say("rounded to 8 bits as Pillow does")
	}
	return strings.Join(words, "; ")
}

// orOne is a list, or one number in place of none.
func orOne(values []float64, none float64) []float64 {
	if len(values) == 0 {
		return []float64{none}
	}
	return values
}
