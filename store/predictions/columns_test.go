package predictions

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/csvfile"
	"github.com/variscope/variscope/internal/testdata"
)

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
		if _, err := Read(put(t, "table.csv", text), nil, 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
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
	files, err := filepath.Glob(filepath.Join(folder, "cases", "predictions*", "*.*"))
	must(t, err)
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
