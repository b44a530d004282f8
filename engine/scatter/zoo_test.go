package scatter

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/sbinet/npyio"

	"github.com/variscope/variscope/internal/testdata"
)

// zooSummary is expected/summary.json, as far as clouds go.
type zooSummary struct {
	Targets      []string
	AxisMax      float64 `json:"axis_max"`
	Raster       int
	Interpolants [][3]float64
	Measures     []string
	Models       map[string]struct {
		Scale      map[string]float64
		MatrixMean map[string][]float64 `json:"matrix_mean"`
	}
}

func (s zooSummary) list() []Interpolant {
	var list []Interpolant
	for _, p := range s.Interpolants {
		list = append(list, Interpolant{p[0], p[1], int(p[2])})
	}
	return list
}

// having are the ids of the models whose files lie among the reference results.
func (s zooSummary) having(files ...string) []string {
	for k := range files {
		files[k] = "expected/" + files[k]
	}
	folder, _ := testdata.Zoo("scenes")
	return testdata.Having(folder, slices.Sorted(maps.Keys(s.Models)), files...)
}

// zooScenes opens the reference results of the scenes; ok is false where they are absent.
func zooScenes(t *testing.T) (folder string, s zooSummary, ok bool) {
	t.Helper()
	folder, ok = testdata.Zoo("scenes")
	folder = filepath.Join(folder, "expected")
	raw, err := os.ReadFile(filepath.Join(folder, "summary.json"))
	if !ok || os.IsNotExist(err) {
		fmt.Println("zoo scenes: absent")
		return "", zooSummary{}, false
	}
	if err != nil {
		t.Fatal(err)
	}
	testdata.OK(t, json.Unmarshal(raw, &s))
	return folder, s, true
}

func readNpy(t *testing.T, path string) []float32 {
	t.Helper()
	f := testdata.Must(os.Open(path))(t)
	defer func() { _ = f.Close() }() // read only
	var out []float32
	testdata.OK(t, npyio.Read(f, &out))
	return out
}

// zooMatrix is one of matrices_<id>.npy.
func zooMatrix(all []float32, s zooSummary, measure, interpolant int) Matrix {
	n := s.Raster * s.Raster
	m := Matrix{R: s.Raster}
	for _, v := range all[(measure*len(s.Interpolants)+interpolant)*n:][:n] {
		m.Values = append(m.Values, float64(v))
	}
	return m
}

// largest is the largest difference of two matrices.
func largest(a, b Matrix) float64 {
	d := 0.0
	for e := range a.Values {
		d = math.Max(d, math.Abs(a.Values[e]-b.Values[e]))
	}
	return d
}

// readCSV reads a file of the scenes.
func readCSV(t *testing.T, path string) [][]string {
	t.Helper()
	f := testdata.Must(os.Open(path))(t)
	defer func() { _ = f.Close() }() // read only
	return testdata.Must(csv.NewReader(f).ReadAll())(t)
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	return testdata.Must(strconv.ParseFloat(text, 64))(t)
}

// zooDistances are the distances of the targets of summary.json (spec section 5), from keywords.csv
// and selection.csv. Those of coords.npy and of signals_<id>.csv are these, rounded: too little for
// points on the edge of a circle.
func zooDistances(t *testing.T, folder string, s zooSummary) [][]float64 {
	t.Helper()
	vectors := map[string][]float64{}
	for _, row := range readCSV(t, filepath.Join(folder, "..", "keywords.csv"))[1:] {
		for _, text := range row[5:] {
			vectors[filepath.Base(row[0])] = append(vectors[filepath.Base(row[0])], number(t, text))
		}
	}
	var distances [][]float64
	for _, row := range readCSV(t, filepath.Join(folder, "..", "selection.csv"))[1:] {
		if !slices.Contains(s.Targets, row[0]) {
			continue
		}
		own, list := vectors[filepath.Base(row[0])], []float64{0}
		for _, background := range row[1:] {
			sum := 0.0
			for k, v := range vectors[filepath.Base(background)] {
				sum += (own[k] - v) * (own[k] - v)
			}
			list = append(list, math.Sqrt(sum))
		}
		distances = append(distances, list)
	}
	if len(distances) != len(s.Targets) {
		t.Fatalf("%d targets, want %d", len(distances), len(s.Targets))
	}
	return distances
}

