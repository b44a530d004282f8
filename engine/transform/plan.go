package transform

import "fmt"

// maxPlanBytes bounds the tap tables of one Plan.
const maxPlanBytes = 2 << 30

// Plan holds everything that a family needs for images of one size: a table of taps per transformation. It never
// changes after Family.Plan and is shared by any number of goroutines.
type Plan struct {
	height, width int
	identity      int
	values        []float64
	pixels        func(dst, src []float32, value float64) // nil for geometric families
	tables        []table                                 // empty for families that are not geometric
}

// Plan computes the tables for images of height x width pixels. It is an error when a side is below 1 or the tables
// would take more than 2 GiB.
func (f Family) Plan(height, width int) (*Plan, error) {
	if height < 1 || width < 1 || height > 1<<15 || width > 1<<15 {
		return nil, fmt.Errorf("family %s: images of %d x %d pixels cannot be transformed; sides from 1 to %d are possible", f.Short(), height, width, 1<<15)
	}
	if f.name == "" {
		return nil, fmt.Errorf("no family of transformations is chosen")
	}
	k := f.kind()
	p := &Plan{height: height, width: width, identity: f.Identity(), values: f.Values(), pixels: k.pixels}
	if !k.geometric() {
		return p, nil
	}
	if bytes := int64(f.N()) * int64(height) * int64(width) * tapBytes(f.interpolation); bytes > maxPlanBytes {
		return nil, fmt.Errorf("family %s: %d transformations of %d x %d pixels need more than 2 GiB of tables; use a smaller input size or fewer transformations",
			f.Short(), f.N(), height, width)
	}
	g := grid{height: height, width: width, cy: float64(height-1) / 2, cx: float64(width-1) / 2}
	p.tables = make([]table, f.N())
	for i := range p.tables {
		if i != p.identity {
			p.tables[i] = newTable(g, k.source(p.values[i], g), f.interpolation, f.border)
		}
	}
	return p, nil
}

// N is the number of transformations.
func (p *Plan) N() int { return len(p.values) }

// Size is the image size that the plan is for.
func (p *Plan) Size() (height, width int) { return p.height, p.width }

// Identity is the index of the identity.
func (p *Plan) Identity() int { return p.identity }

// Apply writes image src under transformation i to dst. Both hold channels x height x width numbers (longer slices are
// cut) and must not overlap. The identity copies the bytes. Nothing is allocated. Slices that are too short or an i out
// of range are the caller's error and panic.
func (p *Plan) Apply(dst, src []float32, channels, i int) { p.ApplyBatch(dst, src, channels, 1, i) }

// ApplyBatch is Apply for several images that lie one behind the other in src and dst. The result has the same bits as
// Apply for each image, but takes less time: the tables are read once for four planes.
func (p *Plan) ApplyBatch(dst, src []float32, channels, images, i int) {
	area := p.height * p.width
	dst, src = dst[:images*channels*area], src[:images*channels*area]
	switch {
	case i == p.identity:
		copy(dst, src)
	case p.pixels != nil:
		for size := channels * area; len(src) > 0; dst, src = dst[size:], src[size:] {
			p.pixels(dst[:size], src[:size], p.values[i])
		}
	default:
		p.tables[i].apply(dst, src, area, p.width)
	}
}
