package transform

import (
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine/region"
)

// The bounds of one Plan: bytes of its tap tables, pixels of a side.
const (
	maxPlanBytes = 2 << 30
	maxSide      = 1 << 15
)

// Plan holds everything that a family or set needs for images of one size: a table of taps per
// transformation. It never changes after Family.Plan and is shared by any number of goroutines.
type Plan struct {
	height, width int
	count         int
	identity      int
	values        []float64                                       // nil for sets
	set           func(dst, src []float32, size imageSize, i int) // nil for families
	pixels        func(dst, src []float32, value float64)         // nil for geometric families
	tables        []table                                         // empty for families that are not geometric
}

// Plan computes the tables for images of height x width pixels. The errors are those of Fits;
// channels count only when the plan is applied.
func (f Family) Plan(height, width int) (*Plan, error) {
	if err := f.Fits(3, height, width); err != nil {
		return nil, err
	}
	k := f.kind()
	p := &Plan{height: height, width: width, count: f.N(), identity: f.Identity(), values: f.Values(), pixels: k.pixels}
	if s, ok := setOf(f.name); ok {
		p.set = s.apply
		if f.name == ShiftSet {
			shifter, err := region.NewShifter(height, width, f.regions.n, f.regions.t)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f, err)
			}
			p.set = func(dst, src []float32, size imageSize, i int) { shifter.Apply(dst, src, size.channels, i) }
		}
		return p, nil
	}
	if !k.geometric() {
		return p, nil
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

// Size is the image size that the plan is for.
func (p *Plan) Size() (height, width int) { return p.height, p.width }

// Apply writes image src under transformation i to dst. Both hold channels x height x width numbers
// (longer slices are cut) and must not overlap. The identity copies the bytes. Nothing is
// allocated. Slices that are too short, an i out of range, or channels that Family.Fits refuses are
// the caller's error and panic.
func (p *Plan) Apply(dst, src []float32, channels, i int) { p.ApplyBatch(dst, src, channels, 1, i) }

// ApplyBatch is Apply for several images that lie one behind the other in src and dst. The result
// has the same bits as Apply for each image, but takes less time: the tables are read once for up
// to eight planes.
func (p *Plan) ApplyBatch(dst, src []float32, channels, images, i int) {
	p.ApplyReady(dst, src, nil, channels, images, i)
}

// Ready lays images as most geometric transformations read them soonest, in room if that is large
// enough; nil where nothing is to be gained. ApplyReady takes what stands for its images: as many
// numbers from the same place on, which is that of a multiple of ReadyImages.
func (p *Plan) Ready(room, src []float32, channels, images int) []float32 {
	if !slices.ContainsFunc(p.tables, func(t table) bool { return t.wide() }) {
		return nil
	}
	area := p.height * p.width
	room = sized(room, images*channels*area)
	for at := 0; at+lanes*area <= len(room); at += lanes * area {
		sideBySide(room[at:], src[at:], area)
	}
	return room
}

// ReadyImages is the number of images that Ready lays together.
const ReadyImages = lanes

// ApplyReady is ApplyBatch for images that Ready has laid; ready may be nil.
func (p *Plan) ApplyReady(dst, src, ready []float32, channels, images, i int) {
	area := p.height * p.width
	dst, src = dst[:images*channels*area], src[:images*channels*area]
	switch {
	case i == p.identity:
		copy(dst, src)
	case i < 0 || i >= p.count:
		panic(fmt.Sprintf("transform: no transformation %d among %d", i, p.count))
	case p.set != nil:
		one := imageSize{channels, p.height, p.width}
		for size := channels * area; len(src) > 0; dst, src = dst[size:], src[size:] {
			p.set(dst[:size], src[:size], one, i)
		}
	case p.pixels != nil:
		for size := channels * area; len(src) > 0; dst, src = dst[size:], src[size:] {
			p.pixels(dst[:size], src[:size], p.values[i])
		}
	default:
		p.tables[i].apply(dst, src, ready, area, p.width)
	}
}
