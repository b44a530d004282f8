package variance

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// TestCross draws matrices that grow smoothly away from the diagonal, and adds lines of one
// element to them.
func TestCross(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	smooth := func(n int) Matrix {
		m := Matrix{N: n, Data: make([]float64, n*n)}
		for i := range n {
			for j := range i {
				v := 0.02*math.Abs(float64(i-j)) + 0.002*random.Float64()
				m.Data[i*n+j], m.Data[j*n+i] = v, v
			}
		}
		return m
	}
	line := func(m Matrix, c int, height float64) Matrix {
		for i := range m.N {
			if i != c {
				m.Data[i*m.N+c] += height
				m.Data[c*m.N+i] += height
			}
		}
		return m
	}
	for name, c := range map[string]struct {
		matrix Matrix
		want   bool
	}{
		"smooth":                    {smooth(31), false},
		"a cross":                   {line(smooth(31), 15, 0.1), true},
		"a faint cross":             {line(smooth(31), 15, 0.01), false},
		"a dark cross":              {line(smooth(31), 15, -0.1), false},
		"a line elsewhere":          {line(smooth(31), 9, 0.1), false},
		"one line among several":    {line(line(smooth(31), 15, 0.1), 9, 0.08), false},
		"nothing but the cross":     {line(Matrix{N: 7, Data: make([]float64, 49)}, 3, 0.1), true},
		"zero":                      {Matrix{N: 31, Data: make([]float64, 31*31)}, false},
		"too few transformations":   {line(smooth(5), 2, 1), false},
		"no identity in the middle": {line(smooth(30), 15, 1), false},
		"absent":                    {Matrix{}, false},
	} {
		testdata.Is(t, name, Cross(c.matrix), c.want)
	}
}
