package onnx

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/variscope/variscope/internal/testdata"
)

// hostileFile is one file of the corpus. It must be refused with a sentence that contains want
// after the file's name, unless fine says why it may also be taken.
type hostileFile struct {
	name string
	data []byte
	want string
	fine string
}

// endlessMark is in the names of the files that only the probe's clock ends.
const endlessMark = "endless"

// corpus is every hostile file that lies in memory; lay adds those that are made of the file
// system.
func corpus(tb testing.TB) []hostileFile {
	tb.Helper()
	var all []hostileFile
	for name, r := range refusals() {
		name = "refused " + name + ".onnx"
		all = append(all, hostileFile{
			name: name, data: r.data,
			want: strings.TrimSuffix(strings.TrimPrefix(r.want, "m.onnx "), "save it as one file"),
		})
	}
	scene := testdata.Must(os.ReadFile(sceneModels(tb)[0]))(tb)
	all = append(all, cutFiles(scene)...)
	all = append(all, flippedFiles(scene)...)
	all = append(all, otherFiles(tb)...)
	all = append(all, brokenGraphs()...)
	all = append(all, oddHeaders()...)
	all = append(all, oddTensors()...)
	all = append(all, awayFiles()...)
	all = append(all, nestedGraphs()...)
	all = append(all, bombs()...)
	all = append(all, wildOperators()...)
	slices.SortFunc(all, func(a, b hostileFile) int { return strings.Compare(a.name, b.name) })
	return all
}

// cutFiles are a small and a real model cut at many places.
func cutFiles(scene []byte) (files []hostileFile) {
	const want = "copy or export it again"
	file := tiny().file()
	for k := 1; k <= 16; k++ {
		files = append(files, hostileFile{name: fmt.Sprintf("cut %02d.onnx", k), data: file[:len(file)*k/17]})
	}
	for _, share := range []int{1, 10, 50, 99} {
		files = append(files, hostileFile{
			name: fmt.Sprintf("cut scene %02d.onnx", share), data: scene[:len(scene)*share/100], want: want,
		})
	}
	return files
}

// flippedFiles have one bit turned.
func flippedFiles(scene []byte) (files []hostileFile) {
	for k, file := range [][]byte{tiny().file(), scene} {
		for i := range 20 {
			data := slices.Clone(file)
			data[len(data)*(2*i+1)/40] ^= 1 << (i % 8)
			files = append(files, hostileFile{
				name: fmt.Sprintf("flip %d-%02d.onnx", k, i), data: data,
				fine: "a turned bit of a weight or a name is another sound model",
			})
		}
	}
	return files
}

// otherFiles are no models at all.
func otherFiles(tb testing.TB) []hostileFile {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	testdata.Must(w.Write(tiny().file()))(tb)
	testdata.OK(tb, w.Close())
	file := tiny().file()
	return []hostileFile{
		{name: "packed.onnx", data: packed.Bytes(), want: "is not an ONNX"},
		{
			name: "pointer.onnx", data: []byte("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"),
			want: "is a Git LFS pointer",
		},
		{name: "zeros.onnx", data: make([]byte, 1<<20), want: "is not an ONNX"},
		{name: "ones.onnx", data: bytes.Repeat([]byte{0xff}, 1<<20)},
		{name: "lengths.onnx", data: bytes.Repeat([]byte{0x3a, 0xff, 0xff, 0xff, 0x7f}, 1<<10)},
		{name: "overlong.onnx", data: append(bytes.Repeat([]byte{0x88}, 64), file...)},
		{
			name: "twice.onnx", data: append(slices.Clone(file), file...),
			fine: "protobuf merges fields that stand twice",
		},
		{name: "tail.onnx", data: append(slices.Clone(file), make([]byte, 100)...)},
		{name: "formula =1+1.onnx", data: []byte("=1+1"), want: "is not an ONNX"},
		{name: "-rf.onnx", data: []byte("x"), want: "is not an ONNX"},
		{name: "tab\tand\nline.onnx", data: []byte("x"), want: "is not an ONNX"},
		{name: strings.Repeat("long", 60) + ".onnx", data: []byte("x"), want: "is not an ONNX"},
		{name: "not text \xff\xfe.onnx", data: []byte("x"), want: "is not an ONNX"},
	}
}

// lay writes the corpus into a folder: the endless ones into a second one, since a test gives these
// less time. More files are made of the file system itself: a folder, links, a pipe, files larger
// than a model may be.
func lay(tb testing.TB, folder, endless string, files []hostileFile) []hostileFile {
	tb.Helper()
	fail := func(err error) {
		if err != nil {
			tb.Fatal(err)
		}
	}
	for _, f := range files {
		into := folder
		if strings.Contains(f.name, endlessMark) {
			into = endless
		}
		fail(os.WriteFile(filepath.Join(into, f.name), f.data, 0o600))
	}
	at := func(name string) string { return filepath.Join(folder, name) }
	fail(os.Symlink(filepath.Join(folder, "nowhere"), at("link to nothing.onnx")))
	fail(os.Symlink(at("link to itself.onnx"), at("link to itself.onnx")))
	fail(os.Symlink("/dev/zero", at("link to zeros.onnx")))
	fail(os.Symlink(folder, at("link to a folder.onnx")))
	fail(unix.Mkfifo(at("pipe.onnx"), 0o600))
	sparse := func(name string, size int64) {
		fail(os.WriteFile(at(name), []byte{0x3a, 0xf0, 0xff, 0xff, 0xff, 0x03, 0x0a}, 0o600)) // a graph of 1 GB begins
		fail(os.Truncate(at(name), size))
	}
	sparse("sparse 3 GB.onnx", 3<<30)
	files = append(slices.Clone(files),
		hostileFile{name: "link to nothing.onnx", want: "no such file"},
		hostileFile{name: "link to itself.onnx", want: "too many"},
		hostileFile{name: "link to zeros.onnx", want: ", not a file; choose an ONNX model"},
		hostileFile{name: "link to a folder.onnx", want: ", not a file; choose an ONNX model"},
		hostileFile{name: "pipe.onnx", want: ", not a file; choose an ONNX model"},
		hostileFile{name: "sparse 3 GB.onnx", want: "larger than 2048 MiB, the most that an ONNX model may have"},
	)
	if testing.Short() {
		return files // the next two are read as a whole, and the race detector keeps twice their size beside them
	}
	sparse("sparse 1 GB.onnx", 1<<30)
	sparse("sparse 1 GB too.onnx", 1<<30)
	return append(files, hostileFile{name: "sparse 1 GB.onnx"}, hostileFile{name: "sparse 1 GB too.onnx"})
}
