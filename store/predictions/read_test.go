package predictions

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/csvfile"
	"github.com/variscope/variscope/internal/testdata"
)

func mustRead(t *testing.T, path string, names []string, classes int) Table {
	t.Helper()
	return testdata.Must(Read(path, names, classes))(t)
}

func compare(t *testing.T, got, want Table) {
	t.Helper()
	testdata.NoDiff(t, "want -, got +", cmp.Diff(want, got))
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
			"classes as floats", "a,truth\n0.0,2.00\n2.0,1\n", nil, 3,
			Table{Models: []string{"a"}, Samples: 2, Classes: 3, Labels: []int32{0, 2}, Truth: []int32{2, 1}},
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
		testdata.Refused(t, text, testdata.Err(ClassNames(put(t, "c.txt", text))), want)
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

func TestClassNamesAreTypedOrInAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "names.txt")
	must(t, os.WriteFile(path, []byte("cat\ndog\n"), 0o600))
	for text, want := range map[string][]string{"": nil, " cat , dog ": {"cat", "dog"}, path: {"cat", "dog"}} {
		if got, err := ParseClasses(text); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{"cat,,dog": "empty one", "cat": "neither a file nor a list"} {
		testdata.Refused(t, text, testdata.Err(ParseClasses(text)), want)
	}
}

// left are the names of what a table leaves out.
func left(t Table) (names []string) {
	for _, l := range t.LeftOut {
		names = append(names, l.ID)
	}
	return names
}

func TestColumnsThatAreNoModels(t *testing.T) {
	var long strings.Builder
	long.WriteString("key,a,b\n")
	for i := range 70000 { // more texts than there may be classes
		fmt.Fprintf(&long, "k%d,x,y\n", i)
	}
	for _, c := range []struct {
		text               string
		classes            int
		models, out, names string
		truth              []int32
	}{
		{
			"Image,Truth,big,small\nq1,cat,cat,cat\nq2,dog,dog,cat\n", 0, "big small", "Image Truth", "q1 q2",
			[]int32{0, 1},
		},
		{
			"filename,label,Y-True,big,id\nq1,dog,cat,cat,3\nq2,cat,dog,dog,4\n", 0, "big", "filename label Y-True id",
			"q1 q2",
			[]int32{0, 1},
		},
		{"key,a,b\nq1,x,y\nq2,y,x\nq3,y,y\n", 0, "a b", "key", "", nil},
		{",a,b\n0,1,1\n1,0,1\n2,0,0\n3,0,0\n", 0, "a b", "Unnamed: 0", "0 1 2 3", nil},
		{"n,a,b\n4,1,1\n5,0,1\n6,0,0\n", 0, "a b", "n", "", nil},
		{"n,a,b\n4,1,1\n5,0,1\n6,0,0\n", 7, "n a b", "", "", nil},      // as many classes are known
		{"a,b\n0,1\n1,2\n2,0\n", 0, "a b", "", "", nil},                // few images, all of a class of its own
		{"a,truth\nx,y\ny,z\nz,x\n", 0, "a", "", "", []int32{1, 2, 0}}, // the only model
		{long.String(), 0, "a b", "key", "", nil},
	} {
		table, err := Read(put(t, "table.csv", c.text), nil, c.classes)
		if err != nil {
			t.Errorf("%.40q: %v", c.text, err)
			continue
		}
		got := []string{
			strings.Join(table.Models, " "), strings.Join(left(table), " "), strings.Join(table.SampleNames, " "),
		}
		if want := []string{c.models, c.out, c.names}; !slices.Equal(got, want) || c.truth != nil &&
			!slices.Equal(table.Truth, c.truth) {
			t.Errorf("%.40q: %q %v, want %q %v", c.text, got, table.Truth, want, c.truth)
		}
	}
	for text, want := range map[string]string{
		"label,target\n1,2\n":                  "there is no column of a model",
		"a,b\nx,k\ny,l\nz,m\n":                 "the cells of every column all differ",
		"a,b,label\ncat,dog,1\ndog,dog,0\n":    `line 2, column a: "cat" is a name, and in line 2, column label stands the number 1`,
		"a,b,label\n1,0,dog\n1,1,cat\n0,1,cat": `column label: "dog" is a name, and in line 2, column a stands the number 1`,
	} {
		testdata.Refused(t, text, testdata.Err(Read(put(t, "table.csv", text), nil, 0)), want)
	}
}

func TestArraysThatAreNoModels(t *testing.T) {
	three := func(values ...int32) []byte { return npy(t, "<i4", false, []int{len(values)}, values) }
	content := npz(t, member{"a", three(0, 1, 1)}, member{"b", three(0, 0, 1)}, member{"keys", three(7, 8, 9)},
		member{"y_true", npy(t, "<i8", false, []int{3, 1}, []int64{0, 1, 0})}, member{"labels", three(1, 1, 1)},
		member{"filenames", npy(t, "<U2", false, []int{3}, []int64{1, 2, 3})})
	got := mustRead(t, put(t, "p.npz", string(content)), nil, 0)
	if !slices.Equal(got.Models, []string{"a", "b"}) || !slices.Equal(got.Truth, []int32{0, 1, 0}) ||
		!slices.Equal(left(got), []string{"y_true", "labels", "filenames", "keys"}) {
		t.Errorf("%q %v %q", got.Models, got.Truth, left(got))
	}
	folder := t.TempDir()
	putIn(t, folder, "a.npy", string(three(0, 1, 1)))
	putIn(t, folder, "Labels.csv", "filename,label\np,1\nq,0\nr,1\n")
	putIn(t, folder, "index.npy", string(three(0, 1, 2)))
	if got := mustRead(t, folder, nil, 0); !slices.Equal(got.Models, []string{"a"}) ||
		!slices.Equal(got.Truth, []int32{1, 0, 1}) {
		t.Errorf("%q %v %q", got.Models, got.Truth, left(got))
	}
}

// TestZooExportsPredictions: in no table of the zoo is a column of labels, ids or files a model.
func TestZooExportsPredictions(t *testing.T) {
	folder, ok := testdata.Zoo("exports")
	if !ok {
		fmt.Println("zoo exports predictions: absent")
		return
	}
	files := testdata.Must(filepath.Glob(filepath.Join(folder, "cases", "predictions*", "*.*")))(t)
	tables, aside := 0, 0
	for _, path := range files {
		table, err := Read(path, nil, 0)
		if err != nil {
			t.Errorf("%s: %v", filepath.Base(path), err)
			continue
		}
		tables, aside = tables+1, aside+len(table.LeftOut)
		for _, name := range table.Models {
			if csvfile.Named(truthNames, name) >= 0 || csvfile.Named(imageNames, name) >= 0 {
				t.Errorf("%s: %s is taken for a model", filepath.Base(path), name)
			}
		}
		t.Logf("%s: models %q, left out %v, true classes %v", filepath.Base(path), table.Models, table.LeftOut,
			table.Truth != nil)
	}
	fmt.Printf("zoo exports predictions: %d tables, %d columns and arrays are no models\n", tables, aside)
}
