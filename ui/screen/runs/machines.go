package runs

import (
	"fmt"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/remote"
	"github.com/variscope/variscope/ui/present"
)

// summary says in a line who computes, how fast, and how much longer the run at work takes.
func summary(now remote.State, statuses []engine.Status, members []remote.Member) string {
	cores, sum := now.Self.Cores, 0.0
	for _, w := range now.Workers {
		if !w.Lost {
			cores += w.Cores
		}
	}
	for _, m := range members {
		sum += m.PerSecond
	}
	texts := []string{Helping(now), result.Counted(cores, "core")}
	if sum > 0 {
		texts = append(texts, rateText(sum))
	}
	run, _ := remote.AtWork(statuses)
	if left := present.Left(run.Left); left != "" {
		texts = append(texts, left)
	}
	return strings.Join(texts, ", ")
}

// rateText is a speed with digits enough to see it change: "111 images/s", "8.5 images/s".
func rateText(perSecond float64) string {
	if perSecond < 100 {
		return result.Number.Say(perSecond, 1) + " images/s"
	}
	return result.Count.Say(perSecond, 0) + " images/s"
}

// Helping says how many other machines compute, and how many wait for something to compute.
func Helping(now remote.State) string {
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
