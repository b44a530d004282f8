package model

import (
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

func TestRecordNamesTellPointsApart(t *testing.T) {
	var models []Model
	for _, values := range [][2]string{{"x", "1"}, {"x", "2"}, {"x", "3"}} {
		models = append(models,
			Model{Record: []Field{{Name: "same", Value: values[0]}, {Name: "fold", Value: values[1]}}})
	}
	testdata.Equal(t, "RecordNames", RecordNames(models, 2, 3), []string{"fold"})
	if got := RecordNames(models, 2, 2); len(got) != 0 {
		t.Errorf("%q of more values than can be told apart", got)
	}
}
