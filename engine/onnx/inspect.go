package onnx

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/outside"
)

// Inspect reads what a model file says of itself, without running it and without a library. Every
// refusal of DESIGN.md section 4 is an error of one sentence that begins with the file's name. It
// never panics and never allocates more than a small multiple of the file's size.
func Inspect(path string) (model.Graph, error) {
	var size int64
	for _, name := range []string{path, path + ".data", path + "_data"} { // as PyTorch and Optimum call the data
		if info, err := os.Stat(name); err == nil {
			size += info.Size()
		}
	}
	if size > largeFile { // one after the other, so that many of them take no more memory than one
		large.Lock()
		defer large.Unlock()
		defer debug.FreeOSMemory()
	}
	data, files, err := readFile(path)
	if err != nil {
		return model.Graph{}, err
	}
	g, err := InspectBytes(filepath.Base(path), data)
	g.Data = files
	return g, err
}

// Read is Inspect for an import. open opens the model as a workspace keeps it, in one piece: its
// file as it is, or the copy of one with data beside it in which these data are.
func Read(path string) (g model.Graph, open func() (io.ReadCloser, error), err error) {
	g, err = Inspect(path)
	return g, func() (io.ReadCloser, error) {
		if len(g.Data) == 0 {
			return outside.Open(path, outside.Model)
		}
		data, _, err := readFile(path)
		return io.NopCloser(bytes.NewReader(data)), err
	}, err
}

// large is held while a file beyond largeFile is read to be inspected.
var large sync.Mutex

// InspectBytes is Inspect for a file in memory; name stands for it in messages.
func InspectBytes(name string, data []byte) (model.Graph, error) {
	g, _, err := inspect(name, data)
	return g, err
}

// inspect returns a classifier's description and its analysis, which knows every tensor.
func inspect(name string, data []byte) (model.Graph, *analysis, error) {
	return describe(name, data, func(g *model.Graph, a *analysis, opset int64) (err error) {
		if g.Outputs, err = a.classOutputs(opset); err == nil {
			g.Head = a.head(g.Metadata["pos1"], *g)
		}
		return err
	})
}

// describe reads a file; outputs chooses among its outputs.
func describe(
	name string, data []byte, outputs func(*model.Graph, *analysis, int64) error,
) (model.Graph, *analysis, error) {
	size := int64(len(data))
	data, m, own, err := plain(name, data)
	if err != nil {
		return model.Graph{}, nil, err
	}
	a := analyse(m.graph)
	a.file, a.own = data, own
	g := model.Graph{
		Opset: int(m.opset), IR: int(m.ir), Producer: m.producer, Metadata: m.metadata,
		Convs: a.convs(), Tensors: a.floatTensors(),
	}
	if len(g.Metadata) == 0 {
		g.Metadata = nil
	}
	image, err := a.imageValue()
	if err == nil {
		g.Input, err = a.describeInput(image)
	}
	if err != nil {
		return model.Graph{}, nil, fmt.Errorf("%s %w", name, err)
	}
	for _, v := range own.inputs {
		if v.name == image.name {
			g.Input.Type = numberTypes[v.kind]
		}
	}
	a.positions(&g)
	if err := outputs(&g, a, m.opset); err != nil {
		return model.Graph{}, nil, fmt.Errorf("%s %w", name, err)
	}
	if g.Parameters, err = parameters(m.graph, size); err != nil {
		return model.Graph{}, nil, fmt.Errorf("%s %w", name, err)
	}
	return g, a, nil
}

// ortMark stands behind the fourth byte of a file of ONNX Runtime's own format. The library reads
// every file with this mark as such, unless it is told otherwise, whatever else the file is.
const ortMark = "ORTM"

// parse reads the file's messages and refuses what is no self-contained ONNX model.
func parse(name string, data []byte) (*modelProto, error) {
	if len(data) == 0 {
		return nil, fmt.Errorf("%s is empty; choose an ONNX model", name)
	}
	if len(data) >= 8 && string(data[4:8]) == ortMark {
		return nil, fmt.Errorf("%s has the mark of ONNX Runtime's own format (%s) behind its fourth byte; "+
			"export it as ONNX", name, ortMark)
	}
	r := modelReader{}
	if err := r.readModel(data); err != nil {
		return nil, fmt.Errorf("%s %w", name, refusal(err, data))
	}
	if r.model.graph == nil || r.model.opsets == 0 {
		return nil, fmt.Errorf("%s is not an ONNX model; choose a file that was exported as ONNX", name)
	}
	if err := r.inFile(format(), data, 0); err != nil {
		return nil, fmt.Errorf("%s %w", name, refusal(err, data))
	}
	return &r.model, nil
}

