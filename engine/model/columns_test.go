package model

import (
	"slices"
	"testing"
)

func TestRecordNamesTellPointsApart(t *testing.T) {
	var models []Model
	for _, values := range [][2]string{{"x", "1"}, {"x", "2"}, {"x", "3"}} {
		models = append(models, Model{Record: []Field{{Name: "same", Value: values[0]}, {Name: "fold", Value: values[1]}}})
	}
	if got := RecordNames(models, 2, 3); !slices.Equal(got, []string{"fold"}) {
		t.Errorf("%q", got)
	}
	if got := RecordNames(models, 2, 2); len(got) != 0 {
		t.Errorf("%q of more values than can be told apart", got)
	}
}
