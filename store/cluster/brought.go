package cluster

import (
	"fmt"
	"slices"
	"sync"

	"github.com/nats-io/nats.go/jetstream"
)

// brought are the last orders that a worker has carried out: one that is delivered again, since the answer did not arrive in time, needs no
// second result.
type brought struct {
	mu   sync.Mutex
	list []string
}

// rememberBrought is how many orders are remembered: more than can be under way at a time.
const rememberBrought = 2 * maxAllCores

// placeOf names an order by its unit and its place in the queue: one that was made anew for the same unit has another place.
func placeOf(order jetstream.Msg) string {
	about, err := order.Metadata()
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%s/%d", last(order.Subject()), about.Sequence.Stream)
}

func (b *brought) add(order jetstream.Msg) {
	place := placeOf(order)
	if place == "" {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.list) >= rememberBrought {
		b.list = b.list[1:]
	}
	b.list = append(b.list, place)
}

func (b *brought) has(order jetstream.Msg) bool {
	place := placeOf(order)
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Contains(b.list, place)
}
