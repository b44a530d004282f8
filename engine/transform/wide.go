package transform

import "slices"

// Where the processor can, eight planes are laid pixel by pixel side by side, so that one
// instruction does for eight images what the plain loop does for each: the products and sums are
// the same, and so are the bits.

// lanes is how many planes lie side by side.
const lanes = 8

// tray is the room for planes that lie side by side, before and after.
type tray struct{ src, dst []float32 }

// trays are those that nobody uses now, so that nothing is allocated per image. Unlike a
// sync.Pool's they are there for certain; large ones are left to the garbage collector, since what
// lies here stays.
var trays = make(chan *tray, 64)

// largestTray is the most numbers per side of a tray that is kept.
const largestTray = 1 << 20

func takeTray() *tray {
	select {
	case t := <-trays:
		return t
	default:
		return new(tray)
	}
}

func (t *tray) giveBack() {
	if cap(t.src) > largestTray || cap(t.dst) > largestTray {
		return
	}
	select {
	case trays <- t:
	default:
	}
}

// sized is room for n numbers, whatever they are.
func sized(room []float32, n int) []float32 { return slices.Grow(room[:0], n)[:n] }

// sideBySide lays eight planes of area pixels side by side.
func sideBySide(dst, src []float32, area int) {
	grouped := area / 4 * 4
	for k := 0; k < lanes && grouped > 0; k += 4 {
		interleave(&dst[k], &src[k*area], &src[(k+1)*area], &src[(k+2)*area], &src[(k+3)*area], grouped)
	}
	for i := grouped; i < area; i++ {
		for k := range lanes {
			dst[lanes*i+k] = src[k*area+i]
		}
	}
}

// apart undoes sideBySide.
func apart(dst, src []float32, area int) {
	grouped := area / 4 * 4
	for k := 0; k < lanes && grouped > 0; k += 4 {
		separate(&dst[k*area], &dst[(k+1)*area], &dst[(k+2)*area], &dst[(k+3)*area], &src[k], grouped)
	}
	for i := grouped; i < area; i++ {
		for k := range lanes {
			dst[k*area+i] = src[lanes*i+k]
		}
	}
}

// wide says that the table goes faster with planes side by side. It has neither moves nor patches
// then, and its rim is not clipped.
func (t *table) wide() bool { return wideLanes && len(t.squares) > 0 }

// applyWide transforms eight planes of area pixels. ready are those of src side by side; nil lays
// them so first.
func (t *table) applyWide(dst, src, ready []float32, area, width int) {
	if t.reach >= area || t.end >= area {
		panic("transform: table does not fit the image")
	}
	side := takeTray()
	if ready == nil {
		side.src = sized(side.src, lanes*area)
		sideBySide(side.src, src, area)
		ready = side.src
	}
	ready = ready[:lanes*area]
	side.dst = sized(side.dst, lanes*area) // every pixel of it is in one of the three lists
	squareLanes(&side.dst[0], &ready[0], &t.squares[0], len(t.squares), width)
	if len(t.rim.dst) > 0 {
		rimLanes(&side.dst[0], &ready[0], &t.rim.dst[0], &t.rim.first[0], &t.rim.taps[0], len(t.rim.dst))
	}
	for _, i := range t.holes {
		*(*[lanes]float32)(side.dst[lanes*i:]) = [lanes]float32{}
	}
	apart(dst, side.dst, area)
	side.giveBack()
}

// Scale writes src[i]*mul + off to dst[i], which is how pixels are normalised. Multiplication and
// addition round apart, so that all processors give the same bits. dst is at least as long as src.
func Scale(dst, src []float32, mul, off float32) {
	dst = dst[:len(src)]
	done := 0
	if wideLanes && len(src) >= 8 {
		done = len(src) / 8 * 8
		scaleLanes(&dst[0], &src[0], done, mul, off)
	}
	for i := done; i < len(src); i++ {
		dst[i] = float32(src[i]*mul) + off
	}
}
