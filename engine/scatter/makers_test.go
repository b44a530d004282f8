package scatter

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

// directMakers goes over all points one by one, and sorts them for the nearest.
func directMakers(c Cloud, e Element) (points int, shares map[[3]int]float64) {
	type point struct {
		r2, weight float64
		pair       [3]int
		makes      bool
	}
	var all []point
	for t, d := range c.Distances {
		for i := range d {
			for j := range d {
				x, y := d[i]*float64(e.Raster)/c.D, d[j]*float64(e.Raster)/c.D
				if e.By == (Interpolant{}) {
					x, y = d[i]/c.D*float64(e.Raster), d[j]/c.D*float64(e.Raster)
				}
				dx, dy := x-0.5-float64(e.A), y-0.5-float64(e.B)
				p := point{r2: float64(dx*dx) + float64(dy*dy), pair: [3]int{t, min(i, j), max(i, j)}}
				if e.By == (Interpolant{}) {
					p.makes, p.weight = min(int(x), e.Raster-1) == e.A && min(int(y), e.Raster-1) == e.B, 1
				} else {
					p.makes, p.weight = p.r2 <= e.By.Size/2*(e.By.Size/2), math.Exp(-p.r2/(2*e.By.Sigma*e.By.Sigma))
				}
				if !p.makes {
					p.weight = 0
				} else {
					points++
				}
				all = append(all, p)
			}
		}
	}
	slices.SortStableFunc(all, func(p, q point) int { return cmp.Compare(p.r2, q.r2) })
	for k := range min(e.By.K, len(all)) {
		all[k].makes = true
		all[k].weight += 1 / float64(min(e.By.K, len(all)))
	}
	shares = map[[3]int]float64{}
	sum := 0.0
	for _, p := range all {
		if p.makes {
			part := p.weight * c.value(p.pair[0], p.pair[1], p.pair[2])
			shares[p.pair] += part
			sum += part
		}
	}
	if sum > 0 {
		for k := range shares {
			shares[k] /= sum
		}
	}
	return points, shares
}

func TestMakersAgainstAllPoints(t *testing.T) {
	clouds := published(5)
	rapid.Check(t, func(t *rapid.T) {
		e := Element{Raster: rapid.IntRange(4, 40).Draw(t, "raster")}
		e.A, e.B = rapid.IntRange(0, e.Raster-1).Draw(t, "a"), rapid.IntRange(0, e.Raster-1).Draw(t, "b")
		if rapid.Bool().Draw(t, "interpolated") {
			e.By = Interpolant{
				Size: rapid.Float64Range(1, 20).Draw(t, "size"), Sigma: rapid.Float64Range(1, 9).Draw(t, "sigma"),
				K: rapid.SampledFrom([]int{0, 1, 5, 32, 100000}).Draw(t, "K"),
			}
		}
		near := rapid.Bool().Draw(t, "near")
		found := testdata.Must(clouds.Makers(t.Context(), e, near, 1<<20))(t)
		points, shares := directMakers(clouds, e)
		if found.Points != points || len(found.List) != len(shares) || found.Lone != (points == 0 && e.By.K > 0) {
			t.Fatalf("%d points of %d pairs, want %d of %d", found.Points, len(found.List), points, len(shares))
		}
		for _, m := range found.List {
			want := shares[[3]int{m.Target, min(m.I, m.J), max(m.I, m.J)}]
			if math.Abs(m.Share-want) > 1e-9 || m.Value != clouds.value(m.Target, m.I, m.J) {
				t.Fatalf("%+v, want a share of %v", m, want)
			}
			if m.X != clouds.Distances[m.Target][m.I] || m.Y != clouds.Distances[m.Target][m.J] {
				t.Fatalf("%+v does not lie where its images do", m)
			}
		}
		ordered := func(p, q Maker) int {
			if near {
				return cmp.Compare(p.Apart, q.Apart)
			}
			return cmp.Compare(q.Share, p.Share)
		}
		if !slices.IsSortedFunc(found.List, ordered) {
			t.Fatal("the pairs are not in order")
		}
		few, err := clouds.Makers(t.Context(), e, near, 3)
		if err != nil || !slices.EqualFunc(few.List, found.List[:min(3, len(found.List))], func(p, q Maker) bool {
			return p.Target == q.Target && p.I == q.I && p.J == q.J && math.Abs(p.Share-q.Share) < 1e-12
		}) {
			t.Fatalf("the first three are %+v of %+v, %v", few.List, found.List[:min(3, len(found.List))], err)
		}
	})
}

