package clouds

import (
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/scatter"
	scenes "github.com/variscope/variscope/store/background"
)

// The choices of background.MatrixChoice: which matrices are shown, and how the cloud itself is
// drawn.
const (
	One, All, Two, Several = "one", "all", "two", "several"

	Density, Mean, Dots = "density", "mean", "dots"
)

// Settings are what is shown and how; the workspace remembers them.
type Settings struct {
	background.MatrixChoice
	background.FreeMatrix
	background.MatrixLook
	Model string      `json:"model,omitempty"` // hash
	Range label.Range `json:"range"`           // one's own colour range; zero for the shared one
}

// keySettings is the workspace setting that remembers them.
const keySettings = "scenes.matrices"

// wholeShare is all targets, in percent.
const wholeShare = 100

// parts are the options among them.
func (s *Settings) parts() []any { return []any{&s.MatrixChoice, &s.FreeMatrix, &s.MatrixLook} }

// usual are the defaults.
func usual() (s Settings) {
	for _, part := range s.parts() {
		option.SetDefaults(part)
	}
	return s
}

// valid puts usual values in the place of those that cannot be.
func (s Settings) valid() Settings {
	for _, part := range s.parts() {
		fields := option.Fields(part)
		for _, f := range fields {
			if f.Check() != nil || !f.Applies(fields) {
				f.Reset()
			}
		}
	}
	if !(s.Range.Low < s.Range.High) {
		s.Range = label.Range{}
	}
	return s
}

// measure is the one that is shown in all modes but All.
func (s Settings) measure() scenes.Measure { return scenes.Measure(s.Measure) }

// free is the interpolant beside the three of the paper.
func (s Settings) free() scatter.Interpolant { return scatter.Interpolant(s.Kernel) }

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
	scale.Low, scale.NaN = r.Low, render.Scale{}.NaN
	return scale
}
