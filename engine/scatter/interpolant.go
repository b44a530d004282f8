package scatter

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/result"
)

// Interpolant is the setting of an interpolation: the full width of the circle and sigma, in pixels
// of the raster, and the number of neighbours of the made-up point; K = 0 is the first formula,
// without one.
type Interpolant struct {
	Size, Sigma float64
	K           int
}

// Interpolants are the three of the paper: I1, I2, I3.
func Interpolants() []Interpolant { return []Interpolant{{16, 5, 32}, {32, 2, 32}, {32, 10, 32}} }

// String is the canonical text "16,5,32", which ParseInterpolant reads; it reads I1, I2 and I3,
// too.
func (p Interpolant) String() string {
	return result.Number.Write(p.Size) + "," + result.Number.Write(p.Sigma) + "," + strconv.Itoa(p.K)
}

// Name is I1, I2 or I3 for the three of the paper, else the canonical text.
func (p Interpolant) Name() string {
	if k := slices.Index(Interpolants(), p); k >= 0 {
		return "I" + strconv.Itoa(k+1)
	}
	return p.String()
}

// ParseInterpolant reads an interpolant. The error says what is wrong: three numbers, a size and a
// sigma above 0, K from 0.
func ParseInterpolant(text string) (Interpolant, error) {
	trimmed := strings.TrimSpace(text)
	for _, p := range Interpolants() {
		if strings.EqualFold(trimmed, p.Name()) {
			return p, nil
		}
	}
	parts := strings.Split(trimmed, ",")
	if len(parts) != 3 {
		return Interpolant{},
			fmt.Errorf("interpolant %q is neither I1, I2, I3 nor three numbers SIZE,SIGMA,K such as 16,5,32", text)
	}
	var p Interpolant
	for k, target := range []*float64{&p.Size, &p.Sigma} {
		v, err := strconv.ParseFloat(strings.TrimSpace(parts[k]), 64)
		if err != nil {
			return Interpolant{}, fmt.Errorf("interpolant %q: %s %q is no number", text,
				[]string{"the size", "sigma"}[k], parts[k])
		}
		*target = v
	}
	k, err := strconv.Atoi(strings.TrimSpace(parts[2]))
	if err != nil {
		return Interpolant{}, fmt.Errorf("interpolant %q: K %q is no whole number", text, parts[2])
	}
	p.K = k
	return p, p.Check()
}

// Check says what is wrong with an interpolant: a size or sigma that is not a finite number above
// 0, a K below 0.
func (p Interpolant) Check() error {
	switch {
	case !(p.Size > 0) || math.IsInf(p.Size, 0):
		return fmt.Errorf("interpolant %s: the size of the circle must be a finite number above 0", p)
	case !(p.Sigma > 0) || math.IsInf(p.Sigma, 0):
		return fmt.Errorf("interpolant %s: sigma must be a finite number above 0", p)
	case p.K < 0:
		return fmt.Errorf("interpolant %s: K must be 0 (no neighbours) or more", p)
	}
	return nil
}
