package present

import (
	"fmt"
	"math"
	"time"

	"github.com/variscope/variscope/engine/result"
)

// Done says how many steps of all are done: "3 of 12", or "25 %" where they are percents.
func Done(done, total int64, percent bool) string {
	if percent {
		return fmt.Sprintf("%d %%", done)
	}
	return fmt.Sprintf("%v of %v", result.Whole(done), result.Whole(total))
}

// Left says how much longer something takes, in steps that do not flicker: "about 2 min left". It
// is empty when unknown.
func Left(d time.Duration) string {
	switch {
	case d <= 0:
		return ""
	case d < 10*time.Second:
		return "a few seconds left"
	case d < 55*time.Second:
		return fmt.Sprintf("about %d s left", roundTo(d.Seconds(), 5))
	case d < 90*time.Minute:
		return fmt.Sprintf("about %d min left", max(1, int(math.Round(d.Minutes()))))
	case d < 36*time.Hour:
		return fmt.Sprintf("about %d h left", int(math.Round(d.Hours())))
	}
	return fmt.Sprintf("about %s left", result.Counted(int64(math.Round(d.Hours()/24)), "day"))
}

func roundTo(v float64, step int) int { return step * int(math.Round(v/float64(step))) }
