package label

import (
	"fmt"
	"math"
	"time"

	labels "github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/present"
)

// paceOver is how many of the newest labels the speed is taken from: enough to be steady, few
// enough to follow a person who gets faster.
const paceOver = 20

// Pace is how fast an annotator works.
type Pace struct {
	OnItem  time.Duration // active time on the turn shown
	PerHour float64       // turns per hour of active time; 0 while unknown
	Left    time.Duration // active time until the end at that speed; 0 while unknown
}

// Pace is taken from the active time of the newest labels.
func (s *Session) Pace(now time.Time) Pace {
	p := Pace{OnItem: s.clock.elapsed(now)}
	n, seconds := 0, 0.0
	for k := len(s.active) - 1; k >= 0 && n < paceOver; k-- {
		if ev := s.active[k]; ev.Kind == labels.Label && ev.Seconds > 0 {
			n++
			seconds += ev.Seconds
		}
	}
	if n == 0 || seconds <= 0 {
		return p
	}
	p.PerHour = 3600 * float64(n) / seconds
	progress := s.Progress()
	p.Left = time.Duration(float64(progress.Total-progress.Done) * seconds / float64(n) * float64(time.Second))
	return p
}

// String is the pace as one line: 0:12, 240 per hour, about 9 min left.
func (p Pace) String() string {
	whole := int(p.OnItem.Seconds())
	text := fmt.Sprintf("%d:%02d on this one", whole/60, whole%60)
	if p.PerHour > 0 {
		text = fmt.Sprintf("%s, %s per hour", text, result.Whole(int(math.Round(p.PerHour))))
	}
	if left := present.Left(p.Left); left != "" {
		text += ", " + left
	}
	return text
}
