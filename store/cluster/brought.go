package cluster

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// brought are the last orders that a worker has carried out: one that is delivered again, since the answer did not arrive in time, needs no
// second result.
type brought struct {
	mu   sync.Mutex
	list []carriedOut
}

type carriedOut struct {
	unit  string
	place string // of the order
	at    time.Time
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
	b.list = append(b.list, carriedOut{last(order.Subject()), place, time.Now()})
}

// has tells whether this very order was carried out.
func (b *brought) has(order jetstream.Msg) bool {
	place := placeOf(order)
	return b.any(func(c carriedOut) bool { return c.place == place })
}

// lately tells whether another order of the same unit was: its result may not have been taken yet.
func (b *brought) lately(order jetstream.Msg, within time.Duration) bool {
	unit := last(order.Subject())
	return b.any(func(c carriedOut) bool { return c.unit == unit && time.Since(c.at) < within })
}

func (b *brought) any(is func(carriedOut) bool) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.ContainsFunc(b.list, is)
}
