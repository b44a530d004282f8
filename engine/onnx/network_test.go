package onnx

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/testdata"
)

// segments is a segmentation network: a 1x1 convolution from 1 x 4 x 4 images to two maps; any
// batch.
func segments(outputs ...pb) graphOf {
	return graphOf{
		inputs:  []pb{value("image", typeFloat, -1, 1, 4, 4)},
		outputs: outputs,
		weights: []pb{floats("w", []float32{1, -1}, 2, 1, 1, 1), floats("b", []float32{0, 1}, 2)},
		nodes:   []pb{node("Conv", list("image", "w", "b"), list("maps"))},
	}
}

// TestInspectNetwork: outputs of both forms are told apart; a file without either is refused.
func TestInspectNetwork(t *testing.T) {
	maps := value("maps", typeFloat, -1, 2, 4, 4)
	for name, c := range map[string]struct {
		data          []byte
		maps, outputs []model.Output
		refused       bool
	}{
		"segmentation": {segments(maps).file(), []model.Output{{Name: "maps", Classes: 2}}, nil, false},
		"open sizes": {
			segments(value("maps", typeFloat, -1, -1, -1, -1)).file(), []model.Output{{Name: "maps"}}, nil, false,
		},
		"no shape": {
			segments(value("maps", typeFloat)).file(),
			[]model.Output{{Name: "maps"}},
			[]model.Output{{Name: "maps"}},
			false,
		},
		"classifier":  {tiny().file(), nil, []model.Output{{Name: "scores", Classes: 3}}, false},
		"neither":     {segments(value("maps", typeFloat, -1, 2, 16)).file(), nil, nil, true},
		"no elements": {segments(value("maps", typeFloat, -1, 0, 4, 4)).file(), nil, nil, true},
		"whole":       {segments(value("maps", typeInt64, -1, 2, 4, 4)).file(), nil, nil, true},
		"not its own": {segments(value("nowhere", typeFloat, -1, 2, 4, 4)).file(), nil, nil, true},
	} {
		g, _, err := inspectNetwork("net.onnx", c.data)
		if c.refused {
			testdata.Refused(t, name, err, "net.onnx has neither an output of form (N, C) nor one of form (N, K, H, W)")
			continue
		}
		testdata.OK(t, err)
		testdata.NoDiff(t, name, cmp.Diff([][]model.Output{c.maps, c.outputs}, [][]model.Output{g.Maps, g.Outputs}))
	}
	testdata.Refused(t, "a segmentation network was taken for a classifier",
		testdata.Err(InspectBytes("net.onnx", segments(maps).file())))
}

// TestNetworkRuns: what the probe and a session say of a segmentation network, and of one that
// gives something else.
func TestNetworkRuns(t *testing.T) {
	r := library(t)
	feed := networkFeed(t, save(t, "net.onnx", segments(value("maps", typeFloat, -1, 2, 4, 4)).file()))
	probe := testdata.Must(r.Probe(t.Context(), feed))(t)
	if probe.Classes != 2 || probe.Sums || !slices.Equal(probe.Shapes[0], []int64{3, 2, 4, 4}) {
		t.Errorf("probe %+v", probe)
	}
	run := openRunner(t, r, feed)
	for i := range run.Input() {
		run.Input()[i] = float32(i) / 64
	}
	testdata.OK(t, run.Run(t.Context()))
	shape, values := run.Result(0)
	testdata.Equal(t, "shape", shape, []int64{3, 2, 4, 4})
	for i := range 48 { // image i/16, pixel i%16: x and 1 - x
		x, at := float32(i)/64, i/16*32+i%16
		if values[at] != x || values[at+16] != 1-x {
			t.Errorf("image %d, pixel %d: %v and %v", i/16, i%16, values[at], values[at+16])
		}
	}
	flat := segments(value("flat", typeFloat))
	flat.nodes = append(flat.nodes, node("Flatten", list("maps"), list("flat")))
	feed = networkFeed(t, save(t, "flat.onnx", flat.file()))
	want := `flat.onnx gives scores of shape [3 32] at "flat" for 3 images; a segmentation network gives images x elements x height x width`
	if _, err := r.Probe(t.Context(), feed); err == nil || err.Error() != want {
		t.Errorf("flat maps: %v", err)
	}
}

func networkFeed(t *testing.T, path string) engine.Feed {
	t.Helper()
	g := testdata.Must(Network(path))(t)
	feed := engine.Feed{Path: path, Input: g.Input, Output: g.Maps[0].Name, Maps: true}
	feed.Input.Batch = 3
	return feed
}

// TestNetworkFiles: refusals name the file, and feeds with and without maps have probes of their
// own.
func TestNetworkFiles(t *testing.T) {
	testdata.Refused(t, "empty", testdata.Err(Network(save(t, "empty.onnx", nil))), "empty.onnx is empty")
	testdata.Refused(t, "no file", testdata.Err(Network("nowhere.onnx")), "nowhere.onnx")
	if (engine.Feed{Output: "y"}).ProbeName() == (engine.Feed{Output: "y", Maps: true}).ProbeName() {
		t.Error("probes of both forms have one name")
	}
}
