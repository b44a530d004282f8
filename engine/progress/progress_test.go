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
