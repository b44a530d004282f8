package onnx

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// apart is tiny with its float weights in a data file: where maps a weight to what its entries say,
// from the place that it has in the file.
func apart(where func(weight string, offset, length int) map[string]string) (file, data []byte) {
	g := tiny()
	for k, w := range g.weights {
		var name string
		var raw []byte
		var kept pb
		_ = eachRaw(w, func(f field, part []byte) error {
			switch f.num {
			case 9:
				raw = f.bytes
				return nil
			case 8:
				name = string(f.bytes)
			}
			kept = append(kept, part...)
			return nil
		})
		for key, value := range where(name, len(data), len(raw)) {
			kept = kept.msg(13, pb{}.str(1, key).str(2, value))
		}
		data = append(data, raw...)
		g.weights[k] = kept.num(14, 1)
	}
	return g.file(), data
}

func beside(location string) func(string, int, int) map[string]string {
	return func(_ string, offset, length int) map[string]string {
		return map[string]string{"location": location, "offset": strconv.Itoa(offset), "length": strconv.Itoa(length)}
	}
}

func lay1(t *testing.T, path string, data []byte) {
	t.Helper()
	testdata.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
	testdata.OK(t, os.WriteFile(path, data, 0o600))
}

// Weights beside the model, in a folder below, without a length, and behind the links of a Hugging
// Face cache give what the model in one piece gives, and the copy that is kept is that model.
func TestInspectWithDataBeside(t *testing.T) {
	want := testdata.Must(InspectBytes("m.onnx", tiny().file()))(t)
	check := func(name, path string, files ...string) {
		t.Helper()
		g, open, err := Read(path)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		if g.Parameters != want.Parameters || !slices.Equal(g.Data, files) {
			t.Errorf("%s: %d parameters, data %q", name, g.Parameters, g.Data)
		}
		in := testdata.Must(open())(t)
		kept, err := io.ReadAll(in)
		if err != nil || in.Close() != nil {
			t.Fatal(err)
		}
		testdata.Is(t, fmt.Sprintf("%s: the copy", name),
			testdata.Must(InspectBytes("m.onnx", kept))(t).Parameters, want.Parameters)
		parsed, _ := parse("m.onnx", kept)
		for _, w := range parsed.graph.weights {
			if plain := tinyWeight(w.name); !bytes.Equal(w.raw, plain) {
				t.Errorf("%s: weight %s is %v in place of %v", name, w.name, w.raw, plain)
			}
		}
	}
	file, data := apart(beside("m.onnx.data"))
	folder := t.TempDir()
	lay1(t, filepath.Join(folder, "m.onnx"), file)
	lay1(t, filepath.Join(folder, "m.onnx.data"), data)
	check("beside", filepath.Join(folder, "m.onnx"), "m.onnx.data")

	file, _ = apart(func(weight string, offset, _ int) map[string]string {
		return map[string]string{"location": "weights/" + weight} // a file for each, from its start, whole
	})
	lay1(t, filepath.Join(folder, "many.onnx"), file)
	for _, name := range []string{"w", "b", "lw", "lb"} {
		lay1(t, filepath.Join(folder, "weights", name), tinyWeight(name))
	}
	check("many", filepath.Join(folder, "many.onnx"), "weights/b", "weights/lb", "weights/lw", "weights/w")

	cache := filepath.Join(folder, "models--a--b")
	file, data = apart(beside("model.onnx_data"))
	lay1(t, filepath.Join(cache, "blobs", "11"), file)
	lay1(t, filepath.Join(cache, "blobs", "22"), data)
	shot := filepath.Join(cache, "snapshots", "abc", "onnx")
	testdata.OK(t, os.MkdirAll(shot, 0o755))
	for name, to := range map[string]string{"model.onnx": "11", "model.onnx_data": "22"} {
		testdata.OK(t, os.Symlink("../../../blobs/"+to, filepath.Join(shot, name)))
	}
	check("cache", filepath.Join(shot, "model.onnx"), "model.onnx_data")
}

// tinyWeight is the raw data of a weight of tiny.
func tinyWeight(name string) []byte {
	parsed, _ := parse("m.onnx", tiny().file())
	return parsed.graph.weights[name].raw
}

// What leads out of the folder, is no file, is missing, too small or does not fit its shape is
// refused by name, and nothing outside is read.
func TestInspectRefusesDataElsewhere(t *testing.T) {
	folder := t.TempDir()
	inside := filepath.Join(folder, "in")
	_, data := apart(beside("m.onnx.data"))
	lay1(t, filepath.Join(folder, "secret"), data)
	lay1(t, filepath.Join(inside, "short"), data[:20])
	lay1(t, filepath.Join(inside, "blobs", "x"), data)
	for link, to := range map[string]string{
		"link": "../secret", "absolute": filepath.Join(folder, "secret"),
		"loop": "loop", "out": "..",
	} {
		testdata.OK(t, os.Symlink(to, filepath.Join(inside, link)))
	}
	entry := func(key, value string) func(string, int, int) map[string]string {
		return func(w string, offset, length int) map[string]string {
			m := beside("short")(w, offset, length)
			m[key] = value
			return m
		}
	}
	for _, test := range []struct {
		where func(string, int, int) map[string]string
		want  string
	}{
		{beside("../secret"), `"../secret" leads out`},
		{beside("x/../../secret"), ` leads out`},
		{beside(filepath.Join(folder, "secret")), ` leads out`},
		{beside("link"), `"link" cannot be opened within the model's folder`},
		{beside("absolute"), `"absolute" cannot be opened within`},
		{beside("loop"), `"loop" cannot be opened within`},
		{beside("out/secret"), `"out/secret" cannot be opened within`},
		{beside("blobs"), `"blobs" is not a file`},
		{beside("*/_ORT_MEM_ADDR_/*"), ` is not beside the model`},
		{beside("missing.data"), `"missing.data" is not beside the model; put that file into the same folder`},
		{beside("short"), `"short" has 20 bytes, and they would end at byte 72`},
		{entry("length", "71"), `says "71" bytes of "short" in place of the 72 of its shape [2 1 3 3]`},
		{entry("offset", "-1"), `begins at byte "-1" of "short"`},
		{entry("offset", "9223372036854775807"), `"short" has 20 bytes`},
		{entry("offset", "1e3"), `begins at byte "1e3"`},
		{entry("location", ""), `does not say in which file`},
	} {
		file, _ := apart(test.where)
		path := filepath.Join(inside, "m.onnx")
		lay1(t, path, file)
		_, err := Inspect(path)
		if err == nil || !strings.HasPrefix(err.Error(),
			`m.onnx keeps its weights in separate files (graph "g" > initializer "w"); `) ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("want %s: got %v", test.want, err)
		}
	}
	file, _ := apart(beside("m.onnx.data"))
	testdata.Refused(t, "bytes without a folder",
		testdata.Err(InspectBytes("m.onnx", file)), "keeps its weights in separate files")
}
