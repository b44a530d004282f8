package runs

import (
	"fmt"
	"strings"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/store/cluster"
	"github.com/variscope/variscope/store/others"
	"github.com/variscope/variscope/ui/present"
)

// Member is one line of the list of who computes: this computer, a worker, or all those together
// who have left.
type Member struct {
	ID string // of a worker, "" for the others
	// What the columns say.
	Name, Processor, Cores, Rate, Seen, Work, Done, Failed string
	PerSecond                                              float64 // inferences; what Rate says
	Busy                                                   bool    // has a unit in work
	Lost                                                   bool
	Problem                                                string // why a unit has failed there last, "" where none has
}

// Crew is who computes at one moment. The speeds of its members add up to the one that the time
// left of the run at work is told with.
type Crew struct {
	Members []Member
	Summary string
	// Helping is how many workers are there, without those that are lost; Busy of them have units in
	// work.
	Helping, Busy int
}

// CrewOf is who computes: this computer first, then the workers in their order.
func CrewOf(now others.State, statuses []engine.Status, at time.Time) Crew {
	run, working := atWork(statuses)
	rates := map[string]float64{}
	for _, s := range run.Shares {
		rates[s.Who] += s.PerSecond
	}
	c := Crew{Members: []Member{here(now.Self, rates[""], working)}}
	delete(rates, "")
	cores := now.Self.Cores
	for _, w := range now.Workers {
		rate := rates[w.ID]
		delete(rates, w.ID)
		if !working && len(w.Units) > 0 { // it computes for a run that is not at work any more, or not yet again
			rate = w.PerSecond
		}
		c.Members = append(c.Members, workerOf(w, rate, at))
		if !w.Lost {
			c.Helping++
			if len(w.Units) > 0 {
				c.Busy++
			}
			cores += w.Cores
		}
	}
	gone := 0.0
	for _, rate := range rates {
		gone += rate
	}
	if gone > 0 {
		c.Members = append(c.Members, Member{Name: "workers that have left", Rate: present.Rate(gone), PerSecond: gone})
	}
	c.Summary = summary(c, cores, run)
	return c
}

// atWork is the run that is computed, if any.
func atWork(statuses []engine.Status) (run engine.Status, is bool) {
	for _, s := range statuses {
		if s.Phase == engine.Running && s.Took > 0 {
			return s, true
		}
	}
	return engine.Status{}, false
}

func here(self cluster.Machine, rate float64, working bool) Member {
	m := Member{
		Name: fmt.Sprintf("this computer (%s)", self.Name), Processor: processor(self, false), Cores: present.Count(int64(self.Cores)),
		Rate: present.Rate(rate), PerSecond: rate, Seen: "now",
	}
	if self.Cores == 0 {
		m.Cores = ""
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
		ID: w.ID, Name: w.Name, Processor: processor(w.Machine, w.Mixed), Cores: present.Count(int64(w.Cores)), Rate: present.Rate(rate), PerSecond: rate,
		Seen: seen(at.Sub(w.Seen)), Work: units(w.Units), Done: present.Count(int64(w.Done)), Failed: present.Count(int64(w.Failed)),
		Busy: len(w.Units) > 0 && !w.Lost, Lost: w.Lost, Problem: w.Problem,
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
		return fmt.Sprintf("≠ %s", text)
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

func summary(c Crew, cores int, run engine.Status) string {
	texts := []string{helping(c.Busy, c.Helping-c.Busy), present.Counted(int64(cores), "core")}
	sum := 0.0
	for _, m := range c.Members {
		sum += m.PerSecond
	}
	if rate := present.Rate(sum); rate != "" {
		texts = append(texts, rate)
	}
	if left := present.Left(run.Left); left != "" {
		texts = append(texts, left)
	}
	return strings.Join(texts, ", ")
}

// Helping says how many other machines compute, and how many wait for something to compute.
func Helping(now others.State) string {
	busy, idle := 0, 0
	for _, w := range now.Workers {
		switch {
		case w.Lost:
		case len(w.Units) > 0:
			busy++
		default:
			idle++
		}
	}
	return helping(busy, idle)
}

// helping counts those with units apart from those without. A run at work says nothing about
// these: it may want processors of one kind, or have no units left to give away.
func helping(busy, idle int) string {
	switch {
	case busy == 0 && idle == 0:
		return "no other machine has joined yet"
	case busy == 0:
		return present.ByCount(idle, "%d other machine waits for a run", "%d other machines wait for a run", idle)
	}
	text := present.ByCount(busy, "%d other machine computes", "%d other machines compute", busy)
	if idle > 0 {
		text = present.ByCount(idle, "%s, %d waits for a run", "%s, %d wait for a run", text, idle)
	}
	return text
}

// joinAddress is the part of a join line that tells it from the others: the machine and port that
// workers look for.
func joinAddress(line string) string {
	_, rest, _ := strings.Cut(line, "://")
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		rest = rest[at+1:]
	}
	host, _, _ := strings.Cut(rest, "/")
	if strings.HasPrefix(host, "127.") || strings.HasPrefix(host, "[::1]") || strings.HasPrefix(host, "localhost") {
		return fmt.Sprintf("%s (this computer only)", host)
	}
	return host
}

// joinCommand is what is to be carried out on another machine.
func joinCommand(line string) string { return "variscope worker '" + line + "'" }
