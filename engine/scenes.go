package engine

import "github.com/variscope/variscope/engine/suite"

// Composer is a Source whose foregrounds can be put on scenes. A run under a set scenes:HASH:N needs one (spec/background.md sections 7 and 8).
type Composer interface {
	Source
	// Selection is the hash of the selection whose scenes it has.
	Selection() string
	// Compose writes image i's foreground on its scene t = 1..N into dst: channels x height x width pixels before normalisation, as to says. fitted is image i
	// fitted to the same input. It is safe for many goroutines.
	Compose(dst, fitted []float32, i, t int, to suite.Fitting) error
}
