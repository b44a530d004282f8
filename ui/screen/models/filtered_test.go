package models

import (
	"slices"
	"testing"
)

func TestFilteredFollowsTheFilter(t *testing.T) {
	s := show1(t, 4)
	if got := s.Filtered(); len(got) != 4 {
		t.Fatalf("%d models without a filter", len(got))
	}
	s.view.SetFilter("m02")
	want, _ := s.view.At(0)
	if got := s.Filtered(); !slices.Equal(got, []string{want.Model.Hash}) || want.Model.ID != "m02" {
		t.Errorf("filtered %v", got)
	}
}
