//go:build unix

package cluster

import (
	"context"

	"github.com/variscope/variscope/engine"
)

// Work implements engine.Runtime.
func (r *instant) Work(ctx context.Context, n int, next engine.Next) { engine.Work(ctx, r, n, next) }

// Rows implements engine.Runtime.
func (r *instant) Rows(ctx context.Context, o engine.Rows, s engine.Source, each func(int, []float64) error) error {
	return engine.InProcess{Library: r}.Rows(ctx, o, s, each)
}

// Rate implements engine.Runtime.
func (r *instant) Rate(ctx context.Context, feed engine.Feed, seconds float64) (float64, error) {
	return engine.InProcess{Library: r}.Rate(ctx, feed, seconds)
}
