package present

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/suite"
)

// shiftedSuite is a suite that is made from base.
func shiftedSuite(base, change string) suite.Manifest {
	return suite.Manifest{
		Hash: base + "+" + change, Name: base + ", " + change, Derived: &suite.Derived{Of: base, Change: change},
	}
}

// drawn is a tree as text, one line per node.
func drawn(nodes []SuiteNode, indent string) string {
	var text strings.Builder
	for _, n := range nodes {
		fmt.Fprintf(&text, "%s%s", indent, n.Title)
		if n.Hash != "" {
			fmt.Fprintf(&text, " = %s", n.Hash)
		}
		text.WriteString("\n" + drawn(n.Nodes, indent+"  "))
	}
	return text.String()
}

func namesOf(list []suite.Manifest) map[string]string {
	names := map[string]string{}
	for _, m := range list {
		names[m.Hash] = m.Name
	}
	return names
}

func TestSuiteTree(t *testing.T) {
	list := []suite.Manifest{
		{Hash: "a", Name: "a"},
		shiftedSuite("m", "corruption:jpeg:5;seed=1"),
		shiftedSuite("m", "corruption:fog:5;seed=1"),
		shiftedSuite("m", "corruption:fog:3;seed=2"),
		shiftedSuite("m", "corruption:fog:3;seed=1"),
		{Hash: "m", Name: "m"},
		shiftedSuite("m", "corruption:gaussian_noise:3;seed=1"),
		shiftedSuite("m", "corruption:gaussian_noise:1;seed=1"),
		shiftedSuite("m", "shift:n=4;t=5;region=10"),
		shiftedSuite("m", "shift:n=4;t=5;region=2"),
		shiftedSuite("m", "shift:n=3;t=5;region=9"),
		shiftedSuite("m", "shift:n=2;t=12;region=1"),
		shiftedSuite("m", "shift:n=2;t=5;region=1"),
		shiftedSuite("m", "shift:n=2;t=5;region=2"),
		shiftedSuite("m", "sharpening:2"),
		shiftedSuite("m", "sharpening:1"),
		{Hash: "z", Name: "z"},
	}
	want := `a = a
m
  as it is = m
  gaussian noise
    severity 1 = m+corruption:gaussian_noise:1;seed=1
    severity 3 = m+corruption:gaussian_noise:3;seed=1
  fog
    m, corruption:fog:3;seed=1 = m+corruption:fog:3;seed=1
    m, corruption:fog:3;seed=2 = m+corruption:fog:3;seed=2
    severity 5 = m+corruption:fog:5;seed=1
  jpeg, severity 5 = m+corruption:jpeg:5;seed=1
  shifted 2 × 2, t = 5
    region 1 = m+shift:n=2;t=5;region=1
    region 2 = m+shift:n=2;t=5;region=2
  shifted to region 1 of 2 × 2, t = 12 = m+shift:n=2;t=12;region=1
  shifted to region 9 of 3 × 3, t = 5 = m+shift:n=3;t=5;region=9
  shifted 4 × 4, t = 5
    region 2 = m+shift:n=4;t=5;region=2
    region 10 = m+shift:n=4;t=5;region=10
  m, sharpening:1 = m+sharpening:1
  m, sharpening:2 = m+sharpening:2
z = z
`
	if got := drawn(SuiteTree(list, namesOf(list)), ""); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := ShiftsOf("a", list); got != nil {
		t.Errorf("shifts of a suite without any: %v", got)
	}
}

// TestAllCorruptionsInATree: 75 suites are 15 headings, and every suite can be chosen once. The
// only base has no heading.
func TestAllCorruptionsInATree(t *testing.T) {
	list := []suite.Manifest{{Hash: "m", Name: "m"}}
	for severity := corrupt.Severities; severity >= 1; severity-- {
		for _, name := range corrupt.Names() {
			list = append(list, shiftedSuite("m", corrupt.Setting{Name: name, Severity: severity, Seed: 1}.String()))
		}
	}
	tree := SuiteTree(list, namesOf(list))
	if len(tree) != 1+len(corrupt.Names()) || tree[0].Title != "m" || tree[0].Hash != "m" {
		t.Fatalf("%s", drawn(tree, ""))
	}
	shifts := ShiftsOf("m", list)
	var leaves []string
	for i, heading := range tree[1:] {
		if heading.Title != corrupt.Title(corrupt.Names()[i]) || len(heading.Nodes) != corrupt.Severities {
			t.Errorf("heading %d is %s with %d lines", i, heading.Title, len(heading.Nodes))
		}
		for _, leaf := range heading.Nodes {
			leaves = append(leaves, leaf.Hash)
		}
	}
	if !slices.Equal(leaves, shifts) || len(shifts) != 75 {
		t.Errorf("%d leaves, %d shifts", len(leaves), len(shifts))
	}
}
