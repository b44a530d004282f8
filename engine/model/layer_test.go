package model

import (
	"slices"
	"testing"
)

func TestPositionsOfLayers(t *testing.T) {
	g := Graph{Convs: []string{"c1", "c2", "c3"}, Head: "c3", Outputs: []Output{{Name: "y"}}, Tensors: []string{"c1", "r", "c2", "c3", "y"}}
	for _, c := range []struct {
		outputs  []string
		assigned map[string]string
		want     []string
	}{
		{[]string{"c3"}, nil, []string{Conv1, Head}},
		{[]string{"c2"}, nil, []string{Conv2}},
		{[]string{"c1"}, nil, nil},
		{[]string{"x", "y"}, nil, []string{CONF}},
		{nil, nil, nil},
		{[]string{"r"}, map[string]string{Conv2: "r", Head: "r"}, []string{Conv2, Head}},
		{[]string{"c2"}, map[string]string{Conv2: "r"}, nil},
	} {
		if got := g.Positions(Layer{Outputs: c.outputs}, c.assigned); !slices.Equal(got, c.want) {
			t.Errorf("%v with %v is %v, want %v", c.outputs, c.assigned, got, c.want)
		}
	}
	if got := (Graph{}).Positions(Layer{Outputs: []string{""}}, nil); got != nil {
		t.Errorf("a layer of an empty graph is %v", got)
	}
}
