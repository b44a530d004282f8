package progress

import (
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

type counter struct{ total, done int64 }

func (c *counter) SetTotal(n int64) { c.total = n }
func (c *counter) Add(n int64)      { c.done += n }

func TestOr(t *testing.T) {
	c := &counter{}
	for _, p := range []Progress{Or(c), Or(nil), Or(None{})} {
		p.SetTotal(3)
		p.Add(2)
	}
	Part{c}.SetTotal(9) // one of several parts does not change the total of all
	testdata.Is(t, "the listener heard", *c, (counter{3, 2}))
}

type percents struct {
	counter
	told bool
}

func (p *percents) Percent() { p.told = true }

// TestPartsNeverFall: whatever totals the parts set, the percents rise, each part ends at its
// share, and all at 100.
func TestPartsNeverFall(t *testing.T) {
	c := &percents{}
	parts, ends := NewParts(c, 3), []int64{33, 66, 100}
	for k, totals := range [][]int64{{4}, {2, 1000, 0, 3}, {}} {
		for _, total := range totals {
			parts.SetTotal(total)
			for range total {
				before := c.done
				if parts.Add(1); c.done < before || c.done > ends[k] {
					t.Fatalf("part %d: %d percent after %d", k, c.done, before)
				}
			}
		}
		if k == 0 {
			testdata.Is(t, "half of a third", c.done, 16)
		}
		parts.Next()
		testdata.Is(t, "at the end of a part", c.done, ends[k])
	}
	testdata.Is(t, "the listener heard", *c, percents{counter{100, 100}, true})
}
