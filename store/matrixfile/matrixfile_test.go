package matrixfile

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sbinet/npyio/npz"
	"gonum.org/v1/gonum/mat"

	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/testdata"
)

// exported writes matrices of 5 x 5 of two models.
func exported(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "matrices.npz")
	five := make([]float64, 25)
	for k := range five {
		five[k] = float64(k)
	}
	testdata.OK(t, npz.Write(path, map[string]any{
		"V": []float64{-10, -5, 0, 5, 10}, "a/max@CONF": mat.NewDense(5, 5, five),
		"a/mean@CONV-1": mat.NewDense(5, 5, five), "b/max@CONF": mat.NewDense(5, 5, five),
	}))
	return path
}

// TestFilesSayTheDevice: beside matrices that a GPU has computed lies a table that says so, and
// figures do, too.
func TestFilesSayTheDevice(t *testing.T) {
	s := testdata.Must(Read(exported(t)))(t)
	for k := range s.Items {
		s.Items[k].FromFile, s.Items[k].Images = false, 7
	}
	folder := t.TempDir()
	if files, err := s.Write(folder, []string{"npz"}); err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	s.Items[1].Device = "webgpu"
	if files, err := s.Write(folder, []string{"npz", "svg"}); err != nil || len(files) != 3+len(s.Items) {
		t.Fatalf("%v, %v", files, err)
	}
	table, err := os.ReadFile(filepath.Join(folder, "matrices.csv"))
	if err != nil || strings.Count(string(table), ",cpu") != len(s.Items)-1 ||
		strings.Count(string(table), ",webgpu") != 1 {
		t.Errorf("%v, %s", err, table)
	}
	for _, d := range s.Figures()[1:] {
		if says := d.Name == "a_mean@CONV-1"; strings.Contains(d.Figure.Note, "computed on webgpu") != says {
			t.Errorf("the figure %s says the wrong device: %s", d.Name, d.Figure.Note)
		}
	}
}

// TestOneFigureHasAllMatrices: a row per modality and a column per model, hatched where a model has
// no such matrix; models that are too many for a figure are parted evenly.
func TestOneFigureHasAllMatrices(t *testing.T) {
	s := testdata.Must(Read(exported(t)))(t)
	s.Axis.Values = []float64{-2, -1, 0, 1, 2} // among the places
	list := s.Figures()
	all := list[0].Figure
	if list[0].Name != "matrices" || len(list) != 1+len(s.Items) || all.Check() != nil {
		t.Fatalf("%d figures, the first is %s: %v", len(list), list[0].Name, all.Check())
	}
	if fmt.Sprint(all.X.Names, all.Y.Names) != "[a b] [max@CONF mean@CONV-1]" ||
		all.Grid[1][0].Matrix.Values[24] != 24 ||
		all.Grid[1][1].Drawable() || all.Note != "V_i upwards, V_j to the right: V from -2 to 2" {
		t.Errorf("%v, %v, %s", all.X.Names, all.Y.Names, all.Note)
	}
	for k := range 11 {
		it := s.Items[0]
		it.Model = fmt.Sprint("m", k)
		s.Items = append(s.Items, it)
	}
	list = s.Figures()
	if list[1].Name != "matrices_2" || len(list[0].Figure.X.Names) != 7 || len(list[1].Figure.X.Names) != 6 {
		t.Errorf("%s of %v, %s of %v", list[0].Name, list[0].Figure.X.Names, list[1].Name, list[1].Figure.X.Names)
	}
	if some, _ := s.Only([]string{"b"}, nil, 0); len(some.Figures()) != 1 {
		t.Error("one matrix alone is drawn twice")
	}
}

// TestArchivesAreBounded as a whole: each array may be small enough.
func TestArchivesAreBounded(t *testing.T) {
	path := exported(t)
	if _, err := readUpTo(path, 75); err != nil {
		t.Error(err)
	}
	testdata.Refused(t, "error", testdata.Err(readUpTo(path, 74)), "more numbers than can be read")
}

func TestNamesOfArrays(t *testing.T) {
	for _, c := range [][4]string{
		{"s11/max@CONF", "/", "s11", "max@CONF"},
		{"a/b/max@CONF", "/", "a/b", "max@CONF"},
		{"m/max@/layer1/conv", "/", "m", "max@/layer1/conv"},
		{"my_model_mean@CONV-1", "_", "my_model", "mean@CONV-1"},
		{"some/thing", "/", "some", "thing"},
		{"one", "_", "one", ""},
	} {
		if id, modality, _ := splitName(c[0], c[1]); id != c[2] || modality != c[3] {
			t.Errorf("%s is %q and %q", c[0], id, modality)
		}
	}
}

// Two models whose names differ in what no file's name can hold have a file each.
func TestNamesOfFilesDiffer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.npz")
	s := &Set{}
	for _, id := range []string{"a:b", "A?b"} {
		s.Items = append(s.Items, variance.Of{Model: id, Modality: "max@CONF"})
		s.Items[len(s.Items)-1].Matrix.N, s.Items[len(s.Items)-1].Matrix.Data = 3, make([]float64, 9)
	}
	testdata.OK(t, s.index())
	files, err := s.Write(filepath.Dir(path), []string{"npy", "csv"})
	for k := range files {
		files[k] = strings.ToLower(files[k]) // as some disks take them
	}
	if err != nil || len(slices.Compact(slices.Sorted(slices.Values(files)))) != 4 {
		t.Errorf("%v, %v", files, err)
	}
}

// TestFilesOfBands: the ends of bands are matrices in files of their own, which can be read, and
// pictures show their widths; what has no band is not among them.
func TestFilesOfBands(t *testing.T) {
	matrix := func(v float64) variance.Matrix {
		return variance.Matrix{N: 3, Data: []float64{0, v, v, v, 0, v, v, v, 0}}
	}
	s := &Set{Items: []variance.Of{
		{
			Model: "a", Modality: "max@CONF", Images: 9, Matrix: matrix(0.2),
			Band: variance.Band{Low: matrix(0.125), High: matrix(0.25)},
		},
		{Model: "b", Modality: "max@CONF", Images: 7, Matrix: matrix(0.3)},
	}}
	s.Banded(variance.Bootstrap{Resamples: 500, Seed: 4})
	testdata.OK(t, s.index())
	folder := t.TempDir()
	files, err := s.Write(folder, []string{"npz", "csv", "svg"})
	for k, path := range files {
		files[k] = filepath.Base(path)
	}
	want := []string{
		"matrices.npz", "matrices_low.npz", "matrices_high.npz", "a_max@CONF.csv", "b_max@CONF.csv",
		"a_max@CONF_low.csv", "a_max@CONF_high.csv", "matrices.svg", "a_max@CONF.svg", "b_max@CONF.svg",
		"a_max@CONF_width.svg",
	}
	if err != nil || !slices.Equal(files, want) {
		t.Errorf("%v, %v", files, err)
	}
	low, err := Read(filepath.Join(folder, "matrices_low.npz"))
	if err != nil || len(low.Items) != 1 || low.Items[0].Matrix.At(1, 0) != 0.125 {
		t.Errorf("%+v, %v", low, err)
	}
	width := s.widths()[0].Figure
	if width.Matrix.Values[1] != 0.125 || !strings.Contains(width.Note, "500 resamples of the images, seed 4") {
		t.Errorf("%+v", width)
	}
}
