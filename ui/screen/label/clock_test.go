package label

import (
	"testing"
	"time"
)

func TestClock(t *testing.T) {
	t0 := time.Date(2024, 3, 1, 9, 0, 0, 0, time.UTC)
	at := func(s float64) time.Time { return t0.Add(time.Duration(s * float64(time.Second))) }
	for _, c := range []struct {
		name string
		do   func(c *clock)
		want float64
	}{
		{"touches do not add time of their own", func(c *clock) { c.start(at(0)); c.touch(at(3)); c.touch(at(4)) }, 10},
		{"restart forgets", func(c *clock) { c.start(at(0)); c.start(at(7)) }, 3},
		{"hidden time is not counted", func(c *clock) {
			c.start(at(0))
			c.stop(at(2))
			c.stop(at(3))
			c.resume(at(8))
			c.resume(at(9))
		}, 4},
		{"touch while hidden", func(c *clock) { c.start(at(0)); c.stop(at(2)); c.touch(at(5)) }, 2},
		{"clock set back", func(c *clock) { c.start(at(20)) }, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var k clock
			c.do(&k)
			if got := k.seconds(at(10)); got != c.want {
				t.Errorf("seconds = %v, want %v", got, c.want)
			}
		})
	}
	var k clock
	k.start(at(0))
	if got := k.seconds(at(600)); got != IdleLimit.Seconds() {
		t.Errorf("a pause of ten minutes counts %v s, want %v", got, IdleLimit.Seconds())
	}
}
