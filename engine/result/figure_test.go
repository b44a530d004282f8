package result

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestStackedBoxesHoldEveryCount: the boxes of a bin stand on each other without gaps and have the
// heights of its counts; a bin without counts can be read out.
func TestStackedBoxesHoldEveryCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bins, groups := rapid.IntRange(1, 6).Draw(t, "bins"), rapid.IntRange(1, 4).Draw(t, "groups")
		counts := make([][]int, groups)
		f := Figure{
			X: Axis{Name: "x", Format: Number}, Y: Axis{Name: "models", Format: Count}, Groups: make([]Group, groups),
		}
		for g := range counts {
			counts[g] = rapid.SliceOfN(rapid.IntRange(0, 3), bins, bins).Draw(t, "counts")
			f.Groups[g].Name = string(rune('a' + g))
		}
		f.Boxes = Stacked(Edges(-1, 1, bins), counts)
		if err := f.Check(); err != nil {
			t.Fatal(err)
		}
		for b := range bins {
			foot, sum := 0.0, 0
			for k, box := range f.Boxes {
				if box.X0 == -1+2*float64(b)/float64(bins) {
					if box.Y0 != foot || box.Y1-box.Y0 != float64(counts[box.Group][b]) {
						t.Fatalf("bin %d: %+v on %v", b, box, foot)
					}
					foot = box.Y1
					if f.Tell(len(f.Points)+k) == "" {
						t.Fatalf("bin %d is not read out", b)
					}
				}
			}
			for g := range counts {
				sum += counts[g][b]
			}
			if foot != float64(sum) {
				t.Fatalf("bin %d has %v of %d", b, foot, sum)
			}
		}
	})
}

func TestBoxesAreReadOut(t *testing.T) {
	stacked := Figure{
		X: Axis{Name: "svm", Format: Number}, Y: Axis{Name: "models", Format: Count},
		Groups: []Group{{Name: "invariant"}, {Name: "variant"}},
		Boxes:  Stacked(Edges(0, 0.4, 2), [][]int{{3, 0}, {1, 0}}),
	}
	over := Figure{
		X: Axis{Name: "dif", Format: Number}, Y: Axis{Name: "images", Log: true},
		Groups: []Group{{Name: "images"}, {Name: "extreme"}}, Over: true,
		Boxes: []Box{
			{X1: 1, Y0: LogCount(0), Y1: LogCount(12)},
			{X1: 1, Y0: LogCount(0), Y1: LogCount(2), Group: 1},
			{X0: 1, X1: 2, Y0: LogCount(0), Y1: LogCount(0)},
		},
	}
	var bars Figure
	bars.Groups = []Group{{}}
	bars.AddBar("m1", "0.5", "m1 is special", 0, 0.5, 0).ID = "one"
	cells := Figure{
		X: Axis{Names: []string{"m1"}}, Y: Axis{Names: []string{"#7"}}, Groups: []Group{{Name: "right"}},
		Boxes: []Box{Cell(0, 0)},
	}
	plain := Figure{X: Axis{Name: "specialty", Format: Number}, Groups: []Group{{}}}
	plain.AddBar("m2", "", "", 0, 0.25, 0)
	degrees := Axis{Values: []float64{-10, 0, 20}, Unit: "°"}
	for got, want := range map[string]string{
		cells.Tell(0): "#7, m1: right", plain.Tell(0): "m2: specialty 0.25",
		stacked.Tell(0): "0..0.2: models 4, invariant 3, variant 1", stacked.Tell(2): "0.2..0.4: models 0",
		stacked.Tell(3): "", over.Tell(0): "0..1: images 12, extreme 2", over.Tell(2): "1..2: images 0",
		bars.Tell(0): "m1 is special", bars.ItemID(0): "one", bars.ItemID(1): "", Axis{Log: true}.Say(LogCount(0)): "0",
		Axis{Names: []string{"a", "b"}}.Say(1.2): "b", Axis{Names: []string{"a"}}.Say(3): None, degrees.Say(2): "20°",
		degrees.Say(1.25): "5°", degrees.Say(-0.5): "-10°", degrees.Say(2.6): None, degrees.Say(math.NaN()): None,
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestBoxesAsSheet: a file has the names of rows and columns in place of their places, counts in
// place of logarithms, and intervals.
func TestBoxesAsSheet(t *testing.T) {
	bars := Figure{Groups: []Group{{Name: "all"}}}
	bar := bars.AddBar("=m1", "0.5", "", 0, 0.5, 0)
	bar.Low, bar.High = 0.4, 0.6
	cells := Figure{
		X: Axis{Names: []string{"m1", "m2"}}, Y: Axis{Names: []string{"#7"}},
		Groups: []Group{{Name: "right"}, {Name: "wrong"}},
	}
	cells.Boxes = []Box{Cell(0, 0), Cell(0, 1)}
	cells.Boxes[1].Group = 1
	counted := Figure{
		Y: Axis{Log: true}, Groups: []Group{{Name: "images"}}, Boxes: []Box{{X1: 1, Y0: LogCount(0), Y1: LogCount(12)}},
	}
	swarm := Figure{
		Groups: []Group{{}}, Levels: [2]string{"low", "high"}, Points: []Point{{Name: "m1", X: 1, Y: 2, Level: 0.25}},
	}
	for want, f := range map[string]Figure{
		"row,group,x_from,x_to,x_to_low,x_to_high\n=m1,all,0,0.5,0.4,0.6\n":  bars,
		"row,column,group\n#7,m1,right\n#7,m2,wrong\n":                       cells,
		"group,x_from,x_to,y_from,y_to\nimages,0,1,0,12\n":                   counted,
		"kind,group,name,id,x,y,y_low,y_high,level\npoint,,m1,,1,2,,,0.25\n": swarm,
	} {
		var out bytes.Buffer
		if err := f.Sheet().CSV(&out, false); err != nil || out.String() != want {
			t.Errorf("%v: %q, want %q", err, out.String(), want)
		}
	}
}

// TestSwarmKeepsPointsApart: no two points of a column stand at one place, and all stay in their
// row.
func TestSwarmKeepsPointsApart(t *testing.T) {
	if got := Swarm([]float64{0.1, 0.1001, 0.9, math.NaN()}, 0, 1); got[0] != 0 || got[1] == 0 || got[2] != 0 ||
		got[3] != 0 {
		t.Errorf("places %v", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.Float64Range(-3, 3), 0, 90).Draw(t, "x")
		places := Swarm(x, -3, 3)
		seen := map[int][]float64{}
		for k, place := range places {
			column := int(math.Floor((x[k] + 3) / 6 * 120))
			if math.Abs(place) > 0.42+1e-9 || slices.Contains(seen[column], place) {
				t.Fatalf("point %d stands at %v in column %d", k, place, column)
			}
			seen[column] = append(seen[column], place)
		}
	})
}