// refusal words a reading error. A file that begins like an ONNX model but breaks off is told from
// any other file.
func refusal(err error, data []byte) error {
	if outside := (*externalError)(nil); errors.As(err, &outside) {
		return outside
	}
	if !errors.Is(err, errWire) {
		return fmt.Errorf("cannot be used: %w", err)
	}
	if !startsLikeModel(data) {
		return errors.New("is not an ONNX file; choose a file that was exported as ONNX")
	}
	if endsEarly(data) {
		return errors.New("is truncated: it ends in the middle of a field; copy or export it again")
	}
	return errors.New("is damaged: its content is not a valid ONNX model; copy or export it again")
}

// startsLikeModel tells whether the first field is one that exporters write first: the IR version,
// a small number.
func startsLikeModel(data []byte) bool {
	num, typ, n := protowire.ConsumeTag(data)
	if n < 0 || num != 1 || typ != protowire.VarintType {
		return false
	}
	version, n := protowire.ConsumeVarint(data[n:])
	return n > 0 && version > 0 && version < 1000
}

// endsEarly tells whether the outermost message stops inside one of its fields.
func endsEarly(data []byte) bool {
	for len(data) > 0 {
		num, typ, tag := protowire.ConsumeTag(data)
		if tag < 0 {
			return errors.Is(protowire.ParseError(tag), io.ErrUnexpectedEOF)
		}
		n := protowire.ConsumeFieldValue(num, typ, data[tag:])
		if n < 0 {
			return errors.Is(protowire.ParseError(n), io.ErrUnexpectedEOF)
		}
		data = data[tag+n:]
	}
	return false
}

// readFile reads a model file whole. What cannot be a model (a folder, a device, a file beyond
// protobuf's limit, a first byte that begins no ONNX field) is refused before it is read. Data that
// lie in files beside it, whose names are returned, are in the bytes (whole).
func readFile(path string) (data []byte, files []string, err error) {
	if data, err = readOne(path); err != nil {
		return nil, nil, err
	}
	return whole(path, data)
}

// readOne reads a model file without data that lie outside it.
func readOne(path string) ([]byte, error) {
	name := filepath.Base(path)
	f, err := outside.Open(path, outside.Model)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be opened: %w", name, err)
	}
	defer func() { _ = f.Close() }() // read only: nothing is lost
	if isPointer(f) {
		return nil, fmt.Errorf("%s is a Git LFS pointer, "+
			"not the model itself; fetch it with git lfs pull, or download the file", name)
	}
	first := make([]byte, 1)
	if _, err := f.ReadAt(first, 0); err == nil && !beginsField(first[0]) {
		return nil, fmt.Errorf("%s is not an ONNX file; choose a file that was exported as ONNX", name)
	}
	data, err := f.All()
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", name, err)
	}
	return data, nil
}

// pointerStart begins the few lines that stand for a large file in a Git repository.
const pointerStart = "version https://git-lfs"

func isPointer(f io.ReaderAt) bool {
	start := make([]byte, len(pointerStart))
	_, err := f.ReadAt(start, 0)
	return err == nil && string(start) == pointerStart
}

// beginsField tells whether a byte can be the tag of one of ModelProto's first fifteen fields: a
// varint or bytes.
func beginsField(b byte) bool {
	num, typ := b>>3&0xf, protowire.Type(b&7)
	return b < 0x80 && num > 0 && (typ == protowire.VarintType || typ == protowire.BytesType) || b >= 0x80
}

// parameters counts the numbers of the floating-point weights. A weight that declares more than the
// file can hold is refused here, before a library would allocate it.
func parameters(g *graphProto, size int64) (int64, error) {
	var total int64
	for _, w := range g.weights {
		n, ok := product(w.dims)
		if !ok || n > 16*size+1024 { // sparse and 4-bit weights are larger than their bytes
			return 0, fmt.Errorf("declares a weight %q of %v numbers, more than the file holds; export it again",
				w.name, w.dims)
		}
		if w.isFloat() {
			total += n
		}
	}
	return total, nil
}

// product multiplies sizes; ok is false when one is negative or the product passes 2^40.
func product(dims []int64) (n int64, ok bool) {
	n = 1
	for _, d := range dims {
		// n is divided, because the product itself can pass what an int64 holds
		if d < 0 || d > 1<<40 || d > 0 && n > (1<<40)/d {
			return 0, false
		}
		n *= d
	}
	return n, true
}
