package npz

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	numpy "github.com/sbinet/npyio/npz"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

var must = testdata.OK

// TestFilesAreNumPys reads our files with another reader of the format.
func TestFilesAreNumPys(t *testing.T) {
	arrays := []Array{
		{Name: "max@CONF", Shape: []int{2, 3}, Floats: []float32{1, 2, 3, 4, 5, 6.5}},
		{Name: "max@/conv/out", Shape: []int{1}, Floats: []float32{-1}},
		{Name: "prediction", Shape: []int{2, 1, 2}, Ints: []int32{1, -2, 3, 4}},
	}
	var out bytes.Buffer
	must(t, Encode(&out, arrays))
	r := testdata.Must(numpy.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len())))(t)
	testdata.NoDiff(t, "names",
		cmp.Diff([]string{"max@CONF.npy", "max@%2Fconv%2Fout.npy", "prediction.npy"}, r.Keys()))
	for _, a := range arrays {
		h := r.Header(member(a.Name))
		if h == nil || h.Descr.Fortran || !cmp.Equal(h.Descr.Shape, a.Shape) {
			t.Fatalf("%s: header %v", a.Name, h)
		}
	}
	var floats []float32
	if err := r.Read("max@CONF.npy", &floats); err != nil || !cmp.Equal(floats, arrays[0].Floats) {
		t.Error(floats, err)
	}
	var ints []int32
	if err := r.Read("prediction.npy", &ints); err != nil || !cmp.Equal(ints, arrays[2].Ints) {
		t.Error(ints, err)
	}
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shape := rapid.SliceOfN(rapid.IntRange(1, 5), 1, 3).Draw(t, "shape")
		n := Count(shape)
		a := Array{
			Name: rapid.StringN(1, 10, 20).Draw(t, "name"), Shape: shape,
			Floats: rapid.SliceOfN(rapid.Float32(), n, n).Draw(t, "floats"),
		}
		b := Array{Name: a.Name + "'", Shape: shape, Ints: rapid.SliceOfN(rapid.Int32(), n, n).Draw(t, "ints")}
		var out, again bytes.Buffer
		must(t, errors.Join(Encode(&out, []Array{a, b}), Encode(&again, []Array{a, b})))
		if !bytes.Equal(out.Bytes(), again.Bytes()) {
			t.Fatal("equal arrays gave different bytes")
		}
		f := testdata.Must(Open(bytes.NewReader(out.Bytes()), int64(out.Len())))(t)
		floats, err := f.Floats(a.Name, shape...)
		if err != nil || !cmp.Equal(floats, a.Floats) {
			t.Fatal(floats, err)
		}
		ints, err := f.Ints(b.Name, shape...)
		if err != nil || !cmp.Equal(ints, b.Ints) {
			t.Fatal(ints, err)
		}
		testdata.Refused(t, "took another shape", testdata.Err(f.Floats(a.Name, append([]int{7}, shape...)...)))
		testdata.Refused(t, "took another type", testdata.Err(f.Ints(a.Name, shape...)))
		testdata.ErrorIs(t, "Floats", testdata.Err(f.Floats("absent", shape...)), ErrNoArray)
	})
}

func TestRefusesWrongLengths(t *testing.T) {
	for _, a := range []Array{{Name: "a", Shape: []int{2}, Floats: []float32{1}}, {Name: "a", Shape: []int{2}}} {
		testdata.Refused(t, fmt.Sprint(a), Encode(&bytes.Buffer{}, []Array{a}))
	}
}

func TestHeaders(t *testing.T) {
	header, values, err := Array{Name: "a", Shape: []int{2}, Floats: []float32{1, 2}}.npy()
	must(t, err)
	if len(header)%64 != 0 {
		t.Errorf("the numbers begin at byte %d, not at a multiple of 64", len(header))
	}
	sound := append(header, values...)
	must(t, testdata.Err(dataOf(sound, "<f4", []int{2})))
	for name, content := range map[string]string{
		"empty": "", "magic": "x" + string(sound[1:]), "cut header": string(sound[:40]),
		"cut numbers": string(sound[:len(sound)-1]), "fortran": strings.Replace(string(sound), "False", "True ", 1),
		"type":  strings.Replace(string(sound), "<f4", ">f4", 1),
		"shape": strings.Replace(string(sound), "(2,)", "(9,)", 1),
		"huge shape": strings.Replace(string(sound), "(2,), }                   ",
			"(99999999999999999999,), }", 1),
	} {
		if _, err := dataOf([]byte(content), "<f4", []int{2}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// FuzzFile: a file of signals, or one array of it since a zip archive's sums keep most changes out,
// gives as many numbers as were asked for or an error.
func FuzzFile(f *testing.F) {
	for _, arrays := range [][]Array{
		{{Name: "a", Shape: []int{2}, Floats: []float32{1, 2}}},
		{{Name: "b/c", Shape: []int{1, 3}, Ints: []int32{1, 2, 3}}, {Name: "a", Shape: []int{2}, Ints: []int32{7, 8}}},
		{
			{Name: "a", Shape: []int{2, 1}, Floats: []float32{1, 2}},
			{Name: "a", Shape: []int{2}, Floats: []float32{3, 4}},
		},
		nil,
	} {
		var out bytes.Buffer
		must(f, Encode(&out, arrays))
		f.Add(out.Bytes())
		for _, a := range arrays {
			header, values, err := a.npy()
			must(f, err)
			f.Add(append(header, values...))
		}
	}
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for _, name := range []string{"a.npy", "../a.npy", "/a.npy", "C:\\a.npy"} {
		entry := testdata.Must(w.Create(name))(f)
		must(f, testdata.Err(entry.Write(make([]byte, 300))))
	}
	must(f, w.Close())
	f.Add(packed.Bytes())
	f.Add([]byte("PK"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, descr := range []string{"<f4", "<i4"} {
			if values, err := dataOf(data, descr, []int{2}); err == nil && len(values) != 8 {
				t.Errorf("%d bytes for two numbers", len(values))
			}
		}
		file, err := Open(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		if values, err := file.Floats("a", 2); err == nil && len(values) != 2 {
			t.Error("wrong length of floats")
		}
		if values, err := file.Ints("b/c", 1, 3); err == nil && len(values) != 3 {
			t.Error("wrong length of whole numbers")
		}
	})
}
