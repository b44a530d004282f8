package subject

import (
	"testing"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/testdata"
)

func TestPeopleSeeNamesAndFilesHaveAll(t *testing.T) {
	table := result.Table[Subject]{
		Name: "t", Title: "T", Noun: "row", ID: func(s Subject) string { return s.Model }, Columns: Columns,
	}
	testdata.OK(t, table.Check())
	s := table.Sheet([]Subject{{
		"m", "0123456789abcdef", "pets", "fedcba9876543210", "rotation:-1:1:1", "rotation -1..1°",
	}})
	said, written := "", ""
	for k := range s.Fields {
		f := &s.Fields[k]
		if written += f.Key + " " + f.Write(0) + ", "; f.Show == result.Shown {
			said += f.Say(0) + ", "
		}
	}
	if said != "m, pets, rotation -1..1°, " ||
		written != "model_id m, model_hash 0123456789abcdef, suite pets, suite_hash fedcba9876543210, "+
			"family rotation:-1:1:1, " {
		t.Errorf("%s; %s", said, written)
	}
}
