package command

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/variscope/variscope/internal/kill"
	"github.com/variscope/variscope/internal/testdata"
)

// TestLargeModel runs a model of 1 GB with two workers. The process that people see holds none of
// it, and a worker, once the model is open, holds it once.
func TestLargeModel(t *testing.T) {
	if os.Getenv("VARISCOPE_LARGE") == "" {
		fmt.Println("large model: not asked for (make large)")
		return
	}
	const size, most = 1 << 30, 400 << 20
	folder := t.TempDir()
	workspace, file := filepath.Join(folder, "w"), filepath.Join(folder, "large.onnx")
	layLarge(t, file, size)
	follow(t, "import", workspace, file, filepath.Join(testdata.Root(), "assets", "scenes", "targets"))
	if err := os.Remove(file); err != nil { // the workspace has its own
		t.Fatal(err)
	}
	parent, workers := follow(t, "run", workspace, "--family", "rotation:-15:15:15", "--workers", "2")
	fmt.Printf("large model: of %d MB; the run's process had at most %d MB", size>>20, parent.peak>>20)
	for _, w := range workers {
		fmt.Printf(", a worker %d MB and at the end %d MB", w.peak>>20, w.last>>20)
		if w.last > size+size*3/4 || w.peak > 4*size {
			t.Errorf("a worker had at most %d MB, and at the end %d MB", w.peak>>20, w.last>>20)
		}
	}
	fmt.Println()
	if parent.peak == 0 || parent.peak > most || len(workers) != 2 {
		t.Errorf("the run's process had at most %d MB and %d workers", parent.peak>>20, len(workers))
	}
}

// resident is the memory of a process, in bytes.
type resident struct{ peak, last int64 }

func (m *resident) read(pid string) {
	text, _ := os.ReadFile("/proc/" + pid + "/status") // a process that has ended has none
	for line := range strings.Lines(string(text)) {
		for name, to := range map[string]*int64{"VmHWM:": &m.peak, "VmRSS:": &m.last} {
			if rest, ok := strings.CutPrefix(line, name); ok {
				kilobytes, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
				*to = kilobytes << 10
			}
		}
	}
}

// follow lets the program carry out a command and watches it and the processes that it starts.
func follow(t *testing.T, args ...string) (parent resident, workers map[string]*resident) {
	t.Helper()
	c := kill.Start(t, "program", args...)
	ended := make(chan error, 1)
	go func() {
		for c.Lines.Scan() {
		}
		ended <- c.Wait()
	}()
	workers = map[string]*resident{}
	pid := strconv.Itoa(c.Process.Pid)
	for {
		select {
		case err := <-ended:
			if err != nil {
				t.Fatalf("%q: %v\n%s", args, err, c.Errors())
			}
			return parent, workers
		case <-time.After(20 * time.Millisecond):
		}
		parent.read(pid)
		tasks, _ := filepath.Glob("/proc/" + pid + "/task/*/children")
		for _, task := range tasks {
			text, _ := os.ReadFile(task) // threads end
			for _, child := range strings.Fields(string(text)) {
				if workers[child] == nil {
					workers[child] = &resident{}
				}
				workers[child].read(child)
			}
		}
	}
}

// layLarge writes a classifier of 9 classes with one tensor of that many bytes, of which it reads a
// row: of images of 64 x 64 it takes the mean of each channel.
func layLarge(t *testing.T, path string, size int64) {
	t.Helper()
	const float, integer, width = 1, 7, 1 << 14
	value := func(name string, dims ...message) (m message) {
		var shape message
		for _, d := range dims {
			shape = shape.bytes(1, d)
		}
		return m.text(1, name).bytes(2, message{}.bytes(1, message{}.number(1, float).bytes(2, shape)))
	}
	dim := func(n uint64) message { return message{}.number(1, n) }
	images := message{}.text(2, "N")
	tensor := func(name string, kind uint64, dims ...uint64) (m message) {
		for _, d := range dims {
			m = m.number(1, d)
		}
		return m.number(2, kind).text(8, name)
	}
	node := func(op, inputs, output string, attributes ...message) (m message) {
		for in := range strings.FieldsSeq(inputs) {
			m = m.text(1, in)
		}
		m = m.text(2, output).text(4, op)
		for _, a := range attributes {
			m = m.bytes(5, a)
		}
		return m
	}
	plain := message{}.text(1, "keepdims").number(3, 0).number(20, 2)
	var weights []byte
	for k := range 27 {
		weights = protowire.AppendFixed32(weights, 0x3f000000+uint32(k)<<16)
	}
	var graph message
	for _, n := range []message{
		node("ReduceMean", "image", "pool", message{}.text(1, "axes").number(8, 2).number(8, 3).number(20, 7), plain),
		node("MatMul", "pool w", "plain"),
		node("Shape", "image", "shape"),
		node("Gather", "shape zero", "images"),
		node("Mul", "images zero", "row"),
		node("Gather", "vast row", "read"),
		node("ReduceMax", "read", "most", plain),
		node("Add", "plain most", "scores"),
	} {
		graph = graph.bytes(1, n)
	}
	graph = graph.text(2, "large").bytes(5, tensor("w", float, 3, 9).bytes(9, weights)).
		bytes(5, tensor("zero", integer, 1).bytes(9, binary.LittleEndian.AppendUint64(nil, 0)))
	vast := tensor("vast", float, uint64(size)/4/width, width)
	vast = protowire.AppendVarint(protowire.AppendTag(vast, 9, protowire.BytesType), uint64(size))
	graph = protowire.AppendVarint(protowire.AppendTag(graph, 5, protowire.BytesType), uint64(len(vast))+uint64(size))
	graph = append(graph, vast...)
	rest := message{}.bytes(11, value("image", images, dim(3), dim(64), dim(64))).bytes(12,
		value("scores", images, dim(9)))
	file := message{}.number(1, 8)
	file = protowire.AppendVarint(protowire.AppendTag(file, 7, protowire.BytesType),
		uint64(len(graph)+len(rest))+uint64(size))
	file = append(file, graph...)
	f := testdata.Must(os.Create(path))(t)
	rest = rest.bytes(8, message{}.text(1, "").number(2, 13)) // the operators: behind the graph
	for _, part := range []struct {
		at   int64
		data []byte
	}{{0, file}, {int64(len(file)) + size, rest}} {
		if _, err := f.WriteAt(part.data, part.at); err != nil {
			t.Fatal(err)
		}
	}
	testdata.OK(t, f.Close())
}
