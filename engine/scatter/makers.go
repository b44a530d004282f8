package scatter

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

// Element is element (column A, row B) of a matrix of Raster x Raster elements that By made, or,
// where By is zero, a pixel of a scatter picture.
type Element struct {
	A, B, Raster int
	By           Interpolant
}

// Maker is a pair of images of one target whose points make an element: those at (d_I, d_J) and,
// where it takes part, too, its mirror image.
type Maker struct {
	Target, I, J int
	X, Y         float64 // the two distances; of the pair's points the one that is nearer to the element
	Value        float64
	Apart        float64 // from the element, in its pixels
	Share        float64 // of the sum of weighted values, 0..1; 0 where that sum is 0
}

// Makers are the pairs of images behind an element.
type Makers struct {
	Points int // in the circle or the pixel
	// Lone tells that no point lies in the circle: the element is the made-up point, and the pairs
	// are those of its K neighbours.
	Lone bool
	List []Maker
}

// Makers finds the pairs of images that make an element (spec section 10): those in its circle with
// the weights of the kernel and the K nearest ones, 1/K each, of which the made-up point is the
// mean; or, of a scatter picture, those in its pixel. They come by falling share of the sum of
// weighted values, or by rising distance from the element where near is set, at most so many. Ties
// stay in the order of targets and images. It fails where Interpolate does, for an element outside
// of the raster, and ends early with ctx's error.
func (c Cloud) Makers(ctx context.Context, e Element, near bool, most int) (Makers, error) {
	if err := e.check(c); err != nil {
		return Makers{}, fmt.Errorf("pairs behind an element: %w", err)
	}
	s := makerSearch{Element: e, near: near, most: max(most, 1)}
	if e.By == (Interpolant{}) {
		s.inside, s.weight = s.inPixel, func(float64) float64 { return 1 }
	} else {
		s.radius = e.By.Size / 2
		s.inside, s.weight = s.inCircle, func(r2 float64) float64 {
			return math.Exp(-r2 / (2 * float64(e.By.Sigma*e.By.Sigma)))
		}
	}
	if err := s.findNeighbours(ctx, c); err != nil {
		return Makers{}, err
	}
	if err := s.run(ctx, c); err != nil {
		return Makers{}, err
	}
	s.found.Lone = s.found.Points == 0 && len(s.neighbours) > 0
	s.cut()
	for k := range s.found.List {
		if s.sum > 0 {
			s.found.List[k].Share /= s.sum
		}
	}
	return s.found, nil
}

func (e Element) check(c Cloud) error {
	if err := c.Check(); err != nil {
		return err
	}
	if e.By == (Interpolant{}) {
		if e.Raster < 1 || e.Raster > largestBins {
			return fmt.Errorf("a picture of %d pixels a side; take 1 to %d", e.Raster, largestBins)
		}
	} else if err := checkRaster(e.Raster); err != nil {
		return err
	} else if err := e.By.Check(); err != nil {
		return err
	}
	if e.A < 0 || e.B < 0 || e.A >= e.Raster || e.B >= e.Raster {
		return fmt.Errorf("element %d, %d lies outside of %d x %d elements", e.A, e.B, e.Raster, e.Raster)
	}
	return nil
}

// makerSearch looks at all pairs of images once.
type makerSearch struct {
	Element
	near   bool
	most   int
	radius float64
	inside func(x, y, r2 float64) bool
	weight func(r2 float64) float64
	// neighbours are the K nearest points, nearest first, ties in the order of the points.
	neighbours []neighbour
	found      Makers
	sum        float64 // of weighted values
}

// neighbour is a point: its squared distance from the element, and its number in the order of
// targets and images.
type neighbour struct {
	r2     float64
	number int
}

func (n neighbour) compare(o neighbour) int {
	return cmp.Or(cmp.Compare(n.r2, o.r2), n.number-o.number)
}

// findNeighbours finds the K nearest points; there are none without K.
func (s *makerSearch) findNeighbours(ctx context.Context, c Cloud) error {
	number := 0
	for _, distances := range c.Distances {
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, x := range distances {
			for _, y := range distances {
				s.offer(neighbour{s.apart2(s.pixels(c, x), s.pixels(c, y)), number})
				number++
			}
		}
	}
	return nil
}

