package cluster

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// names are what the streams, objects and subjects of a space are called.
type names string

func (n names) units() string         { return "VS_" + string(n) + "_UNITS" }
func (n names) results() string       { return "VS_" + string(n) + "_RESULTS" }
func (n names) modelObjects() string  { return "vs-" + string(n) + "-models" }
func (n names) imageObjects() string  { return "vs-" + string(n) + "-images" }
func (n names) resultObjects() string { return "vs-" + string(n) + "-results" }

func (n names) subject(parts ...string) string {
	return "vs." + string(n) + "." + strings.Join(parts, ".")
}

// unit is the subject of a unit's order.
func (n names) unit(kind, key string) string { return n.subject("units", kind, key) }

// result is the subject of a notice that a worker has brought a unit.
func (n names) result(key, worker string) string { return n.subject("results", key, worker) }

// The kinds of orders, and the consumers that deliver them.
const (
	pure  = "pure"
	mixed = "mixed"
)

// last is the last part of a subject: a unit's key, a worker's id.
func last(subject string) string { return subject[strings.LastIndexByte(subject, '.')+1:] }

// lastTwo are the last two parts of a subject: a unit's key and a worker's id.
func lastTwo(subject string) (first, second string) {
	second = last(subject)
	return last(strings.TrimSuffix(subject, "."+second)), second
}

// A space and the id of a worker are parts of subjects.
var plainName = regexp.MustCompile(`^[a-z0-9]{1,40}$`)

func checkSpace(space string) error {
	if !plainName.MatchString(space) {
		return fmt.Errorf("%q is no name of a space; it has 1 to 40 lower-case letters and digits", space)
	}
	return nil
}

// Pace are the times after which something is taken to have gone wrong. Zero values are the defaults.
type Pace struct {
	Beat    time.Duration // between two signs of life of a worker: 2 s
	AckWait time.Duration // without a sign of life of a unit it goes to somebody else: 30 s
}

// lostBeats is how many signs of life a worker may miss before it counts as lost.
const lostBeats = 5

func (p Pace) orDefault() Pace {
	if p.Beat <= 0 {
		p.Beat = 2 * time.Second
	}
	if p.AckWait <= 0 {
		p.AckWait = 30 * time.Second
	}
	return p
}

// retry is how long somebody waits who could not be served.
func (p Pace) retry() time.Duration { return min(p.Beat, retryTime) }

// lost tells whether somebody who was seen then is taken for lost now.
func (p Pace) lost(seen, now time.Time) bool { return now.Sub(seen) > lostBeats*p.Beat }
