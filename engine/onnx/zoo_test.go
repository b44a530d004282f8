package onnx

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/testdata"
)

// logitsFile is the zoo's table of reference scores, as rows after its header; nil where it is not
// there.
func logitsFile(t *testing.T) (folder string, rows [][]string) {
	t.Helper()
	folder, ok := testdata.Zoo("scenes")
	f, err := os.Open(filepath.Join(folder, "expected", "logits.csv"))
	if !ok || err != nil {
		fmt.Println("zoo scenes: absent (expected/logits.csv)")
		return "", nil
	}
	defer func() { _ = f.Close() }() // read only
	rows, err = csv.NewReader(f).ReadAll()
	if err != nil || len(rows) < 2 {
		t.Fatalf("logits.csv: %v", err)
	}
	return folder, rows[1:]
}

// TestZooBackgroundLogits runs the zoo's models on its targets and compares with the scores
// computed elsewhere.
func TestLogitsOfScenes(t *testing.T) {
	folder, rows := logitsFile(t)
	if rows == nil {
		return
	}
	r := library(t)
	runners := map[string]engine.Runner{}
	graphs := map[string]model.Graph{}
	largest := 0.0
	var ids []string
	for _, row := range rows {
		ids = append(ids, row[0])
	}
	ids = testdata.Having(folder, slices.Compact(ids), "models/*.onnx")
	for _, row := range rows {
		id := row[0]
		if !slices.Contains(ids, id) {
			continue
		}
		if runners[id] == nil {
			path := filepath.Join(folder, "models", id+".onnx")
			g := testdata.Must(Inspect(path))(t)
			graphs[id] = g
			runners[id] = openRunner(t, r, feedOf(t, path, 1, g.Convs...))
		}
		run := runners[id]
		readTarget(t, filepath.Join(folder, row[1]), run.Input(), graphs[id].Metadata)
		testdata.OK(t, run.Run(t.Context()))
		_, scores := run.Result(0)
		for k, text := range row[2:] {
			want := testdata.Must(strconv.ParseFloat(text, 64))(t)
			largest = max(largest, math.Abs(float64(scores[k])-want))
		}
	}
	fmt.Printf("zoo scenes logits: %d models, largest difference %.2g\n", len(runners), largest)
	if largest > 1e-3 {
		t.Errorf("largest difference %g", largest)
	}
}

// readTarget fills a 3 x 64 x 64 input with (byte/255 - mean) / std.
func readTarget(t *testing.T, path string, input []float32, metadata map[string]string) {
	t.Helper()
	var mean, std []float64
	if json.Unmarshal([]byte(metadata["mean"]), &mean) != nil || json.Unmarshal([]byte(metadata["std"]), &std) != nil {
		t.Fatalf("%s: no mean and std in %v", path, metadata)
	}
	f := testdata.Must(os.Open(path))(t)
	defer func() { _ = f.Close() }() // read only
	img := testdata.Must(png.Decode(f))(t)
	for y := range 64 {
		for x := range 64 {
			red, green, blue, _ := img.At(x, y).RGBA()
			for c, v := range []uint32{red, green, blue} {
				input[(c*64+y)*64+x] = float32((float64(v>>8)/255 - mean[c]) / std[c])
			}
		}
	}
}

// TestZooInspect holds every model of the zoos against what their tables say of it.
func TestInspectionOfZoos(t *testing.T) {
	for _, zoo := range []string{"scenes", "mnist", "cifar"} {
		folder, ok := testdata.Zoo(zoo)
		if !ok {
			fmt.Printf("zoo %s: absent\n", zoo)
			continue
		}
		table := recordsOf(t, filepath.Join(folder, "models.csv"))
		files := zooModels(t, zoo)
		for _, path := range files {
			id := filepath.Base(path[:len(path)-len(".onnx")])
			g, err := Inspect(path)
			if err != nil {
				t.Error(err)
				continue
			}
			shape := fmt.Sprintf("%dx%dx%d", g.Input.Channels, g.Input.Height, g.Input.Width)
			kind := string(g.Outputs[0].Kind) // where the graph does not show one, the table is free
			row := table[id]
			if g.Head == "" || g.Input.Layout != model.NCHW || row["input_shape"] != "" && row["input_shape"] != shape {
				t.Errorf("%s: %+v", path, g)
			}
			if kind != "" && row["output_kind"] != "" && row["output_kind"] != kind {
				t.Errorf("%s: output kind %s, the table says %s", path, kind, row["output_kind"])
			}
		}
		fmt.Printf("zoo %s inspected: %d models, largest difference 0\n", zoo, len(files))
	}
}