// offer takes a point in where it is among the nearest so far. Points are offered in their order.
func (s *makerSearch) offer(n neighbour) {
	k := len(s.neighbours)
	if k == s.By.K && (k == 0 || n.r2 >= s.neighbours[k-1].r2) {
		return
	}
	at, _ := slices.BinarySearchFunc(s.neighbours, n, neighbour.compare)
	s.neighbours = slices.Insert(s.neighbours, at, n)
	s.neighbours = s.neighbours[:min(len(s.neighbours), s.By.K)]
}

// isNeighbour tells whether a point is among the K nearest.
func (s *makerSearch) isNeighbour(n neighbour) bool {
	k := len(s.neighbours)
	return k > 0 && n.compare(s.neighbours[k-1]) <= 0
}

// pixels is where a distance lies on an axis, from its edge: to the bit where the pictures and
// Interpolate have it, so that the same points lie within pixels and circles.
func (s *makerSearch) pixels(c Cloud, d float64) float64 {
	if s.By == (Interpolant{}) {
		return onPicture(d, c.D, s.Raster)
	}
	return onRaster(d, c.D, s.Raster)
}

func (s *makerSearch) inCircle(_, _, r2 float64) bool { return r2 <= float64(s.radius*s.radius) }

// inPixel compares as Density does: the end of an axis belongs to its last pixel.
func (s *makerSearch) inPixel(x, y, _ float64) bool {
	column, row := min(int(x), s.Raster-1), min(int(y), s.Raster-1)
	return column == s.A && row == s.B
}

func (s *makerSearch) run(ctx context.Context, c Cloud) error {
	first := 0 // the number of the target's first point
	for t, distances := range c.Distances {
		if err := ctx.Err(); err != nil {
			return err
		}
		for i := range distances {
			for j := i; j < len(distances); j++ {
				s.pair(c, first, t, i, j)
			}
		}
		first += len(distances) * len(distances)
	}
	return nil
}

// pair takes in the one or two points of a pair of images.
func (s *makerSearch) pair(c Cloud, first, t, i, j int) {
	m := len(c.Distances[t])
	x, y := s.pixels(c, c.Distances[t][i]), s.pixels(c, c.Distances[t][j])
	there, back := s.apart2(x, y), s.apart2(y, x)
	weight, makes := s.point(x, y, neighbour{there, first + i*m + j})
	if i != j {
		more, mirror := s.point(y, x, neighbour{back, first + j*m + i})
		weight, makes = weight+more, makes || mirror
	}
	if makes {
		s.take(c, t, i, j, weight, there, back)
	}
}

// point is the weight of one point, and whether it has any part.
func (s *makerSearch) point(x, y float64, n neighbour) (weight float64, makes bool) {
	if s.inside(x, y, n.r2) {
		weight, makes = s.weight(n.r2), true
		s.found.Points++
	}
	if s.isNeighbour(n) {
		weight, makes = weight+1/float64(len(s.neighbours)), true
	}
	return weight, makes
}

// take lists a pair whose points lie there and back, squared, from the element.
func (s *makerSearch) take(c Cloud, t, i, j int, weight, there, back float64) {
	m := Maker{Target: t, I: i, J: j, Value: c.value(t, i, j), Apart: math.Sqrt(there)}
	if back < there {
		m.I, m.J, m.Apart = j, i, math.Sqrt(back)
	}
	m.X, m.Y = c.Distances[t][m.I], c.Distances[t][m.J]
	m.Share = float64(weight * m.Value)
	s.sum += m.Share
	if s.found.List = append(s.found.List, m); len(s.found.List) >= 8*s.most {
		s.cut()
	}
}

// apart2 is the squared distance of a point from the element's centre, in pixels; the point's
// coordinates have their origin at the edge.
func (s *makerSearch) apart2(x, y float64) float64 {
	dx, dy := x-0.5-float64(s.A), y-0.5-float64(s.B)
	return float64(dx*dx) + float64(dy*dy)
}

func (s *makerSearch) cut() {
	slices.SortStableFunc(s.found.List, func(p, q Maker) int {
		if s.near {
			return cmp.Compare(p.Apart, q.Apart)
		}
		return cmp.Or(cmp.Compare(q.Share, p.Share), cmp.Compare(p.Apart, q.Apart))
	})
	s.found.List = s.found.List[:min(len(s.found.List), s.most)]
}
