// Package render turns numbers into pictures: variance matrices and colour bars as image.RGBA for
// the screen, figures as PNG, SVG and PDF for files (DESIGN.md sections 7 and 8, spec/variance.md
// section 7). It is the only package that imports gonum/plot. Everything is a pure function of its
// arguments: equal arguments give equal bytes.
package render

import (
	"encoding/hex"
	"image/color"
	"math"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/scatter"
)

// Map is a colour map: entry 0 stands for the low end of a scale, entry 255 for the high end.
type Map [256]color.RGBA

// The colour maps. Viridis is the default, Cividis looks the same to people with and without colour
// vision deficiency, Gray goes from black to white, Green from dark green to yellow
// (spec/background.md section 11: the default for interpolated matrices), Diverging from blue over
// near-white to red for differences around 0, Pale from white to light blue for counts that are
// written into their cells.
var (
	Viridis   = parseMap(viridisTable)
	Cividis   = parseMap(cividisTable)
	Gray      = grayMap()
	Green     = rampMap([][3]float64{{0, 102, 51}, {102, 166, 51}, {255, 255, 77}})
	Pale      = rampMap([][3]float64{{255, 255, 255}, {0x73, 0xb1, 0xd5}})
	Diverging = rampMap([][3]float64{
		{0x21, 0x4a, 0x9c}, {0x7f, 0xac, 0xd9}, {0xf4, 0xf2, 0xee}, {0xe8, 0x94, 0x74}, {0xa0, 0x1b, 0x2c},
	})
)

// The default marker colours of a Scale. They occur in none of the maps, so that a marked cell
// cannot be taken for a value.
var (
	UnderColour = color.RGBA{0x00, 0xe5, 0xff, 0xff}
	OverColour  = color.RGBA{0xff, 0x2d, 0x78, 0xff}
	nanDark     = color.RGBA{0x74, 0x74, 0x74, 0xff}
	nanLight    = color.RGBA{0xa8, 0xa8, 0xa8, 0xff}
	mapsByName  = map[string]*Map{
		"": &Viridis, "viridis": &Viridis, "cividis": &Cividis, "gray": &Gray,
		"green": &Green, "diverging": &Diverging,
	}
	orderedNames = []string{"viridis", "cividis", "gray", "green", "diverging"}
)

// MapByName returns the map of that name, one of MapNames; the empty name is viridis. ok is false
// for any other name.
func MapByName(name string) (m *Map, ok bool) {
	m, ok = mapsByName[name]
	return m, ok
}

// MapNames lists the maps in the order of menus.
func MapNames() []string { return append([]string(nil), orderedNames...) }

// parseMap reads 256 entries of RRGGBB. The tables are constants, so a fault in them is the
// programmer's.
func parseMap(table string) (m Map) {
	raw, err := hex.DecodeString(table)
	if err != nil || len(raw) != 3*len(m) {
		panic("render: a colour table must hold 256 entries of RRGGBB")
	}
	for i := range m {
		m[i] = color.RGBA{raw[3*i], raw[3*i+1], raw[3*i+2], 0xff}
	}
	return m
}

func grayMap() (m Map) {
	for i := range m {
		m[i] = color.RGBA{uint8(i), uint8(i), uint8(i), 0xff}
	}
	return m
}

// rampMap runs through anchors at equal distances, straight lines between them.
func rampMap(anchors [][3]float64) (m Map) {
	for i := range m {
		at := float64(i) / 255 * float64(len(anchors)-1)
		k := min(int(at), len(anchors)-2)
		var c [3]uint8
		for channel := range c {
			a, b := anchors[k][channel], anchors[k+1][channel]
			c[channel] = uint8(math.Round(a + float64((at-float64(k))*(b-a))))
		}
		m[i] = color.RGBA{c[0], c[1], c[2], 0xff}
	}
	return m
}

// Scale says which value gets which colour: Low the first entry of Map, High the last. Values
// outside are drawn in Under and Over, NaN in NaN; the zero colour means the package's default.
type Scale struct {
	Low, High        float64
	Map              *Map // nil is viridis, and the diverging one where Low is below 0
	Under, Over, NaN color.RGBA
}

// Color is the colour of v. A scale without width (High <= Low) draws everything at Low in the
// first entry.
func (s Scale) Color(v float64) color.RGBA {
	switch {
	case math.IsNaN(v):
		return or(s.NaN, nanDark)
	case v < s.Low:
		return or(s.Under, UnderColour)
	case v > s.High && v > s.Low:
		return or(s.Over, OverColour)
	}
	return s.colours()[s.index(v)]
}

// Ends implements result.Colours; a scale without width has a bar of width 1.
func (s Scale) Ends() (low, high float64) {
	if s.High > s.Low {
		return s.Low, s.High
	}
	return s.Low, s.Low + 1
}

// index is the entry of a value inside the scale.
func (s Scale) index(v float64) int {
	width := s.High - s.Low
	if !(width > 0) {
		return 0
	}
	return min(255, int(float64((v-s.Low)/width*255)+0.5))
}

func (s Scale) colours() *Map {
	switch {
	case s.Map != nil:
		return s.Map
	case s.Low < 0:
		return &Diverging
	}
	return &Viridis
}

func or(c, fallback color.RGBA) color.RGBA {
	if c == (color.RGBA{}) {
		return fallback
	}
	return c
}

// FieldNaN is the light grey of elements without a value (spec/background.md section 11).
var FieldNaN = color.RGBA{0xd9, 0xd9, 0xd9, 0xff}

// FieldHigh is the default end of the scale of interpolated matrices, that of variance matrices of
// softmax signals: up to PaperFieldHigh, that of spec/background.md section 11, a model that
// changes most of its predictions looks evenly calm.
const (
	FieldHigh      = 0.3
	PaperFieldHigh = 0.5
)

// FieldScale is the scale of interpolated matrices (spec/background.md section 11): from 0 to high
// in a map, nil for the green one. Values beyond are drawn in the colours of its ends, and elements
// without a value in light grey.
func FieldScale(high float64, m *Map) Scale {
	if m == nil {
		m = &Green
	}
	return Scale{High: high, Map: m, Under: m[0], Over: m[255], NaN: FieldNaN}
}

// DensityScale is the scale of a density: from 1 point to the most in m, logarithmic, for the
// values of LogDensity.
func DensityScale(density scatter.Matrix, m *Map) Scale {
	s := FieldScale(0, m)
	for _, v := range density.Values {
		if v > s.High && !math.IsInf(v, 0) {
			s.High = v
		}
	}
	if s.High == 0 {
		s.High = 1
	}
	return s
}

// Pales is the scale of counts up to the most, which are written into their cells.
func Pales(most float64) result.Colours { return Scale{High: most, Map: &Pale} }

// Legible is black or white, whichever stands out more from a ground: by at least 4.5 to 1, their
// contrast in relative luminance (WCAG 2).
func Legible(ground color.RGBA) color.RGBA {
	linear := func(part uint8) float64 {
		v := float64(part) / 255
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	luminance := float64(0.2126*linear(ground.R)) + float64(0.7152*linear(ground.G)) + float64(0.0722*linear(ground.B))
	if l := luminance + 0.05; l/0.05 >= 1.05/l {
		return color.RGBA{A: 0xff}
	}
	return white
}
