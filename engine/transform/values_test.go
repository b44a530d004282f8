package transform

import (
	"math"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// TestKnownValues: a 3 x 4 image through the definition of the reference results (zoo,
// reference_transforms.py), computed in float64 by another program and rounded to seven places.
func TestKnownValues(t *testing.T) {
	src := []float32{0, 0.1, 0.2, 0.3, 1, 0.9, 0.8, 0.7, 0.5, 0.25, 0.75, 0}
	for _, test := range []struct {
		text  string
		value float64
		want  []float64
	}{
		{"rotation:-15:15:1", 15, []float64{
			0.0200167, 0.1154222, 0.3143629, 0.3715225, 0.6106289, 0.7952096, 0.7939104, 0.4462490, 0.5634397,
			0.4107808, 0.5537198, 0.1501253,
		}},
		{"rotation:-15:15:1", -15, []float64{
			0.3345872, 0.2145142, 0.1559772, 0.1737370, 0.7977982, 0.8155030, 0.7236170, 0.5458511, 0.2728810,
			0.3509448, 0.6025305, 0.2342110,
		}},
		{"scaling:0.7:1.3:0.02", 1.3, []float64{
			0.2494083, 0.2908284, 0.3322485, 0.3736686, 0.9653846, 0.8884615, 0.8115385, 0.7346154, 0.5408284,
			0.4417160, 0.7198225, 0.3692308,
		}},
	} {
		f := family(t, test.text)
		p := plan(t, test.text, 3, 4)
		dst := make([]float32, len(src))
		found := false
		for i, v := range f.Values() {
			if v != test.value {
				continue
			}
			found = true
			p.Apply(dst, src, 1, i)
			for k := range dst {
				if math.Abs(float64(dst[k])-test.want[k]) > 2e-7 {
					t.Errorf("%s at %v, entry %d: %v, want %v", test.text, v, k, dst[k], test.want[k])
				}
			}
		}
		if !found {
			t.Errorf("%s has no value %v", test.text, test.value)
		}
	}
}

// TestNearestHalves: halves go right and down, also where rounding has moved them a little.
func TestNearestHalves(t *testing.T) {
	g := grid{height: 4, width: 1, cy: 1.5, cx: 0}
	for _, noise := range []float64{0, 1e-12, -1e-12} {
		table := newTable(g, func(dy, dx float64) (float64, float64) { return 1.5 + dy + 0.5 + noise, dx },
			Nearest, Edge)
		for y, m := range table.moves {
			if want := min(int32(y)+1, 3); m.src != want {
				t.Errorf("row %d with %v reads row %d, want %d", y, noise, m.src, want)
			}
		}
	}
}

// TestTablesHaveTheExpectedSize: Plan's limit counts on it.
func TestTablesHaveTheExpectedSize(t *testing.T) {
	for _, interpolation := range Interpolations() {
		f := testdata.Must(family(t, "rotation:-15:15:15").With(interpolation, ""))(t)
		p := testdata.Must(f.Plan(224, 224))(t)
		b := p.tables[0]
		bytes := 8*len(b.moves) + 24*len(b.squares) + 40*len(b.patches) + 8*(len(b.rim.dst)+len(b.rim.taps))
		if most := int(tapBytes(interpolation)) * 224 * 224 * 11 / 10; bytes > most {
			t.Errorf("%s: %d bytes, expected at most %d", interpolation, bytes, most)
		}
	}
}
