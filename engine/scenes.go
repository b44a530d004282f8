package engine

import (
	"fmt"

	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
)

// Composer is a Source whose foregrounds can be put on scenes. A run under a set scenes:HASH:N
// needs one (spec/background.md sections 7 and 8).
type Composer interface {
	Source
	// Selection is the hash of the selection whose scenes it has.
	Selection() string
	// Compose writes image i's foreground on its scene t = 1..N into dst: channels x height x width
	// pixels before normalisation, as to says. fitted is image i fitted to the same input. It is
	// safe for many goroutines.
	Compose(dst, fitted []float32, i, t int, to suite.Fitting) error
}

// composerOf is the source as the composer of a set of scenes, nil for every other family. The
// error says that the source has no scenes, or those of another selection.
func composerOf(f transform.Family, source Source) (Composer, error) {
	hash, _, ok := f.Scened()
	if !ok {
		return nil, nil
	}
	composer, ok := source.(Composer)
	if !ok {
		return nil, fmt.Errorf("%s needs the targets of selection %.12s with their masks and scenes; the images of a "+
			"suite alone are not enough", f.Short(), hash)
	}
	if have := composer.Selection(); have != hash {
		return nil, fmt.Errorf("%s needs the scenes of selection %.12s, but those of selection %.12s are opened",
			f.Short(), hash, have)
	}
	return composer, nil
}
