package job

import (
	"slices"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/store"
)

// TestCutOff: of the newest run of the same question, and of nothing that has ended or is left out
// already.
func TestCutOff(t *testing.T) {
	killed := store.RunRecord{Suite: "s", Family: "f", Phase: engine.Running, Working: []string{"a", "b"}}
	other, ended := killed, killed
	other.Family, ended.Phase = "g", engine.Done
	for _, c := range []struct {
		records []store.RunRecord
		models  []string
		without []string
		want    []string
	}{
		{records: []store.RunRecord{killed, other}, want: []string{"a", "b"}},
		{records: []store.RunRecord{killed}, without: []string{"a"}, want: []string{"b"}},
		{records: []store.RunRecord{killed}, models: []string{"a", "c"}, want: []string{"a"}},
		{records: []store.RunRecord{killed, ended}},
		{records: []store.RunRecord{other}},
	} {
		got := CutOff(c.records, Request{Suite: "s", Family: "f", Models: c.models}, c.without)
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v", c, got)
		}
	}
	if rest, ok := (Request{Models: []string{"a", "b"}}).Without([]string{"a"}); !ok ||
		!slices.Equal(rest.Models, []string{"b"}) {
		t.Error(rest, ok)
	}
	if _, ok := (Request{Models: []string{"a"}}).Without([]string{"a"}); ok {
		t.Error("nothing is left, and it says something is")
	}
}
