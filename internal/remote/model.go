package main

import (
	"fmt"
	"math"
	"strings"
)

// costs are what a unit costs beside its inferences, in seconds; measured.
type costs struct {
	desk   float64 // processor time of the coordinator with its server: hand out, take in, check, keep
	byte   float64 // the same per byte of the result
	send   float64 // the same per byte of a model or pack that is sent
	worker float64 // processor time of the worker: fetch the order, open the images, encode, bring
	// between the last inference of a unit and the first one of the next, on a network that takes
	// no time
	gap   float64
	trips float64 // round trips in that gap
}

// kept is the coordinator's processor time for a unit of a study.
func (c costs) kept(s study) float64 { return c.desk + c.byte*s.result }

// study is a run to be computed.
type study struct {
	name                            string
	models, images, transformations int
	rate                            float64 // inferences per second on one core
	// seconds per model and worker: a trial run in a child process, and opening it
	open                float64
	model, pack, result float64 // bytes: of a model, of the images of a unit, of its result
}

// place is who computes it.
type place struct {
	workers   int     // with one core each
	together  int     // workers that share a computer and its cache
	deskCores int     // of the coordinator
	link      float64 // bytes per second, of the coordinator, in each direction
	trip      float64 // seconds of a round trip
	spread    bool    // units go to whoever is free, and not to the worker that has their model
}

// outcome says how long a study takes, in seconds: the longest of the parts, which go on at the
// same time.
type outcome struct {
	computing, desk, out, in float64
	sent, taken              float64 // bytes
	ideal                    float64 // inferences alone, on so many cores
	fetches                  float64 // of each model
}

// total is when the run ends.
func (o outcome) total() float64 { return max(o.computing, o.desk, o.out, o.in) }

// bound names what the run waits for.
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

const unitImages = 256

// chunks are the units of one model.
func (s study) chunks() float64 { return math.Ceil(float64(s.images) / unitImages) }

// predict works out a study at a place.
//
//	C = ceil(images/256)                      units of a model
//	computers = ceil(workers/together)
//	F = min(C, max(1, computers/models))      fetches of each model; min(C, computers) where
//	                                          its units do not stay together
//	unit  = 256 T / rate + crew + gap + trips trip
//	computing = ceil(models C / workers) unit + models F open / workers
//	sent  = models F model + computers min(C, models C / computers) pack, in bytes
//	desk  = (models C (desk + byte result) + sent send) / deskCores
//	out   = sent / link
//	in    = models C result / link
//	time  = max(computing, desk, out, in)
func predict(s study, c costs, p place) outcome {
	n, models, chunks := float64(p.workers), float64(s.models), s.chunks()
	computers := math.Ceil(n / float64(p.together))
	o := outcome{fetches: min(computers, chunks)}
	if !p.spread {
		o.fetches = min(o.fetches, max(1, computers/models))
	}
	inference := unitImages * float64(s.transformations) / s.rate
	unit := inference + c.worker + c.gap + c.trips*p.trip
	o.computing = math.Ceil(models*chunks/n)*unit + models*o.fetches*s.open/n
	o.ideal = models * chunks * inference / n
	o.sent = models*o.fetches*s.model + computers*min(chunks, models*chunks/computers)*s.pack
	o.desk = (models*chunks*c.kept(s) + o.sent*c.send) / float64(p.deskCores)
	o.taken = models * chunks * s.result
	o.out, o.in = o.sent/p.link, o.taken/p.link
	return o
}

// paper are the studies of docs/scale.md: the paper's numbers with models of two sizes. The larger
// one is known by its size and speed only; its open is an estimate from that of a network of half
// its width, 0.3 s.
func paper() []study {
	return []study{
		{"VGG-13, 37.6 MB, 300 images/s on a core", 600, 10_000, 31, 300, 0.5, 37.6e6, 0.79e6, 1.14e6},
		{"CNN5, 67 kB, 68,000 images/s on a core", 600, 10_000, 31, 68_000, 0.06, 66.8e3, 0.20e6, 1.14e6},
	}
}

// tables are those of docs/scale.md: the paper's run, and other ways to do it.
func tables() []string { return []string{paperRuns(), remedies()} }

// paperRuns are the studies as they would go.
func paperRuns() string {
	var text strings.Builder
	for _, s := range paper() {
		fmt.Fprintf(&text, "%s:\n\n", s.name)
		text.WriteString("| workers | time | of the ideal | waits for | computing | coordinator's processor | models " +
			"and images out | results in | disk |\n")
		text.WriteString("| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n")
		for _, n := range []int{1, 10, 100, 1000} {
			o := predict(s, measured, lan(n))
			fmt.Fprintf(&text, "| %s | %s | %s | %s | %s | %s | %s, %s | %s, %s | %s |\n",
				thousands(n), span(o.total()), percent(o.ideal/o.total()), o.bound(), span(o.computing), span(o.desk),
				volume(o.sent), span(o.out), volume(o.taken), span(o.in), flow(o.taken/o.total()))
		}
		text.WriteString("\n")
	}
	return text.String()
}

// remedies are the time of the first study in other ways to hand its units out.
func remedies() string {
	var text strings.Builder
	text.WriteString("| workers | as it is | units to whoever is free | the same, 16 workers to a computer | as it " +
		"is, 10 Gbit/s |\n")
	text.WriteString("| --- | --- | --- | --- | --- |\n")
	for _, n := range []int{1, 10, 100, 1000} {
		fmt.Fprintf(&text, "| %s", thousands(n))
		for _, change := range []func(*place){
			func(*place) {},
			func(p *place) { p.spread = true },
			func(p *place) { p.spread, p.together = true, 16 },
			func(p *place) { p.link *= 10 },
		} {
			p := lan(n)
			change(&p)
			o := predict(paper()[0], measured, p)
			fmt.Fprintf(&text, " | %s (%s), %s", span(o.total()), percent(o.ideal/o.total()), o.bound())
		}
		text.WriteString(" |\n")
	}
	return text.String()
}

// lan are n computers with one core each on a network of 1 Gbit/s, with a coordinator of two cores.
func lan(n int) place {
	return place{workers: n, together: 1, deskCores: 2, link: gigabit, trip: 0.5e-3}
}

// gigabit is what a link of 1 Gbit/s carries, in bytes per second.
const gigabit = 117e6

func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}

func percent(x float64) string { return fmt.Sprintf("%.0f %%", 100*x) }

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

// volume words a size, with units of 1000.
func volume(b float64) string {
	if b < 99.5e9 {
		return fmt.Sprintf("%.1f GB", b/1e9)
	}
	return fmt.Sprintf("%.0f GB", b/1e9)
}
