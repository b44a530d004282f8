package transform

// Where the processor can, four planes are laid pixel by pixel side by side, so that one instruction does for four images what the plain
// loop does for each: the products and sums are the same, and so are the bits.

// tray is the room for four planes that lie side by side, before and after.
type tray struct{ src, dst []float32 }

// trays are those that nobody uses now, so that nothing is allocated per image. Unlike a sync.Pool's they are there for certain; large
// ones are left to the garbage collector, since what lies here stays.
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
	if cap(t.src) > largestTray {
		return
	}
	select {
	case trays <- t:
	default:
	}
}

// size makes room for planes of area pixels.
func (t *tray) size(area int) {
	if n := 4 * area; cap(t.src) < n {
		t.src, t.dst = make([]float32, n), make([]float32, n)
	} else {
		t.src, t.dst = t.src[:n], t.dst[:n]
	}
}

// squaresWide is squares4 for whole planes: every pixel of dst is written, those of no square with what the tray happens to hold, or
// with zeros where the table has holes.
func (t *table) squaresWide(dst, src *four, width int) {
	area := len(src[0])
	if t.squareReach+width+1 >= area || t.squareEnd >= area {
		panic("transform: table does not fit the image")
	}
	side := takeTray()
	side.size(area)
	if t.holes {
		clear(side.dst)
	}
	grouped := area / 4 * 4
	if grouped > 0 {
		interleave(&side.src[0], &src[0][0], &src[1][0], &src[2][0], &src[3][0], grouped)
	}
	for i := grouped; i < area; i++ {
		for k := range 4 {
			side.src[4*i+k] = src[k][i]
		}
	}
	squareLanes(&side.dst[0], &side.src[0], &t.squares[0], len(t.squares), width)
	if grouped > 0 {
		separate(&dst[0][0], &dst[1][0], &dst[2][0], &dst[3][0], &side.dst[0], grouped)
	}
	for i := grouped; i < area; i++ {
		for k := range 4 {
			dst[k][i] = side.dst[4*i+k]
		}
	}
	side.giveBack()
}

// Scale writes src[i]*mul + off to dst[i], which is how pixels are normalised. Multiplication and addition round apart, so that all
// processors give the same bits. dst is at least as long as src.
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
