package widget

import (
	"math"

	"fyne.io/fyne/v2"
)

// arrowOf is the direction on the screen that an arrow key means, 0, 0 for another key.
func arrowOf(key fyne.KeyName) (dx, dy float32) {
	switch key {
	case fyne.KeyLeft:
		return -1, 0
	case fyne.KeyRight:
		return 1, 0
	case fyne.KeyUp:
		return 0, -1
	case fyne.KeyDown:
		return 0, 1
	}
	return 0, 0
}

// onward is which of n places an arrow key goes to from one: that for which the way along the
// direction and twice the way across it are shortest, -1 where there is none. place tells where one
// is, ok whether it counts.
func onward(n int, from fyne.Position, dx, dy float32, place func(k int) (at fyne.Position, ok bool)) int {
	best, least := -1, float32(math.Inf(1))
	for k := range n {
		at, ok := place(k)
		if !ok {
			continue
		}
		x, y := at.X-from.X, at.Y-from.Y
		along, across := x*dx+y*dy, float32(math.Abs(float64(x*dy+y*dx)))
		if along > 0 && along+2*across < least {
			best, least = k, along+2*across
		}
	}
	return best
}
