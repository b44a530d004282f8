package remote

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/cluster"
)

// Member is one who computes: this computer, a worker, or all those together who have left.
type Member struct {
	ID, Name, Processor string  // ID is "" for all but workers
	Cores               int     // 0 where it computes nothing itself
	PerSecond           float64 // inferences, lately
	Seen, Work          string  // when it gave its last sign of life, and what it does
	Done, Failed        int     // units since it joined
	Busy                bool    // has a unit in work
	Lost                bool
	Problem             string // why a unit has failed there last, "" where none has
}

// Members are who computes at a moment: this computer first, then the workers in their order.
// Their speeds add up to the one that the time left of the run at work is told with.
func (s State) Members(statuses []engine.Status, at time.Time) []Member {
	run, working := AtWork(statuses)
	rates := map[string]float64{}
	for _, share := range run.Shares {
		rates[share.Who] += share.PerSecond
	}
	list := []Member{here(s.Self, rates[""], working)}
	delete(rates, "")
	for _, w := range s.Workers {
		rate := rates[w.ID]
		delete(rates, w.ID)
		if !working && len(w.Units) > 0 { // it computes for a run that is not at work any more, or not yet again
			rate = w.PerSecond
		}
		list = append(list, workerOf(w, rate, at))
	}
	gone := 0.0
	for _, rate := range rates {
		gone += rate
	}
	if gone > 0 {
		list = append(list, Member{Name: "workers that have left", PerSecond: gone})
	}
	return list
}

// AtWork is the run that is computed, if any.
func AtWork(statuses []engine.Status) (run engine.Status, is bool) {
	for _, s := range statuses {
		if s.Phase == engine.Running && s.Took > 0 {
			return s, true
		}
	}
	return engine.Status{}, false
}

func here(self cluster.Machine, rate float64, working bool) Member {
	m := Member{
		Name: fmt.Sprintf("this computer (%s)", self.Name), Processor: processor(self, false), Cores: self.Cores,
		PerSecond: rate, Seen: "now",
	}
	switch {
	case rate > 0: // it may still end what it has begun
		m.Work = "takes part"
	case self.Cores == 0:
		m.Work = "leaves all work to the others"
	case working:
		m.Work = "begins"
	}
	return m
}

func workerOf(w cluster.Worker, rate float64, at time.Time) Member {
	m := Member{
		ID: w.ID, Name: w.Name, Processor: processor(w.Machine, w.Mixed), Cores: w.Cores, PerSecond: rate,
		Seen: seen(at.Sub(w.Seen)), Work: units(w.Units), Done: w.Done, Failed: w.Failed, Busy: len(w.Units) > 0 &&
			!w.Lost, Lost: w.Lost, Problem: w.Problem,
	}
	if w.Lost {
		m.Work = "lost; what it had goes to others"
	}
	return m
}

// processor is the kind of processor, with a mark where it is another one than this computer's.
func processor(m cluster.Machine, other bool) string {
	text := m.Arch
	if m.Level != "" && m.Level != m.Arch {
		text = m.Level + ", " + m.Arch
	}
	if other {
		text = "≠ " + text
	}
	return text
}

// seen is how long ago a worker gave its last sign of life, which it does every two seconds.
func seen(ago time.Duration) string {
	switch {
	case ago < 5*time.Second:
		return "now"
	case ago < time.Minute:
		return fmt.Sprintf("%d s ago", int(ago.Seconds()))
	}
	return fmt.Sprintf("%d min ago", int(ago.Minutes()))
}

// shownUnits is how many units of a worker are named.
const shownUnits = 3

// units are what a worker computes: "s01 part 3, s02 part 1 and 4 more".
func units(list []cluster.UnitInWork) string {
	var texts []string
	for _, u := range list[:min(len(list), shownUnits)] {
		texts = append(texts, fmt.Sprintf("%s part %d", u.Model, u.Chunk+1))
	}
	text := strings.Join(texts, ", ")
	if more := len(list) - shownUnits; more > 0 {
		text = fmt.Sprintf("%s and %d more", text, more)
	}
	return text
}

// Computing is the table of who computes.
var Computing = result.Table[Member]{
	Name: "machines", Title: "Who computes", Noun: "machine", ID: func(m Member) string { return m.ID + "/" + m.Name },
	Columns: []result.Column[Member]{
		result.Texts("worker", "Worker", "name of the machine", func(m Member) string { return m.Name }),
		result.Texts("processor", "Processor",
			"≠ marks a processor of another kind: it computes only runs that allow it",
			func(m Member) string { return m.Processor }),
		result.Numbers("cores", "Cores", "that it computes with", result.Count,
			func(m Member) float64 { return some(float64(m.Cores)) }),
		rate("images_per_s", "images/s",
			"in the last half minute; the time left of the current run follows from the sum"),
		result.Texts("last_seen", "Last seen", "last sign of life", func(m Member) string { return m.Seen }),
		result.Texts("work", "Working on", "models and parts of the images", func(m Member) string { return m.Work }),
		ofWorkers("done", "Done", "units that it has brought since it joined", func(m Member) int { return m.Done }),
		ofWorkers("failed", "Failures",
			"units that it could not compute, or whose results were refused; select a worker to see why",
			func(m Member) int { return m.Failed }),
		result.Texts("problem", "Problem", "why the last of them failed",
			func(m Member) string { return m.Problem }).In(result.Offered),
	},
}

// some is NaN for 0.
func some(v float64) float64 {
	if v == 0 {
		return math.NaN()
	}
	return v
}

func rate(key, title, help string) result.Column[Member] {
	c := result.Numbers(key, title, help, result.Number, func(m Member) float64 { return some(m.PerSecond) })
	c.Decimals = 1
	return c
}

func ofWorkers(key, title, help string, count func(Member) int) result.Column[Member] {
	return result.Numbers(key, title, help, result.Count, func(m Member) float64 {
		if m.ID == "" {
			return math.NaN()
		}
		return float64(count(m))
	})
}