// TestZooBackgroundClouds interpolates the points of coords.npy and values_<id>.npy.
func TestZooBackgroundClouds(t *testing.T) {
	folder, s, ok := zooScenes(t)
	if !ok {
		return
	}
	distances := zooDistances(t, folder, s)
	m := len(distances[0])
	ids := s.having("values_*.npy", "matrices_*.npy")
	if len(ids) == 0 {
		return
	}
	coords := readNpy(t, filepath.Join(folder, "coords.npy"))
	for n := range len(coords) / 2 {
		row := distances[n/(m*m)]
		if x, y := row[n/m%m], row[n%m]; math.Abs(x-float64(coords[2*n])) > 1e-6 ||
			math.Abs(y-float64(coords[2*n+1])) > 1e-6 {
			t.Fatalf("point %d is at %v, %v, want %v, %v", n, x, y, coords[2*n], coords[2*n+1])
		}
	}
	difference := 0.0
	for _, id := range ids {
		values := readNpy(t, filepath.Join(folder, "values_"+id+".npy"))
		want := readNpy(t, filepath.Join(folder, "matrices_"+id+".npy"))
		for k, measure := range s.Measures {
			value := func(t, i, j int) float64 { return float64(values[((t*m+i)*m+j)*len(s.Measures)+k]) }
			got := testdata.Must(place(distances, value, s.AxisMax, s.Raster).interpolate(t.Context(), s.list(), 2))(t)
			for n := range got {
				d := largest(got[n], zooMatrix(want, s, k, n))
				difference = math.Max(difference, d)
				if d > 1e-5 {
					t.Errorf("model %s, %s, %s: %g from the reference", id, measure, s.list()[n], d)
				}
			}
		}
	}
	fmt.Printf("zoo scenes: %d models, largest difference %.3g (matrices from points)\n", len(ids), difference)
}

// zooCloud is the cloud of a measure, its signals from signals_<id>.csv.
func zooCloud(t *testing.T, folder, id, measure string, s zooSummary) Cloud {
	t.Helper()
	rows := readCSV(t, filepath.Join(folder, "signals_"+id+".csv"))
	column := slices.Index(rows[0], measure)
	c := Cloud{D: s.AxisMax, Distances: zooDistances(t, folder, s)}
	for _, row := range rows[1:] {
		if row[1] == "0" {
			c.Signals = append(c.Signals, nil)
		}
		last := len(c.Signals) - 1
		c.Signals[last] = append(c.Signals[last], number(t, row[column])/s.Models[id].Scale[measure])
	}
	return c
}

// TestZooBackgroundMatrices goes from signals_<id>.csv to the matrices, through the exported
// functions, and to their means.
func TestZooBackgroundMatrices(t *testing.T) {
	folder, s, ok := zooScenes(t)
	if !ok {
		return
	}
	difference, ids := 0.0, s.having("signals_*.csv", "matrices_*.npy")
	for _, id := range ids {
		want := readNpy(t, filepath.Join(folder, "matrices_"+id+".npy"))
		for k, measure := range s.Measures {
			got := testdata.Must(Interpolate(t.Context(), zooCloud(t, folder, id, measure, s), s.Raster, s.list()))(t)
			for n := range got {
				d := largest(got[n], zooMatrix(want, s, k, n))
				difference = math.Max(difference, d)
				if d > 1e-3 {
					t.Errorf("model %s, %s, %s: %g from the reference", id, measure, s.list()[n], d)
				}
				features := testdata.Must(Measure(got[n], DefaultThreshold))(t)
				if mean := s.Models[id].MatrixMean[measure][n]; math.Abs(features[Mean]-mean) > 1e-4 {
					t.Errorf("model %s, %s, %s: mean %v, want %v", id, measure, s.list()[n], features[Mean], mean)
				}
			}
		}
	}
	fmt.Printf("zoo scenes: %d models, largest difference %.3g (matrices from signals)\n", len(ids), difference)
}
