package present

import (
	"fmt"
	"math"
	"time"
)

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
	return fmt.Sprintf("about %s left", Counted(int64(math.Round(d.Hours()/24)), "day"))
}

func roundTo(v float64, step int) int { return step * int(math.Round(v/float64(step))) }

// Duration is a time that has passed: "0.4 s", "12 s", "3 min 07 s", "1 h 05 min".
func Duration(d time.Duration) string {
	switch {
	case d < 0:
		return None
	case d < 9950*time.Millisecond:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d.Round(time.Second) < time.Minute:
		return fmt.Sprintf("%d s", int(d.Round(time.Second).Seconds()))
	case d.Round(time.Second) < time.Hour:
		s := int(d.Round(time.Second).Seconds())
		return fmt.Sprintf("%d min %02d s", s/60, s%60)
	}
	m := int(d.Round(time.Minute).Minutes())
	return fmt.Sprintf("%d h %02d min", m/60, m%60)
}
