package inspect

import (
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/ui/kit/evidence"
)

func TestArranged(t *testing.T) {
	rows := places(model.Model{}, nil, nil)
	for _, c := range []struct{ chosen, want []string }{
		{nil, evidence.DefaultModalities()},
		{[]string{"nonsense"}, evidence.DefaultModalities()},
		{[]string{"mean@CONV-1", "max@CONF"}, []string{"max@CONF", "mean@CONV-1"}},
		{
			[]string{"L2@CONF", "std@HEAD", "min@CONF", "max@CONV-2", "std@HEAD"},
			[]string{"max@CONV-2", "min@CONF", "std@HEAD", "L2@CONF"},
		},
	} {
		if got := arranged(c.chosen, rows); !slices.Equal(got, c.want) {
			t.Errorf("%v becomes %v", c.chosen, got)
		}
	}
}
