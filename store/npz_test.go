package store

import (
	"archive/zip"
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sbinet/npyio/npz"
	"pgregory.net/rapid"
)

// TestNPZIsNumPys reads our files with another reader of the format.
func TestNPZIsNumPys(t *testing.T) {
	arrays := []array{
		{name: "max@CONF", shape: []int{2, 3}, floats: []float32{1, 2, 3, 4, 5, 6.5}},
		{name: "max@/conv/out", shape: []int{1}, floats: []float32{-1}},
		{name: "prediction", shape: []int{2, 1, 2}, ints: []int32{1, -2, 3, 4}},
	}
	var out bytes.Buffer
	must(t, encodeNPZ(&out, arrays))
	r, err := npz.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
	must(t, err)
	if diff := cmp.Diff([]string{"max@CONF.npy", "max@%2Fconv%2Fout.npy", "prediction.npy"}, r.Keys()); diff != "" {
		t.Error(diff)
	}
	for _, a := range arrays {
		h := r.Header(member(a.name))
		if h == nil || h.Descr.Fortran || !cmp.Equal(h.Descr.Shape, a.shape) {
			t.Fatalf("%s: header %v", a.name, h)
		}
	}
	var floats []float32
	if err := r.Read("max@CONF.npy", &floats); err != nil || !cmp.Equal(floats, arrays[0].floats) {
		t.Error(floats, err)
	}
	var ints []int32
	if err := r.Read("prediction.npy", &ints); err != nil || !cmp.Equal(ints, arrays[2].ints) {
		t.Error(ints, err)
	}
}

func TestNPZRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shape := rapid.SliceOfN(rapid.IntRange(1, 5), 1, 3).Draw(t, "shape")
		n := product(shape)
		a := array{name: rapid.StringN(1, 10, 20).Draw(t, "name"), shape: shape, floats: rapid.SliceOfN(rapid.Float32(), n, n).Draw(t, "floats")}
		b := array{name: a.name + "'", shape: shape, ints: rapid.SliceOfN(rapid.Int32(), n, n).Draw(t, "ints")}
		var out, again bytes.Buffer
		must(t, errors.Join(encodeNPZ(&out, []array{a, b}), encodeNPZ(&again, []array{a, b})))
		if !bytes.Equal(out.Bytes(), again.Bytes()) {
			t.Fatal("equal arrays gave different bytes")
		}
		f, err := openNPZ(bytes.NewReader(out.Bytes()), int64(out.Len()))
		must(t, err)
		floats, err := f.floats(a.name, shape...)
		if err != nil || !cmp.Equal(floats, a.floats) {
			t.Fatal(floats, err)
		}
		ints, err := f.ints(b.name, shape...)
		if err != nil || !cmp.Equal(ints, b.ints) {
			t.Fatal(ints, err)
		}
		if _, err := f.floats(a.name, append([]int{7}, shape...)...); err == nil {
			t.Fatal("took another shape")
		}
		if _, err := f.ints(a.name, shape...); err == nil {
			t.Fatal("took another type")
		}
		if _, err := f.floats("absent", shape...); !errors.Is(err, errNoArray) {
			t.Fatal(err)
		}
	})
}

func TestNPZRefusesWrongLengths(t *testing.T) {
	for _, a := range []array{{name: "a", shape: []int{2}, floats: []float32{1}}, {name: "a", shape: []int{2}}} {
		if err := encodeNPZ(&bytes.Buffer{}, []array{a}); err == nil {
			t.Errorf("took %v", a)
		}
	}
}

func TestNPYHeaders(t *testing.T) {
	header, values, err := array{name: "a", shape: []int{2}, floats: []float32{1, 2}}.npy()
	must(t, err)
	if len(header)%64 != 0 {
		t.Errorf("the numbers begin at byte %d, not at a multiple of 64", len(header))
	}
	sound := append(header, values...)
	if _, err := npyData(sound, "<f4", []int{2}); err != nil {
		t.Error(err)
	}
	for name, content := range map[string]string{
		"empty": "", "magic": "x" + string(sound[1:]), "cut header": string(sound[:40]), "cut numbers": string(sound[:len(sound)-1]),
		"fortran": strings.Replace(string(sound), "False", "True ", 1), "type": strings.Replace(string(sound), "<f4", ">f4", 1),
		"shape": strings.Replace(string(sound), "(2,)", "(9,)", 1), "huge shape": strings.Replace(string(sound), "(2,), }                   ", "(99999999999999999999,), }", 1),
	} {
		if _, err := npyData([]byte(content), "<f4", []int{2}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// FuzzNPZ: a file of signals, or one array of it since a zip archive's sums keep most changes out,
// gives as many numbers as were asked for or an error.
func FuzzNPZ(f *testing.F) {
	for _, arrays := range [][]array{
		{{name: "a", shape: []int{2}, floats: []float32{1, 2}}},
		{{name: "b/c", shape: []int{1, 3}, ints: []int32{1, 2, 3}}, {name: "a", shape: []int{2}, ints: []int32{7, 8}}},
		{{name: "a", shape: []int{2, 1}, floats: []float32{1, 2}}, {name: "a", shape: []int{2}, floats: []float32{3, 4}}},
		nil,
	} {
		var out bytes.Buffer
		must(f, encodeNPZ(&out, arrays))
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
		entry, err := w.Create(name)
		must(f, err)
		if _, err := entry.Write(make([]byte, 300)); err != nil {
			f.Fatal(err)
		}
	}
	must(f, w.Close())
	f.Add(packed.Bytes())
	f.Add([]byte("PK"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, descr := range []string{"<f4", "<i4"} {
			if values, err := npyData(data, descr, []int{2}); err == nil && len(values) != 8 {
				t.Errorf("%d bytes for two numbers", len(values))
			}
		}
		file, err := openNPZ(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		if values, err := file.floats("a", 2); err == nil && len(values) != 2 {
			t.Error("wrong length of floats")
		}
		if values, err := file.ints("b/c", 1, 3); err == nil && len(values) != 3 {
			t.Error("wrong length of whole numbers")
		}
	})
}
