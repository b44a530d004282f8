package clouds

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/scatter"
	scenes "github.com/variscope/variscope/store/background"
)

// Mode says which matrices are shown.
type Mode string

// The modes: one model and measure, one model and all measures, two models with their difference.
const (
	One Mode = "one"
	All Mode = "all"
	Two Mode = "two"
)

// Points says how the cloud itself is drawn.
type Points string

// The ways: how many points lie in a pixel, their mean value, the last one's value.
const (
	Density Points = "density"
	Mean    Points = "mean"
	Dots    Points = "dots"
)

// Settings are what is shown and how; the workspace remembers them.
type Settings struct {
	Mode    Mode                `json:"mode"`
	Model   string              `json:"model,omitempty"`  // hash
	Second  string              `json:"second,omitempty"` // the model that it is compared with
	Measure scenes.Measure      `json:"measure"`
	Points  Points              `json:"points"`
	Free    scatter.Interpolant `json:"free"`
	Raster  int                 `json:"raster"` // of the free interpolant
	Share   int                 `json:"share"`  // of the targets, in percent
	Seed    uint64              `json:"seed"`   // of the share
	Range   label.Range         `json:"range"`  // one's own colour range; zero for the shared one
	Map     string              `json:"map"`
}

// keySettings is the workspace setting that remembers them.
const keySettings = "scenes.matrices"

// The limits of the free interpolant and of the share. Entries take what the engine takes; sliders
// end where more makes no sense.
const (
	leastShare, wholeShare  = 10, 100
	leastRaster, mostRaster = 4, 512
	mostSize                = 512
	mostNeighbours          = 10000
	usualSeed               = 1
	usualMap                = "green"
)

// valid puts usual values in the place of those that cannot be.
func (s Settings) valid() Settings {
	if !slices.Contains([]Mode{One, All, Two}, s.Mode) {
		s.Mode = One
	}
	if !slices.Contains(scenes.Measures(), s.Measure) {
		s.Measure = scenes.ConfMax
	}
	if !slices.Contains([]Points{Density, Mean, Dots}, s.Points) {
		s.Points = Density
	}
	if !freeFits(s.Free) {
		s.Free = scatter.Interpolant{Size: 24, Sigma: 4, K: 32}
	}
	if s.Raster < leastRaster || s.Raster > mostRaster {
		s.Raster = scatter.DefaultRaster
	}
	if s.Share < leastShare || s.Share > wholeShare {
		s.Share = wholeShare
	}
	if s.Seed == 0 {
		s.Seed = usualSeed
	}
	if !(s.Range.Low < s.Range.High) {
		s.Range = label.Range{}
	}
	if !slices.Contains(mapNames(), s.Map) {
		s.Map = usualMap
	}
	return s
}

func freeFits(p scatter.Interpolant) bool {
	return p.Check() == nil && p.Size <= mostSize && p.Sigma <= mostSize && p.K <= mostNeighbours
}

// mapNames are the colour maps: the green one first, none for differences.
func mapNames() []string {
	list := []string{usualMap}
	for _, name := range render.MapNames() {
		if name != usualMap && name != "diverging" {
			list = append(list, name)
		}
	}
	return list
}

// sharedRange is the range of all colour bars.
var sharedRange = label.Range{Low: 0, High: render.FieldHigh}

// colours is the range in force, and whether it is the shared one.
func (s Settings) colours() (r label.Range, shared bool) {
	if s.Range == (label.Range{}) || s.Range == sharedRange {
		return sharedRange, true
	}
	return s.Range, false
}

// scale is that of all values; elements without one are hatched.
func (s Settings) scale() render.Scale {
	r, _ := s.colours()
	m, _ := render.MapByName(s.Map)
	scale := render.FieldScale(r.High, m)
	scale.Low = r.Low
	return hatched(scale)
}

// hatched is a scale under which elements without a value are hatched.
func hatched(s render.Scale) render.Scale {
	s.NaN = render.Scale{}.NaN
	return s
}

// Knob is a number of the free interpolant.
type Knob int

// The knobs, in the order in which they stand.
const (
	SizeKnob Knob = iota
	SigmaKnob
	NeighbourKnob
	RasterKnob
	Knobs // their number
)

// knobFacts are a knob's name, what it means, and the ends and steps of its slider.
type knobFacts struct {
	name, hint      string
	low, high, step float64
}

func (k Knob) facts() knobFacts {
	switch k {
	case SizeKnob:
		return knobFacts{"kernel size", "full width of the circle whose points make an element, in elements of the raster", 1, 64, 1}
	case SigmaKnob:
		return knobFacts{"sigma", "how fast a point's weight falls with its distance, in elements of the raster", 0.5, 20, 0.5}
	case NeighbourKnob:
		return knobFacts{"K", "the nearest points whose mean is the value of the point made up at the element itself; 0 for no such point", 0, 128, 1}
	}
	return knobFacts{"raster", "elements along a side of the matrix", 8, 128, 4}
}

// knob is a knob's value.
func (s Settings) knob(k Knob) float64 {
	switch k {
	case SizeKnob:
		return s.Free.Size
	case SigmaKnob:
		return s.Free.Sigma
	case NeighbourKnob:
		return float64(s.Free.K)
	}
	return float64(s.Raster)
}

// turned are the settings with another value of a knob; the error says what the knob takes.
func (s Settings) turned(k Knob, v float64) (Settings, error) {
	whole := v == math.Trunc(v)
	switch {
	case k == SizeKnob && v > 0 && v <= mostSize:
		s.Free.Size = v
	case k == SigmaKnob && v > 0 && v <= mostSize:
		s.Free.Sigma = v
	case k == NeighbourKnob && whole && v >= 0 && v <= mostNeighbours:
		s.Free.K = int(v)
	case k == RasterKnob && whole && v >= leastRaster && v <= mostRaster:
		s.Raster = int(v)
	case k == NeighbourKnob:
		return s, fmt.Errorf("%s takes a whole number from 0 to %d", k.facts().name, mostNeighbours)
	case k == RasterKnob:
		return s, fmt.Errorf("the raster takes a whole number from %d to %d", leastRaster, mostRaster)
	default:
		return s, fmt.Errorf("%s takes a number above 0, at most %d", k.facts().name, mostSize)
	}
	return s, nil
}

// typed are the settings with a knob's value as it was typed.
func (s Settings) typed(k Knob, text string) (Settings, error) {
	v, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimSpace(text), ",", "."), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return s, fmt.Errorf("%q is not a number", text)
	}
	return s.turned(k, v)
}

// knobText is a value as it stands in an entry.
func knobText(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
