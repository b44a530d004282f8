package cluster

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// names are the subjects of a space.
type names string

func (n names) subject(parts ...string) string {
	return "vs." + string(n) + "." + strings.Join(parts, ".")
}

// from and to are the subjects of what a worker says to the coordinator, and of what it is told.
func (n names) from(worker, what string) string { return n.subject("from", worker, what) }
func (n names) to(worker, what string) string   { return n.subject("to", worker, what) }

// A space and the id of a worker are parts of subjects.
var plainName = regexp.MustCompile(`^[a-z0-9]{1,40}$`)

func checkSpace(space string) error {
	if !plainName.MatchString(space) {
		return fmt.Errorf("%q is no name of a space; it has 1 to 40 lower-case letters and digits", space)
	}
	return nil
}

// Pace are the times after which something is taken to have gone wrong. Zero values are the
// defaults.
type Pace struct {
	Beat    time.Duration // between two signs of life of a worker: 2 s
	AckWait time.Duration // without a sign of life of a unit it goes to somebody else: 30 s
}

// lostBeats is how many signs of life a worker may miss before it counts as lost.
const lostBeats = 5

func (p Pace) orDefault() Pace {
	return Pace{Beat: cmp.Or(max(p.Beat, 0), 2*time.Second), AckWait: cmp.Or(max(p.AckWait, 0), 30*time.Second)}
}

// lost tells whether somebody who was seen then is taken for lost now.
func (p Pace) lost(seen, now time.Time) bool { return now.Sub(seen) > lostBeats*p.Beat }
