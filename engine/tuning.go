package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/variscope/variscope/engine/model"
)

// Tuner chooses how models run fast on this computer, where nobody says how. Its choices cost
// nothing but speed when they are bad ones, but the batch is part of a unit's name: it is asked
// before a model's first unit only.
type Tuner interface {
	// Tune returns the choice for a feed whose batch is free and has the default size. inferences
	// is what is going to be computed with it: where measuring takes longer than it can save, the
	// choice is empty. The only error is the end of ctx.
	Tune(ctx context.Context, rt Runtime, feed Feed, architecture string, workers int, inferences int64) (Tuning, error)
}

// Tuning is how a model runs fast. A zero says nothing.
type Tuning struct {
	Batch   int // images per inference
	Workers int // goroutines, where fewer than there could be are better
}

// Batches are the sizes that a Tuner chooses from (DESIGN.md section 2).
func Batches() []int { return []int{16, 32, 64, 128} }

// Architecture names what of a graph matters to its speed: everything but the weights. Models of
// one architecture share a choice.
func Architecture(g model.Graph) string {
	g.Metadata, g.Producer = nil, ""
	text, err := json.Marshal(g)
	if err != nil {
		panic("engine: a graph that JSON cannot hold: " + err.Error()) // it has words and whole numbers only
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
