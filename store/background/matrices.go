package background

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"

	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/store"
)

// matrixVersion counts the forms of kept matrices: it changes with what is computed and with its
// form.
const matrixVersion = 1

// keptMatrix is a matrix as it is kept: the bits of its numbers, since JSON has no NaN. A
// symmetric matrix, as nearly all are, is kept as its lower triangle, row by row with the
// diagonal.
type keptMatrix struct {
	R       int
	Numbers []byte
}

// Matrices are a model's interpolated matrices of one measure, kept in the workspace once they
// were computed: matrices[k] belongs to list[k]. They depend on the cloud alone, so that evidence
// of fewer targets (scatter.Cloud.Of) has its own. A measure that the evidence lacks is an error
// with the reason.
func Matrices(
	ctx context.Context, ws *store.Workspace, e Evidence, measure Measure, raster int, list []scatter.Interpolant,
) ([]scatter.Matrix, error) {
	cloud, ok := e.Clouds[measure]
	if !ok {
		return nil, fmt.Errorf("model %s has no %s: %s", e.Model.ID, measure, e.Absent[measure])
	}
	name := cloudName(cloud)
	matrices := make([]scatter.Matrix, len(list))
	var missing []scatter.Interpolant
	var places []int
	for k, p := range list {
		if m, found := readMatrix(ws, matrixName(name, raster, p), raster); found {
			matrices[k] = m
			continue
		}
		missing, places = append(missing, p), append(places, k)
	}
	if len(missing) == 0 {
		return matrices, nil
	}
	computed, err := scatter.Interpolate(ctx, cloud, raster, missing)
	if err != nil {
		return nil, fmt.Errorf("matrices of model %s, %s: %w", e.Model.ID, measure, err)
	}
	for i, m := range computed {
		matrices[places[i]] = m
		if err := ws.KeepValue(matrixName(name, raster, missing[i]), packMatrix(m)); err != nil {
			return nil, err
		}
	}
	return matrices, nil
}

func matrixName(cloud string, raster int, p scatter.Interpolant) string {
	return fmt.Sprintf("rbf/%d/%s/%d/%s", matrixVersion, cloud, raster, p)
}

// cloudName stands for all numbers of a cloud.
func cloudName(c scatter.Cloud) string {
	sum := sha256.New()
	var data []byte
	put := func(v float64) { data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v)) }
	put(c.D)
	for t := range c.Distances {
		put(float64(len(c.Distances[t])))
		for _, v := range c.Distances[t] {
			put(v)
		}
		for _, v := range c.Signals[t] {
			put(v)
		}
		sum.Write(data)
		data = data[:0]
	}
	sum.Write(data)
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// readMatrix reads a kept matrix. What cannot be read, or is none of that raster, counts as not
// kept: it is computed again.
func readMatrix(ws *store.Workspace, name string, raster int) (scatter.Matrix, bool) {
	var k keptMatrix
	found, err := ws.KeptValue(name, &k)
	if err != nil || !found || k.R != raster {
		return scatter.Matrix{}, false
	}
	return k.unpack()
}

func packMatrix(m scatter.Matrix) keptMatrix {
	k := keptMatrix{R: m.R}
	symmetric := isSymmetric(m)
	for b := range m.R {
		columns := m.R
		if symmetric {
			columns = b + 1
		}
		for a := range columns {
			k.Numbers = binary.LittleEndian.AppendUint64(k.Numbers, math.Float64bits(m.At(a, b)))
		}
	}
	return k
}

func (k keptMatrix) unpack() (scatter.Matrix, bool) {
	n := len(k.Numbers) / 8
	whole := n == k.R*k.R
	if k.R < 1 || len(k.Numbers)%8 != 0 || !whole && n != k.R*(k.R+1)/2 {
		return scatter.Matrix{}, false
	}
	m := scatter.Matrix{R: k.R, Values: make([]float64, k.R*k.R)}
	at := 0
	for b := range k.R {
		columns := k.R
		if !whole {
			columns = b + 1
		}
		for a := range columns {
			v := math.Float64frombits(binary.LittleEndian.Uint64(k.Numbers[8*at:]))
			m.Values[b*k.R+a] = v
			if !whole {
				m.Values[a*k.R+b] = v
			}
			at++
		}
	}
	return m, true
}

// isSymmetric compares bits.
func isSymmetric(m scatter.Matrix) bool {
	for b := range m.R {
		for a := range b {
			if math.Float64bits(m.At(a, b)) != math.Float64bits(m.At(b, a)) {
				return false
			}
		}
	}
	return true
}
