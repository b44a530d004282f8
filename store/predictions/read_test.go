package predictions

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func mustRead(t *testing.T, path string, names []string, classes int) Table {
	t.Helper()
	table, err := Read(path, names, classes)
	must(t, err)
	return table
}

func compare(t *testing.T, got, want Table) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
}

func TestReadCSV(t *testing.T) {
	for _, c := range []struct {
		name, text string
		names      []string
		classes    int
		want       Table
	}{
		{
			"numbers", "a,b,c\n0,1,1\n2,0,1\n", nil, 0,
			Table{Models: []string{"a", "b", "c"}, Samples: 2, Classes: 3, Labels: []int32{0, 1, 1, 2, 0, 1}},
		},
		{
			"everything", "image,truth,a,b\nx.png,1,0,1\ny.png,,1,1\n", nil, 4,
			Table{
				Models: []string{"a", "b"}, Samples: 2, Classes: 4, SampleNames: []string{"x.png", "y.png"},
				Labels: []int32{0, 1, 1, 1}, Truth: []int32{1, -1},
			},
		},
		{
			"other order, mark and spaces", "\ufeffa, truth ,image,b\r\n 1 , -1 ,=x,0\r\n", nil, 0,
			Table{
				Models: []string{"a", "b"}, Samples: 1, Classes: 2, SampleNames: []string{"=x"},
				Labels: []int32{1, 0}, Truth: []int32{-1},
			},
		},
		{
			"names that occur", "a,b,truth\ndog,cat,eel\ndog,dog,\n", nil, 0,
			Table{
				Models: []string{"a", "b"}, Samples: 2, Classes: 3, ClassNames: []string{"cat", "dog", "eel"},
				Labels: []int32{1, 0, 1, 1}, Truth: []int32{2, -1},
			},
		},
		{
			"names that are given", "a,b\ndog,cat\n",
			[]string{"eel", "dog", "cat"},
			0,
			Table{
				Models: []string{"a", "b"}, Samples: 1, Classes: 3, ClassNames: []string{"eel", "dog", "cat"},
				Labels: []int32{1, 2},
			},
		},
		{
			"numbers for given names", "a,b\n2,0\n",
			[]string{"eel", "dog", "cat"},
			3,
			Table{
				Models: []string{"a", "b"}, Samples: 1, Classes: 3, ClassNames: []string{"eel", "dog", "cat"},
				Labels: []int32{2, 0},
			},
		},
		{
			"names that look like numbers", "a,b\n2,1\n",
			[]string{"2", "1"},
			0,
			Table{
				Models: []string{"a", "b"}, Samples: 1, Classes: 2, ClassNames: []string{"2", "1"},
				Labels: []int32{0, 1},
			},
		},
		{
			"more classes than occur", "a,b\nx,x\n", nil, 3,
			Table{
				Models: []string{"a", "b"}, Samples: 1, Classes: 3,
				ClassNames: []string{"x", "(class 1)", "(class 2)"}, Labels: []int32{0, 0},
			},
		},
		{
			"one class is two", "a,b\n0,0\n", nil, 0,
			Table{Models: []string{"a", "b"}, Samples: 1, Classes: 2, Labels: []int32{0, 0}},
		},
		{
			"semicolons and Latin-1", "sep=;\nimage;a;b;\n\xe4;caf\xe9;x;\n;;\nb;x;x;\n", nil, 0,
			Table{
				Models: []string{"a", "b"}, Samples: 2, Classes: 2, ClassNames: []string{"café", "x"},
				SampleNames: []string{"ä", "b"}, Labels: []int32{0, 1, 1, 1},
				Form: "separated by semicolons, read as Windows-1252 (Latin-1), since it is not UTF-8",
			},
		},
		{
			"for spreadsheets", "'-a,b,for_spreadsheets\n'=x,y,true\n", nil, 0,
			Table{
				Models: []string{"-a", "b"}, Samples: 1, Classes: 2, ClassNames: []string{"=x", "y"},
				Labels: []int32{0, 1},
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.want.Name = "table"
			compare(t, mustRead(t, put(t, "table.csv", c.text), c.names, c.classes), c.want)
		})
	}
}