// recordsOf reads a CSV table by its id column.
func recordsOf(t *testing.T, path string) map[string]map[string]string {
	t.Helper()
	f := testdata.Must(os.Open(path))(t)
	defer func() { _ = f.Close() }() // read only
	rows := testdata.Must(csv.NewReader(f).ReadAll())(t)
	table := map[string]map[string]string{}
	for _, row := range rows[1:] {
		record := map[string]string{}
		for k, name := range rows[0] {
			record[name] = row[k]
		}
		table[record["id"]] = record
	}
	return table
}

// TestMasksOfZoos deletes the regions of models: the sizes that Maps tells are those at run time,
// without a region, at first and after others, the scores have the bits of the model without masks,
// and the maps that are shown are zero inside the region. Outside of it the first keeps its bits.
func TestMasksOfZoos(t *testing.T) {
	r := library(t)
	for _, zoo := range []string{"scenes", "mnist", "cifar", "bench"} {
		files := zooFiles(t, zoo)
		largest, step, models := 0.0, 1+len(files)/24, 0 // some two dozen from all over the zoo
		for k := 0; k < len(files); k += step {
			masks := transform.Masks{N: 2 + models%3, AfterBatchNorm: models%2 == 1}
			largest = max(largest, checkMasked(t, r, files[k], masks))
			models++
		}
		if models > 0 {
			fmt.Printf("zoo %s masked: %d models, largest difference %.2g\n", zoo, models, largest)
		}
	}
}

// zooFiles are the models of a zoo, which may lie in its folder itself.
func zooFiles(t *testing.T, zoo string) []string {
	t.Helper()
	if zoo != "bench" {
		return zooModels(t, zoo)
	}
	return testdata.Must(filepath.Glob(zooFile(zoo, "*.onnx")))(t)
}

// checkMasked returns the largest difference that showing the maps makes to the scores.
func checkMasked(t *testing.T, r *Runtime, path string, masks transform.Masks) (largest float64) {
	t.Helper()
	data := testdata.Must(os.ReadFile(path))(t)
	feed := feedOf(t, path, 2)
	maps, alone, err := Maps(filepath.Base(path), data, feed.Input, masks)
	if err != nil || len(alone) > 0 {
		t.Fatalf("%v, left alone %v", err, alone)
	}
	plain := openRunner(t, r, feed)
	feed.Mask = &masks
	masked := openRunner(t, r, feed)
	for _, m := range maps {
		feed.Tensors = append(feed.Tensors, m.Tensor)
	}
	shown := openRunner(t, r, feed)
	for _, run := range []engine.Runner{plain, masked, shown} {
		fill(run.Input())
		testdata.OK(t, run.Run(t.Context()))
	}
	_, untouched := plain.Result(0)
	_, first := shown.Result(1)
	first = slices.Clone(first)
	for number := range masks.N*masks.N + 1 {
		for _, run := range []engine.Runner{masked, shown} {
			run.Mask(number)
			testdata.OK(t, run.Run(t.Context()))
		}
		_, want := shown.Result(0)
		_, got := masked.Result(0)
		for i, v := range want {
			largest = max(largest, math.Abs(float64(got[i]-v))/max(1, math.Abs(float64(v))))
		}
		if !(largest < 1e-4) {
			t.Fatalf("%s: region %d depends on what is shown: %v, %v", path, number, got, want)
		}
		for k, m := range maps {
			shape, values := shown.Result(k + 1)
			if m.Height != int(shape[2]) || m.Width != int(shape[3]) {
				t.Fatalf("%s: map %d is %v, not %d x %d", path, m.Number, shape, m.Height, m.Width)
			}
			for i, v := range values {
				y, x := i/m.Width%m.Height, i%m.Width
				inside := number > 0 && regionOf(y, m.Height, masks.N) == (number-1)/masks.N &&
					regionOf(x, m.Width, masks.N) == (number-1)%masks.N
				if inside && v != 0 || !inside && k == 0 && math.Float32bits(v) != math.Float32bits(first[i]) {
					t.Fatalf("%s: region %d: map %d has %g at %d", path, number, m.Number, v, i)
				}
			}
		}
	}
	for range 2 { // after a deletion, and again
		masked.Mask(0)
		testdata.OK(t, masked.Run(t.Context()))
		if _, got := masked.Result(0); !sameBits(got, untouched) {
			t.Errorf("%s: without a region it is not the model", path)
		}
	}
	return largest
}
