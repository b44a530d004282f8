package predictions

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

func TestBadCSV(t *testing.T) {
	for _, c := range []struct {
		name, text string
		names      []string
		classes    int
		want       string
	}{
		{"empty", "", nil, 0, "it is empty"},
		{"no rows", "a,b\n", nil, 0, "lists no predictions"},
		{"no models", "image,truth\nx,1\n", nil, 0, "line 1: there is no column of a model"},
		{"twice", "a,b,a\n0,0,0\n", nil, 0, "line 1: column a is there twice"},
		{"no name", "a,,b\n0,0,0\n", nil, 0, "line 1: column 2 has no name"},
		{"ragged", "a,b\n0,1\n0\n", nil, 0, "line 3: there are 1 cells in place of 2"},
		{"too long", "a,b\n0,1,2\n", nil, 0, "line 2: there are 3 cells in place of 2"},
		{"missing", "a,b\n0,1\n0,\n", nil, 0, "line 3, column b: there is no prediction"},
		{"negative", "a,b\n0,1\n0,-1\n", nil, 0, "line 3, column b: -1 is no class"},
		{"beyond", "a,b\n0,1\n0,3\n", nil, 3, "line 3, column b: there is no class 3; there are 3 classes"},
		{"truth beyond", "a,truth\n0,1\n0,3\n", nil, 3, "line 3, column truth: there is no class 3"},
		{"huge", "a,b\n0,99999999\n", nil, 0, "line 2, column b: there is no class 99999999"},
		{
			"unknown name", "a,b\ncat,dog\ncat,ox\n",
			[]string{"cat", "dog"},
			0,
			`line 3, column b: "ox" is none of the classes`,
		},
		{"mixed", "a,b\ncat,1\n", []string{"cat", "dog"}, 0, `line 2, column b: "1" is none of the classes`},
		{"too many names", "a,b\nx,y\nz,x\n", nil, 2, "3 different classes occur in place of 2"},
		{"quotes", "a,b\n\"0,1\n", nil, 0, "line"},
		{"names and number", "a,b\n0,1\n", []string{"x", "y"}, 3, "names of 2 classes for 3 classes"},
		{"one name", "a,b\n0,1\n", []string{"x"}, 0, "at least 2"},
		{"names twice", "a,b\n0,1\n", []string{"x", "x"}, 0, "class x is there twice"},
		{"one class", "a,b\n0,1\n", nil, 1, "1 is no number of classes"},
		{"far beyond", "a,b\n0,999999999999\n", nil, 0, "column b: there is no class 999999999999; at most"},
		{
			"probabilities", "a,b\n0,0.25\n", nil, 0,
			"line 2, column b: 0.25 is no class; a table of models holds classes",
		},
		{"true probabilities", "a,truth\n0,.5\n", nil, 0, "line 2, column truth: .5 is no class"},
		{"long name", "a,b\n" + strings.Repeat("x", 2000) + ",y\n", nil, 0, "the name of one is too long"},
		{"long image", "a,image\n0," + strings.Repeat("x", 2000) + "\n", nil, 0, "the name is longer"},
	} {
		path := put(t, "table.csv", c.text)
		testdata.Refused(t, c.name, testdata.Err(Read(path, c.names, c.classes)), c.want, "table.csv")
	}
}

