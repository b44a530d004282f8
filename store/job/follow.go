package job

import (
	"context"
	"time"

	"github.com/variscope/variscope/engine"
)

// Follow waits for a run to end and shows its course five times a second.
func Follow(ctx context.Context, eng *engine.Engine, id string, show func(engine.Status)) (engine.Status, error) {
	ended := make(chan struct{})
	drawn := make(chan struct{})
	go func() {
		defer close(drawn)
		ticker := time.NewTicker(200 * time.Millisecond)
		defer ticker.Stop()
		for {
			select {
			case <-ended:
				return
			case <-ticker.C:
			}
			for _, status := range eng.Snapshot() {
				if status.ID == id {
					show(status)
				}
			}
		}
	}()
	status, err := eng.Wait(ctx, id)
	close(ended)
	<-drawn
	return status, err
}
