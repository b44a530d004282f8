package docs

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
)

// The costs that scale.md has measured, in seconds: per unit, per byte of a result, per byte that
// is sent. Of the cores one is a worker's, and deskCores are the coordinator's.
const (
	desk, byteTaken, byteSent = 0.003, 4.3e-9, 1.5e-9
	crew, gap                 = 0.002, 0.0002
	deskCores                 = 2
	gigabit                   = 117e6 // bytes per second of a link of 1 Gbit/s
)

// study is a run: what its models do per second on one core, the seconds that opening one takes,
// and the bytes of a model, of the images of a unit and of its result.
type study struct {
	name                                                     string
	models, images, transformations, rate, open, model, pack float64
}

const resultBytes = 1.14e6

// place is who computes: workers with one core each, of which together share a computer, behind a
// link of so many bytes per second. Where units are spread they go to whoever is free.
type place struct {
	workers, together, link float64
	spread                  bool
}

// outcome is how long a study takes: the longest of its first four parts, in seconds.
type outcome struct {
	computing, desk, out, in    float64
	ideal, sent, taken, fetches float64
}

func (o outcome) total() float64 { return max(o.computing, o.desk, o.out, o.in) }

func (o outcome) bound() string {
	switch o.total() {
	case o.computing:
		return "workers"
	case o.desk:
		return "coordinator's processor"
	case o.out:
		return "link, models"
	}
	return "link, results"
}

// predict is the formula of scale.md.
func predict(s study, p place) outcome {
	chunks, computers := math.Ceil(s.images/256), math.Ceil(p.workers/p.together)
	o := outcome{fetches: min(computers, chunks)}
	if !p.spread {
		o.fetches = min(o.fetches, max(1, computers/s.models))
	}
	units, inference := s.models*chunks, 256*s.transformations/s.rate
	o.computing = math.Ceil(units/p.workers)*(inference+crew+gap) + s.models*o.fetches*s.open/p.workers
	o.ideal = units * inference / p.workers
	o.sent = s.models*o.fetches*s.model + computers*min(chunks, units/computers)*s.pack
	o.desk = (units*(desk+byteTaken*resultBytes) + o.sent*byteSent) / deskCores
	o.taken = units * resultBytes
	o.out, o.in = o.sent/p.link, o.taken/p.link
	return o
}

// papers are runs of the paper's size with models of two sizes. How long the larger one takes to
// open is an estimate from a network of half its width.
var papers = []study{
	{"VGG-13, 37.6 MB, 300 images/s on a core", 600, 10_000, 31, 300, 0.5, 37.6e6, 0.79e6},
	{"CNN5, 67 kB, 68,000 images/s on a core", 600, 10_000, 31, 68_000, 0.06, 66.8e3, 0.20e6},
}

func TestPredict(t *testing.T) {
	easy := study{"", 10, 2560, 31, 7936, 0.5, 1e6, 1e5} // 100 units of a second and crew and gap
	for _, test := range []struct {
		place
		rounds, opening, fetches, sent float64
		bound                          string
	}{
		{place{4, 1, 1e7, true}, 25, 5, 4, 44e6, "workers"},
		{place{50, 1, 1e7, true}, 2, 1, 10, 110e6, "link, results"},
		{place{4, 4, 1e7, true}, 25, 1.25, 1, 11e6, "workers"},
		{place{50, 1, 1e7, false}, 2, 0.5, 5, 60e6, "link, results"},
		{place{3, 1, 1e7, true}, 34, 5, 3, 33e6, "workers"},
	} {
		o := predict(easy, test.place)
		computing := test.rounds*(1+crew+gap) + test.opening
		if math.Abs(o.computing-computing) > 1e-9 || o.fetches != test.fetches || math.Abs(o.sent-test.sent) > 1 ||
			o.bound() != test.bound || o.taken != 114e6 {
			t.Errorf("%+v: %+v, waits for %s", test.place, o, o.bound())
		}
	}
}

// TestTheTablesOfScale holds the tables of scale.md to the formula with what was measured.
func TestTheTablesOfScale(t *testing.T) {
	data, err := os.ReadFile("scale.md")
	if err != nil {
		t.Fatal(err)
	}
	has := func(format string, args ...any) {
		if line := fmt.Sprintf(format, args...); !strings.Contains(string(data), line) {
			t.Errorf("scale.md lacks: %s", line)
		}
	}
	lan := func(n float64) place { return place{workers: n, together: 1, link: gigabit} }
	for _, n := range []float64{1, 10, 100, 1000} {
		name := strings.Replace(fmt.Sprint(n), "1000", "1,000", 1)
		for _, s := range papers {
			o := predict(s, lan(n))
			has("\n%s:\n", s.name)
			has("| %s | %s | %.0f %% | %s | %s | %s | %.1f GB, %s | %.1f GB, %s | %s |", name, span(o.total()),
				100*o.ideal/o.total(), o.bound(), span(o.computing), span(o.desk), o.sent/1e9, span(o.out), o.taken/1e9,
				span(o.in), flow(o.taken/o.total()))
		}
		row := "| " + name
		for _, p := range []place{lan(n), {n, 1, gigabit, true}, {n, 16, gigabit, true}, {n, 1, 10 * gigabit, false}} {
			o := predict(papers[0], p)
			row += fmt.Sprintf(" | %s (%.0f %%), %s", span(o.total()), 100*o.ideal/o.total(), o.bound())
		}
		has("%s |", row)
	}
}

// span words seconds.
func span(s float64) string {
	switch {
	case s < 99.5:
		return fmt.Sprintf("%.0f s", s)
	case s < 99.5*60:
		return fmt.Sprintf("%.0f min", s/60)
	case s < 99.5*3600:
		return fmt.Sprintf("%.1f h", s/3600)
	}
	return fmt.Sprintf("%.1f days", s/86400)
}

// flow words bytes per second.
func flow(b float64) string {
	if b < 1e5 {
		return fmt.Sprintf("%.0f kB/s", b/1e3)
	}
	return fmt.Sprintf("%.1f MB/s", b/1e6)
}