func TestReadArray(t *testing.T) {
	whole := []int64{0, 1, 2, 2, 1, 0}
	want := Table{
		Name: "p", Models: []string{"m1", "m2", "m3"}, Samples: 2, Classes: 3, Labels: []int32{0, 1, 2, 2, 1, 0},
	}
	compare(t, mustRead(t, put(t, "p.npy", string(npy(t, "<i8", false, []int{2, 3}, whole))), nil, 0), want)
	compare(t, mustRead(t, put(t, "p.npy", string(npy(t, ">i2", false, []int{2, 3}, []int16{0, 1, 2, 2, 1, 0}))), nil,
		0), want)
	compare(t, mustRead(t, put(t, "p.npy", string(npy(t, "|u1", true, []int{2, 3}, []uint8{0, 2, 1, 1, 2, 0}))), nil,
		0), want)
	path := put(t, "p.npy", string(npy(t, "<u4", false, []int{2, 3}, []uint32{0, 1, 2, 2, 1, 0})))
	putIn(t, filepath.Dir(path), "p.txt", "big\nsmall\r\nodd one\n\n")
	want.Models = []string{"big", "small", "odd one"}
	compare(t, mustRead(t, path, nil, 0), want)

	soft := []float64{.5, .5, 0, 0, .25, .75, 1, 0, 0, .2, .4, .4}
	want = Table{
		Name: "p", Models: []string{"m1", "m2"}, Samples: 2, Classes: 3, Labels: []int32{0, 0, 2, 1},
		Probabilities: [][]float32{{.5, .5, 0, 0, .25, .75}, {1, 0, 0, .2, .4, .4}},
	}
	compare(t, mustRead(t, put(t, "p.npy", string(npy(t, "<f8", false, []int{2, 2, 3}, soft))), nil, 3), want)
	columns := make([]float32, 12)
	for k, p := range soft { // models x images x classes, the first index fastest
		columns[k/6+2*(k/3%2)+4*(k%3)] = float32(p)
	}
	compare(t, mustRead(t, put(t, "p.npy", string(npy(t, ">f4", true, []int{2, 2, 3}, columns))), nil, 0), want)
}

func TestReadArchive(t *testing.T) {
	content := npz(
		t,
		member{"soft", npy(t, "<f4", false, []int{2, 3}, []float32{.1, .2, .7, .4005, .3, .3})},
		member{"truth", npy(t, "<i8", false, []int{2}, []int64{2, -7})},
		member{"hard", npy(t, "<i4", false, []int{2}, []int32{1, 0})},
	)
	got := mustRead(t, put(t, "p.npz", string(content)), []string{"x", "y", "z"}, 0)
	sum := 0.0
	for _, p := range got.Probabilities[0][3:] {
		sum += float64(p)
	}
	if math.Abs(sum-1) > 1e-6 {
		t.Errorf("the second row sums to %v", sum)
	}
	got.Probabilities[0] = nil
	compare(t, got, Table{
		Name: "p", Models: []string{"soft", "hard"}, Samples: 2, Classes: 3, ClassNames: []string{"x", "y", "z"},
		Labels: []int32{2, 1, 0, 0}, Truth: []int32{2, -1}, Probabilities: [][]float32{nil, nil},
	})
}

func TestReadFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "all")
	must(t, os.Mkdir(folder, 0o755))
	putIn(t, folder, "m10.npy", string(npy(t, "<f4", false, []int{2, 2}, []float32{.25, .75, 1, 0})))
	putIn(t, folder, "m2.csv", "image,dog,cat\na,0.5,0.5\nb,1,0\n")
	putIn(t, folder, "truth.csv", "image,truth\na,cat\nb,\n")
	putIn(t, folder, "readme.md", "nothing")
	putIn(t, folder, ".hidden.csv", "nothing")
	want := Table{
		Name: "all", Models: []string{"m2", "m10"}, Samples: 2, Classes: 2, ClassNames: []string{"cat", "dog"},
		SampleNames: []string{"a", "b"}, Labels: []int32{0, 1, 1, 0}, Truth: []int32{0, -1},
		Probabilities: [][]float32{{.5, .5, 0, 1}, {.25, .75, 1, 0}},
	}
	compare(t, mustRead(t, folder, []string{"cat", "dog"}, 0), want)
	putIn(t, folder, "classes.txt", "cat\ndog\n")
	compare(t, mustRead(t, folder, nil, 0), want)
	must(t, os.Remove(filepath.Join(folder, "classes.txt")))
	want.ClassNames, want.Labels, want.Truth = []string{"dog", "cat"}, []int32{0, 1, 0, 0}, []int32{1, -1}
	want.Probabilities[0] = []float32{.5, .5, 1, 0}
	compare(t, mustRead(t, folder, nil, 0), want)
	putIn(t, folder, "m2.csv", "1,0\n0.5,0.5\n1,0\n")
	putIn(t, folder, "truth.csv", "truth\n1\n0\n")
	want.ClassNames, want.SampleNames, want.Labels, want.Truth = nil, nil, []int32{0, 1, 1, 0}, []int32{1, 0}
	want.Probabilities[0] = []float32{.5, .5, 0, 1}
	compare(t, mustRead(t, folder, nil, 0), want)
}

func TestClassNames(t *testing.T) {
	names, err := ClassNames(put(t, "c.txt", "\ufeffcat\r\n dog \n\n"))
	if err != nil || !slices.Equal(names, []string{"cat", "dog"}) {
		t.Errorf("%q %v", names, err)
	}
	for text, want := range map[string]string{
		"": "is empty", "a\n\nb": "class 2 has no name",
		"a\na": "class a is there twice",
	} {
		if _, err := ClassNames(put(t, "c.txt", text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, err := ClassNames("nowhere.txt"); err == nil {
		t.Error("a file that is not there is read")
	}
}

func TestDataOfATable(t *testing.T) {
	soft := Table{
		Name: "t", Models: []string{"a", "b"}, Samples: 2, Classes: 2, Labels: []int32{0, 1, 1, 1},
		Truth: []int32{1, -1}, Probabilities: [][]float32{{.75, .25, .5, .5}, {0, 1, 0, 1}},
	}
	d := soft.Data()
	if len(d.Models) != 2 || d.Models[1].ID != "b" || d.Models[1].Hash != "" || d.Samples != 2 || d.Classes != 2 {
		t.Errorf("%+v", d)
	}
	if !slices.Equal(d.Confidence, []float64{.625, 1}) {
		t.Errorf("confidences %v", d.Confidence)
	}
	rows, err := d.Softmax(t.Context(), 1)
	if err != nil || !slices.Equal(rows, soft.Probabilities[1]) {
		t.Errorf("%v %v", rows, err)
	}
	if _, err := d.Softmax(t.Context(), 2); err == nil {
		t.Error("a third model has probabilities")
	}
	soft.Probabilities[0] = nil
	if d := soft.Data(); d.Softmax != nil || !math.IsNaN(d.Confidence[0]) || d.Confidence[1] != 1 {
		t.Errorf("%v", d.Confidence)
	}
	soft.Probabilities = nil
	if d := soft.Data(); d.Softmax != nil || d.Confidence != nil {
		t.Errorf("%v", d.Confidence)
	}
}

// Tables that were written with missing values in them hold their whole numbers as floats.
func TestClassesThatWereWrittenAsFloats(t *testing.T) {
	got, err := Read(put(t, "table.csv", "a,truth\n0.0,2.00\n2.0,1\n"), nil, 3)
	if err != nil || got.ClassNames != nil || !slices.Equal(got.Labels, []int32{0, 2}) ||
		!slices.Equal(got.Truth, []int32{2, 1}) {
		t.Errorf("%+v, %v", got, err)
	}
}