func TestBadArrays(t *testing.T) {
	good := npy(t, "<i4", false, []int{2, 2}, []int32{0, 1, 1, 0})
	soft := func(shape []int, values ...float32) []byte { return npy(t, "<f4", false, shape, values) }
	for _, c := range []struct {
		name    string
		content []byte
		classes int
		want    string
	}{
		{"empty", nil, 0, "no array in NumPy's format"},
		{"text", []byte("hello, world"), 0, "no array in NumPy's format"},
		{"cut header", good[:40], 0, "header is cut short"},
		{"long header", append([]byte("\x93NUMPY\x02\x00"), 255, 255, 255, 127), 0, "header is too long"},
		{"cut numbers", good[:len(good)-3], 0, "cut short: there are fewer than 4 numbers"},
		{"objects", npy(t, "|O8", false, []int{2, 2}, []int64{0, 0, 0, 0}), 0, "cannot be read"},
		{"half floats", npy(t, "<f2", false, []int{1, 1, 2}, []int16{0, 0}), 0, "save it as float32"},
		{
			"floats of classes", soft([]int{1, 2}, 0, 1), 0,
			"it holds floats of shape [1 2]; it takes whole numbers, images x models",
		},
		{"huge shape", npy(t, "<i4", false, []int{1 << 40, 1 << 40}, []int32{1}), 0, "that is too large"},
		{"large shape", npy(t, "<i4", false, []int{1 << 20, 1 << 20}, []int32{1}), 0, "that is too large"},
		{"lying shape", npy(t, "<i4", false, []int{1 << 20, 200}, []int32{1}), 0, "cut short"},
		{
			"rank 1", npy(t, "<i4", false, []int{2}, []int32{1, 0}), 0,
			"it holds whole numbers of shape [2]; it takes whole numbers, images x models",
		},
		{"floats of rank 2", soft([]int{1, 2}, .5, .5), 0, "models x images x classes"},
		{
			"whole numbers of rank 3", npy(t, "<i4", false, []int{1, 1, 2}, []int32{0, 1}), 0,
			"models x images x classes",
		},
		{"no images", npy(t, "<i4", false, []int{0, 2}, []int32{}), 0, "model m1 has no predictions"},
		{"no models", npy(t, "<i4", false, []int{2, 0}, []int32{}), 0, "no predictions of a model"},
		{"many models", npy(t, "<i4", false, []int{1, maxModels + 1}, make([]int32, maxModels+1)), 0, "at most 16384"},
		{"negative", npy(t, "<i4", false, []int{2, 1}, []int32{0, -1}), 0, "model m1, image 1: -1 is no class"},
		{"large", npy(t, "<i4", false, []int{1, 1}, []int32{1 << 20}), 0, "is no class"},
		{"too large for a class", npy(t, "<u8", false, []int{1, 1}, []uint64{1 << 63}), 0, "too large for a class"},
		{
			"beyond", npy(t, "<i4", false, []int{2, 1}, []int32{0, 7}), 5,
			"model m1, image 1: there is no class 7; classes are 0 to 4",
		},
		{
			"sum", soft([]int{1, 2, 2}, .5, .5, .5, .502), 0,
			"model m1, image 1: the probabilities sum to 1.002 in place of 1",
		},
		{"NaN", soft([]int{1, 1, 2}, .5, float32(math.NaN())), 0, "image 0: the probability of class 1 is NaN"},
		{"infinite", soft([]int{1, 1, 2}, float32(math.Inf(1)), 0), 0, "the probability of class 0 is +Inf"},
		{"logits", soft([]int{1, 1, 2}, 3, -2), 0, "class 1 is negative (-2); are these logits?"},
		{"other number of classes", soft([]int{1, 1, 2}, .5, .5), 3, "2 classes in place of 3"},
		{"one class", soft([]int{1, 1, 1}, 1), 0, "at least 2 are needed"},
	} {
		path := put(t, "p.npy", string(c.content))
		testdata.Refused(t, c.name, testdata.Err(Read(path, nil, c.classes)), c.want, "p.npy")
	}
	path := put(t, "p.npy", string(good))
	for text, want := range map[string]string{
		"one\n":  "2 models, and the text file beside it 1 names",
		"x\nx\n": "model x is there twice", "": "is empty",
	} {
		putIn(t, filepath.Dir(path), "p.txt", text)
		if _, err := Read(path, nil, 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("names %q: %v", text, err)
		}
	}
}