// TestMakersOnTheRim: of points on the rim of a circle, those make an element that Interpolate
// takes into it, whatever their last bits say.
func TestMakersOnTheRim(t *testing.T) {
	by := Interpolant{Size: 10, Sigma: 3}
	inside, outside := 0, 0
	for raster := 10; raster < 60; raster++ {
		for tenths := 1; tenths < 40; tenths++ {
			end := float64(tenths) / 10
			c := Cloud{
				Distances: [][]float64{{0, 3.5 * end / float64(raster), 4.5 * end / float64(raster)}},
				Signals:   [][]float64{{0, 1, 2}}, D: end,
			}
			found := testdata.Must(c.Makers(t.Context(), Element{Raster: raster, By: by}, false, 10))(t)
			want, at := 0, place(c.Distances, c.value, c.D, raster).at
			for _, x := range at {
				for _, y := range at {
					if float64(x*x)+float64(y*y) <= 25 {
						want++
					}
				}
			}
			if found.Points != want {
				t.Fatalf("%d elements to %v: %d points, want %d", raster, end, found.Points, want)
			}
			if want == 8 { // without that at (4, 4)
				inside++
			} else {
				outside++
			}
		}
	}
	if inside == 0 || outside == 0 {
		t.Errorf("%d rims inside, %d outside: rounding decides nothing", inside, outside)
	}
}

// TestMakersOfAnEmptyCircle: the made-up point's value is the mean of the K nearest, which are
// listed.
func TestMakersOfAnEmptyCircle(t *testing.T) {
	c := Cloud{Distances: [][]float64{{0, 1}, {0, 0.9}}, Signals: [][]float64{{0.5, 0.1}, {0.5, 0.5}}, D: 1}
	e := Element{A: 16, B: 16, Raster: 32, By: Interpolant{Size: 2, Sigma: 1, K: 8}}
	found, err := c.Makers(t.Context(), e, false, 10)
	if err != nil || !found.Lone || found.Points != 0 || len(found.List) != 6 {
		t.Fatalf("%+v, %v", found, err)
	}
	if m := found.List[0]; m.Target != 0 || m.Value != 0.4 || m.Share != 1 {
		t.Errorf("the pair that makes all of it is %+v", m)
	}
	e.By.K = 0
	if found, err = c.Makers(t.Context(), e, false, 10); err != nil || found.Lone || len(found.List) != 0 {
		t.Errorf("without neighbours: %+v, %v", found, err)
	}
}

func TestMakersRefuse(t *testing.T) {
	c := published(2)
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for _, test := range []struct {
		e    Element
		want string
	}{
		{Element{A: 64, Raster: 64}, "outside of 64 x 64"},
		{Element{B: -1, Raster: 64}, "outside"},
		{Element{Raster: 0}, "a picture of 0 pixels"},
		{Element{Raster: 2, By: Interpolants()[0]}, "raster of 2"},
		{Element{Raster: 64, By: Interpolant{Size: -1, Sigma: 1}}, "size"},
	} {
		testdata.Refused(t, fmt.Sprintf("%+v", test.e),
			testdata.Err(c.Makers(t.Context(), test.e, false, 1)), test.want)
	}
	if _, err := (Cloud{}).Makers(t.Context(), Element{Raster: 64}, false, 1); err == nil {
		t.Error("a cloud without targets has pairs")
	}
	if _, err := c.Makers(stopped, Element{Raster: 64}, false, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled search: %v", err)
	}
}
