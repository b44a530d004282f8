package scatter

import (
	"context"
	"math"
	"slices"
)

// largestGrid is the most cells along a side of the grid index; some eight points to a cell are
// wanted below it.
const largestGrid = 256

// grid is an index of points: which lie in which cell. Cells are squares of the same size over the
// whole raster.
type grid struct {
	points
	cells int
	size  float64 // of a cell, in pixels
	start []int   // per cell, row by row: where its points begin in items; one more at the end
	items []pair  // points by cell, ascending in each
}

// pair is a point: its column image and its row image, as indices into points.at. Points are
// ordered by i, then j.
type pair struct{ i, j uint32 }

// before is the order of points in the cloud.
func (p pair) before(o pair) bool { return p.i < o.i || p.i == o.i && p.j < o.j }

func newGrid(p points) *grid {
	g := &grid{points: p, cells: min(max(int(math.Sqrt(float64(p.count())/8)), 1), largestGrid)}
	g.size = float64(p.raster) / float64(g.cells)
	column := make([]int, len(p.at))
	for i, x := range p.at {
		column[i] = g.cell(x)
	}
	g.start = make([]int, g.cells*g.cells+1)
	g.each(column, func(cell int, _ pair) { g.start[cell+1]++ })
	for c := range g.cells * g.cells {
		g.start[c+1] += g.start[c]
	}
	g.items = make([]pair, p.count())
	at := slices.Clone(g.start)
	g.each(column, func(cell int, point pair) {
		g.items[at[cell]] = point
		at[cell]++
	})
	return g
}

// each calls do for every point, ascending, with the cell that it lies in.
func (g *grid) each(column []int, do func(cell int, point pair)) {
	for i, x := range column {
		first := i / g.m * g.m // the target's first image
		for j, y := range column[first : first+g.m] {
			do(y*g.cells+x, pair{uint32(i), uint32(first + j)})
		}
	}
}

// cell is the row or column of cells of a position; what lies beside the raster counts to its edge.
func (g *grid) cell(x float64) int { return min(max(int((x+0.5)/g.size), 0), g.cells-1) }

// edge is the position where the row or column c of cells begins.
func (g *grid) edge(c int) float64 { return float64(float64(c)*g.size) - 0.5 }

// nearest are the plain means of the values of the k points nearest to each element, for every k of
// the list; nil for k = 0. With fewer points than k it is the mean of all.
func (p points) nearest(ctx context.Context, list []int, workers int) ([][]float64, error) {
	means := make([][]float64, len(list))
	for n, k := range list {
		if k > 0 {
			means[n] = make([]float64, p.raster*p.raster)
		}
	}
	most := min(slices.Max(append([]int{0}, list...)), p.count())
	if most == 0 {
		return means, ctx.Err()
	}
	g := newGrid(p)
	share(workers, p.raster, func(next func() (int, bool)) {
		s := search{grid: g, most: most}
		for b, ok := next(); ok && ctx.Err() == nil; b, ok = next() {
			for a := range p.raster {
				s.run(float64(a), float64(b))
				for n, k := range list {
					if k > 0 {
						means[n][b*p.raster+a] = s.mean(min(k, most))
					}
				}
			}
		}
	})
	return means, ctx.Err()
}

// found is a point at a squared distance.
type found struct {
	distance2 float64
	pair
}

// before is the order of nearness: ties go to the lower point index.
func (f found) before(o found) bool {
	return f.distance2 < o.distance2 || f.distance2 == o.distance2 && f.pair.before(o.pair)
}

// search finds the nearest points of one element after the other.
type search struct {
	*grid
	most int
	a, b float64
	heap []found // the nearest so far, the farthest of them on top
}

// run finds the nearest points of an element: ring by ring of cells around it, until no cell of a
// ring can hold a nearer one.
func (s *search) run(a, b float64) {
	s.a, s.b, s.heap = a, b, s.heap[:0]
	column, line := s.cell(a), s.cell(b)
	for ring := range s.cells {
		if len(s.heap) == s.most && s.beyond(column, line, ring) {
			break
		}
		for _, y := range []int{line - ring, line + ring} {
			for x := column - ring; x <= column+ring; x++ {
				s.visit(x, y)
			}
			if ring == 0 {
				break
			}
		}
		for y := line - ring + 1; y < line+ring; y++ {
			s.visit(column-ring, y)
			s.visit(column+ring, y)
		}
	}
	slices.SortFunc(s.heap, func(p, q found) int {
		if p.before(q) {
			return -1
		}
		return 1
	})
}

// beyond tells whether a ring lies farther off than all that was found; the slack covers the
// rounding of edges.
func (s *search) beyond(column, line, ring int) bool {
	if ring == 0 {
		return false
	}
	gap := min(s.a-s.edge(column-ring+1), s.edge(column+ring)-s.a, s.b-s.edge(line-ring+1), s.edge(line+ring)-s.b)
	return gap > 0 && float64(gap*gap) > s.heap[0].distance2*(1+1e-9)+1e-9
}

// visit looks at the points of a cell, if there is such a cell and it is near enough.
func (s *search) visit(x, y int) {
	if x < 0 || y < 0 || x >= s.cells || y >= s.cells {
		return
	}
	cell := y*s.cells + x
	items := s.items[s.start[cell]:s.start[cell+1]]
	if len(items) == 0 || len(s.heap) == s.most && s.far(x, y) {
		return
	}
	for _, point := range items {
		dx, dy := s.at[point.i]-s.a, s.at[point.j]-s.b
		s.take(found{float64(dx*dx) + float64(dy*dy), point})
	}
}

// far tells whether a cell lies farther off than all that was found.
func (s *search) far(x, y int) bool {
	dx := max(s.edge(x)-s.a, s.a-s.edge(x+1), 0)
	dy := max(s.edge(y)-s.b, s.b-s.edge(y+1), 0)
	return float64(dx*dx)+float64(dy*dy) > s.heap[0].distance2*(1+1e-9)+1e-9
}

// take keeps a point if it is among the nearest.
func (s *search) take(f found) {
	if len(s.heap) < s.most {
		s.heap = append(s.heap, f)
		for k := len(s.heap) - 1; k > 0 && s.heap[(k-1)/2].before(s.heap[k]); k = (k - 1) / 2 {
			s.heap[k], s.heap[(k-1)/2] = s.heap[(k-1)/2], s.heap[k]
		}
		return
	}
	if !f.before(s.heap[0]) {
		return
	}
	s.heap[0] = f
	for k := 0; ; {
		farther := 2*k + 1
		if farther >= len(s.heap) {
			return
		}
		if right := farther + 1; right < len(s.heap) && s.heap[farther].before(s.heap[right]) {
			farther = right
		}
		if !s.heap[k].before(s.heap[farther]) {
			return
		}
		s.heap[k], s.heap[farther] = s.heap[farther], s.heap[k]
		k = farther
	}
}

// mean is that of the values of the k nearest.
func (s *search) mean(k int) float64 {
	sum := 0.0
	for _, f := range s.heap[:k] {
		t := int(f.i) / s.m
		sum += s.value(t, int(f.i)-t*s.m, int(f.j)-t*s.m)
	}
	return sum / float64(k)
}
