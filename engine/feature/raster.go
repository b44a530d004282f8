package feature

import (
	"errors"
	"fmt"

	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/engine/variance"
)

// rasterFeatures are the features of spec/features.md that are measured of an interpolated matrix,
// in order: all but asymm.
func rasterFeatures() []Feature {
	list := make([]Feature, 0, Count-1)
	for f := range Asymm {
		list = append(list, f)
	}
	return list
}

// Rasters measures a model's interpolated matrices: whole[k] is the k-th of Matrices, reduced[k]
// the same from the sub-sample of targets (Layout.Drawn), nil as a whole where there is none: ssty
// is then 0 and flagged. The layout is a valid one. Errors name the matrix: another raster than the
// layout's, elements without value, negative, not finite or too large, and a matrix that is not
// symmetric.
func (l Layout) Rasters(whole, reduced []scatter.Matrix) (Vector, error) {
	matrices := l.Matrices()
	if len(whole) != len(matrices) || reduced != nil && len(reduced) != len(matrices) {
		return Vector{}, fmt.Errorf("%d interpolated matrices and %d of the sub-sample; one of each for %v is needed",
			len(whole), len(reduced), matrices)
	}
	v := Vector{
		Values: make([]float64, 0, l.Width()), Matrices: make(map[string]variance.Matrix, len(matrices)),
		Flags: map[string][]Flag{},
	}
	for k, name := range matrices {
		var less *scatter.Matrix
		if reduced != nil {
			less = &reduced[k]
		}
		values, flags, err := l.raster(whole[k], less)
		if err != nil {
			return Vector{}, fmt.Errorf("%s: %w", name, err)
		}
		v.Values = append(v.Values, values...)
		v.Matrices[name] = variance.Matrix{N: whole[k].R, Data: whole[k].Values}
		if len(flags) > 0 {
			v.Flags[name] = flags
		}
	}
	return v, nil
}

// raster measures one matrix.
func (l Layout) raster(m scatter.Matrix, reduced *scatter.Matrix) ([]float64, []Flag, error) {
	b := l.Background
	if err := checkRaster(m, b.Raster); err != nil {
		return nil, nil, err
	}
	seven, err := scatter.Measure(m, b.Threshold)
	if err != nil {
		return nil, nil, err
	}
	if b.Set == SceneSet {
		return seven[:], nil, nil
	}
	if reduced != nil {
		if err := checkRaster(*reduced, b.Raster); err != nil {
			return nil, nil, fmt.Errorf("the sub-sample: %w", err)
		}
	}
	known := map[string]float64{}
	sixteen := measureRaster(m, reduced, l.Tau)
	for _, f := range rasterFeatures() {
		known[f.String()] = sixteen.Values[f]
	}
	for f, v := range seven { // mean and std are these in every set
		known[scatter.Feature(f).String()] = v
	}
	values := make([]float64, 0, len(known))
	for _, name := range l.Measurements() {
		values = append(values, known[name])
	}
	return values, sixteen.Flags, nil
}

// measureRaster is profile paper of spec/features.md read on a raster, as the comment at Set says;
// asymm stays 0.
func measureRaster(m scatter.Matrix, reduced *scatter.Matrix, tau float64) Measurement {
	var sixteen Measurement
	f := variance.Matrix{N: m.R, Data: m.Values}
	triangle := lowerTriangle(f)
	average := mean(triangle)
	v := &sixteen.Values
	v[SVM], v[Mean], v[Std], v[ASV] = meanSquare(f.Data)/2, mean(f.Data), deviation(f.Data), shareAbove(triangle, tau)
	if reduced == nil {
		sixteen.Flags = append(sixteen.Flags, NoReducedMatrix)
	} else {
		v[SSTY] = meanSquareDifference(triangle, lowerTriangle(variance.Matrix{N: m.R, Data: reduced.Values}))
	}
	sixteen.measureGradients(f)
	if average == 0 {
		sixteen.Flags = append(sixteen.Flags, MeanZero)
		return sixteen
	}
	sum, _ := discontinuity(f)
	v[Dctny] = sum / average
	return sixteen
}

// checkRaster refuses what is no interpolated matrix of a side.
func checkRaster(m scatter.Matrix, side int) error {
	if m.R != side || len(m.Values) != side*side {
		return fmt.Errorf("the interpolated matrix has %d elements along a side and %d in all; "+
			"%d along a side are needed", m.R, len(m.Values), side)
	}
	empty := 0
	for k, v := range m.Values {
		if v != v {
			empty++
			continue
		}
		if err := checkElement(v); err != nil {
			return fmt.Errorf("row %d, column %d of the interpolated matrix: %w", k/m.R, k%m.R, err)
		}
	}
	if empty > 0 {
		return fmt.Errorf("%d of the %d elements of the interpolated matrix have no value: no point lies near them; "+
			"take an interpolant with neighbours (K above 0)", empty, len(m.Values))
	}
	if !symmetric(m) {
		return errors.New("the interpolated matrix is not symmetric; its cloud is, so it was changed since")
	}
	return nil
}

// symmetric holds a matrix to the tolerance of variance matrices.
func symmetric(m scatter.Matrix) bool {
	f := variance.Matrix{N: m.R, Data: m.Values}
	limit := tolerance * f.Max()
	for b := range m.R {
		for a := range b {
			if d := m.At(a, b) - m.At(b, a); d > limit || -d > limit {
				return false
			}
		}
	}
	return true
}