func TestBadArchives(t *testing.T) {
	soft := func(samples, classes int) []byte {
		values := make([]float32, samples*classes)
		for k := range values {
			values[k] = 1 / float32(classes)
		}
		return npy(t, "<f4", false, []int{samples, classes}, values)
	}
	hard := func(values ...int32) []byte { return npy(t, "<i4", false, []int{len(values)}, values) }
	for _, c := range []struct {
		name    string
		members []member
		want    string
	}{
		{"empty", nil, "no predictions of a model"},
		{"only truth", []member{{"truth", hard(0, 1)}}, "no predictions of a model"},
		{
			"class counts",
			[]member{{"a", soft(2, 3)}, {"b", soft(2, 4)}},
			"model b has 4 classes and model a 3; only models of the same classes",
		},
		{
			"lengths",
			[]member{{"a", soft(2, 3)}, {"b", soft(3, 3)}},
			"model b has predictions of 3 images and model a of 2; all must be of the same images",
		},
		{"lengths of classes", []member{{"a", soft(2, 3)}, {"b", hard(1)}}, "model b has predictions of 1 images"},
		{"truth", []member{{"a", soft(2, 3)}, {"truth", hard(1)}}, "1 true classes for 2 images"},
		{"float truth", []member{{"truth", soft(2, 3)}}, "true classes are whole numbers"},
		{"truth beyond", []member{{"a", soft(1, 3)}, {"truth", hard(3)}}, "truth, image 0: there is no class 3"},
		{"classes beyond", []member{{"a", soft(1, 3)}, {"b", hard(3)}}, "model b, image 0: there is no class 3"},
		{"twice", []member{{"a", hard(0)}, {"a", hard(1)}}, "model a is there twice"},
		{"no name", []member{{"", hard(0)}}, "model 1 has no name"},
		{"rank", []member{{"a", npy(t, "<f4", false, []int{2}, []float32{1, 0})}}, "array a: its shape is [2]"},
		{"text", []member{{"a", []byte("text")}}, "array a: it is no array"},
	} {
		path := put(t, "p.npz", string(npz(t, c.members...)))
		testdata.Refused(t, c.name, testdata.Err(Read(path, nil, 0)), c.want, "p.npz")
	}
	testdata.Refused(t, "error", testdata.Err(Read(put(t, "p.npz", "no zip"), nil, 0)), "no zip archive")
}

func TestBadFolders(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"empty", nil, "holds no predictions"},
		{
			"classes",
			map[string]string{"a.csv": "x,y\n1,0\n", "b.csv": "x,z\n1,0\n"},
			`line 1: "z" is none of the classes of the other files`,
		},
		{
			"fewer classes",
			map[string]string{"a.csv": "x,y,z\n1,0,0\n", "b.csv": "x,y\n1,0\n"},
			"2 classes in place of 3",
		},
		{"one class", map[string]string{"a.csv": "x\n1\n"}, "a column for each class, at least 2"},
		{"word", map[string]string{"a.csv": "x,y\n1,no\n"}, `line 2, column y: "no" is no probability`},
		{"sum", map[string]string{"a.csv": "image,x,y\n1,1,0\n2,0.5,0.4\n"}, "line 3: the probabilities sum to 0.9"},
		{"not a number", map[string]string{"a.csv": "x,y\nNaN,1\n"}, "line 2: the probability of class 0 is NaN"},
		{"no rows", map[string]string{"a.csv": "x,y\n"}, "model a has no predictions"},
		{
			"other images",
			map[string]string{"a.csv": "image,x,y\np,1,0\nq,1,0\n", "b.csv": "x,image,y\n1,p,0\n1,r,0\n"},
			"line 3, column image: the image is r, and in another file q; list the same images in the same order",
		},
		{"other images of the truth", map[string]string{
			"a.csv":     "image,x,y\np,1,0\n",
			"truth.csv": "image,truth\nq,x\n",
		}, "the image is q, and in another file p"},
		{
			"truth column",
			map[string]string{"a.csv": "x,y\n1,0\n", "truth.csv": "class\n1\n"},
			`line 1: there is no column "truth"`,
		},
		{
			"truth name",
			map[string]string{"a.csv": "x,y\n1,0\n", "truth.csv": "truth\nox\n"},
			`true class "ox" of image 0 is none of the classes`,
		},
		{
			"truth length",
			map[string]string{"a.csv": "x,y\n1,0\n", "truth.csv": "truth\nx\ny\n"},
			"2 true classes for 1 images",
		},
		{"two of a name", map[string]string{
			"a.csv": "x,y\n1,0\n",
			"a.npy": string(npy(t, "<i4", false, []int{1}, []int32{1})),
		}, "model a is there twice"},
		{"class list", map[string]string{"a.csv": "x,y\n1,0\n", "classes.txt": "x\n"}, "at least 2"},
	} {
		folder := t.TempDir()
		for name, text := range c.files {
			putIn(t, folder, name, text)
		}
		testdata.Refused(t, c.name, testdata.Err(Read(folder, nil, 0)), c.want, folder)
	}
}

func TestOtherFiles(t *testing.T) {
	testdata.Refused(t, "error", testdata.Err(Read(put(t, "p.json", "{}"), nil, 0)), "no file of predictions")
	testdata.Refused(t, "error", testdata.Err(Read(filepath.Join(t.TempDir(), "gone.csv"), nil, 0)), "gone.csv")
}

