package model

import (
	"fmt"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

func TestPositionsOfLayers(t *testing.T) {
	g := Graph{
		Convs: []string{"c1", "c2", "c3"}, Head: "c3", Outputs: []Output{{Name: "y"}},
		Tensors: []string{"c1", "r", "c2", "c3", "y"},
	}
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
		testdata.Equal(t, fmt.Sprintf("%v with %v", c.outputs, c.assigned),
			g.Positions(Layer{Outputs: c.outputs}, c.assigned), c.want)
	}
	if got := (Graph{}).Positions(Layer{Outputs: []string{""}}, nil); got != nil {
		t.Errorf("a layer of an empty graph is %v", got)
	}
}