// A few bytes that declare a gigabyte must not be believed.
func TestMemoryFollowsTheFile(t *testing.T) {
	content := npy(t, "<f8", false, []int{1 << 10, 1 << 10, 200}, []float64{1})
	path := put(t, "p.npy", string(content))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := Read(path, nil, 0); err == nil {
		t.Error("it is read")
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 8<<20 {
		t.Errorf("%d bytes were asked for", used)
	}
}

// checkTable holds a table that was read to what Read promises.
func checkTable(t *testing.T, table Table, err error) {
	t.Helper()
	if err != nil {
		return
	}
	n, m := len(table.Models), table.Samples
	if n < 1 || m < 1 || table.Classes < 2 || len(table.Labels) != n*m || table.Truth != nil && len(table.Truth) != m ||
		table.ClassNames != nil && len(table.ClassNames) != table.Classes || table.SampleNames != nil &&
		len(table.SampleNames) != m ||
		table.Probabilities != nil && len(table.Probabilities) != n {
		t.Fatalf("%d models, %d samples, %d classes, %d labels, %d true", n, m, table.Classes, len(table.Labels),
			len(table.Truth))
	}
	beyond := func(low int32) func(int32) bool {
		return func(class int32) bool { return class < low || int(class) >= table.Classes }
	}
	if slices.ContainsFunc(table.Labels, beyond(0)) || slices.ContainsFunc(table.Truth, beyond(-1)) {
		t.Fatal("a class does not exist")
	}
	for j, rows := range table.Probabilities {
		if rows == nil {
			continue
		}
		if len(rows) != m*table.Classes {
			t.Fatal("probabilities are missing")
		}
		for i := range m {
			if row := rows[i*table.Classes:][:table.Classes]; int32(largest(row)) != table.Labels[i*n+j] {
				t.Fatalf("model %d, image %d: %v", j, i, row)
			}
		}
	}
}

func FuzzReadCSV(f *testing.F) {
	f.Add("image,truth,a,b\nx,1,0,1\ny,,1,1\n", 0)
	f.Add("\ufeffa,b\ncat,dog\n'=x,dog\n", 3)
	f.Add("a,b\n\"0\n\",1\n-1,1\n", 2)
	f.Fuzz(func(t *testing.T, text string, classes int) {
		table, err := Read(put(t, "t.csv", text), nil, classes)
		checkTable(t, table, err)
	})
}

func FuzzReadArray(f *testing.F) {
	f.Add(npy(f, "<i8", false, []int{2, 2}, []int64{0, 1, 2, 1}))
	f.Add(npy(f, ">f4", true, []int{1, 2, 2}, []float32{.5, 1, .5, 0}))
	f.Add(npy(f, "|u1", true, []int{2, 1}, []uint8{3, 1}))
	f.Add(append([]byte("\x93NUMPY\x03\x00"), binary.LittleEndian.AppendUint32(nil, 4)...))
	f.Fuzz(func(t *testing.T, content []byte) {
		table, err := Read(put(t, "t.npy", string(content)), nil, 0)
		checkTable(t, table, err)
	})
}

func FuzzReadArchive(f *testing.F) {
	f.Add(npz(f, member{"a", npy(f, "<i4", false, []int{2}, []int32{0, 1})},
		member{"truth", npy(f, "<i4", false, []int{2}, []int32{0, -1})}))
	f.Add(npz(f, member{"a", npy(f, "<f8", false, []int{1, 2}, []float64{.5, .5})}))
	f.Fuzz(func(t *testing.T, content []byte) {
		table, err := Read(put(t, "t.npz", string(content)), nil, 0)
		checkTable(t, table, err)
	})
}

func FuzzReadFolder(f *testing.F) {
	f.Add("image,x,y\na,0.5,0.5\n", "truth\nx\n", "x\ny\n")
	f.Add("1,0\n0.25,0.75\n", "image,truth\na,1\n", "")
	f.Fuzz(func(t *testing.T, model, truth, classes string) {
		folder := t.TempDir()
		for i, text := range []string{model, truth} {
			putIn(t, folder, fmt.Sprintf("%s.csv", []string{"a", "truth"}[i]), text)
		}
		if classes != "" {
			putIn(t, folder, "classes.txt", classes)
		}
		table, err := Read(folder, nil, 0)
		checkTable(t, table, err)
		if err == nil && len(table.Models) != 1 {
			t.Fatal(table.Models)
		}
		_ = os.RemoveAll(folder)
	})
}
