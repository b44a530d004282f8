package matrixfile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/sbinet/npyio"
	"github.com/sbinet/npyio/npz"
	"gonum.org/v1/gonum/mat"

	"github.com/variscope/variscope/internal/testdata"
)

// npyOf writes a version 1 array with this header and these bytes.
func npyOf(descr, order, shape string, data []byte) []byte {
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }\n", descr, order, shape)
	out := append([]byte("\x93NUMPY\x01\x00"), byte(len(header)), byte(len(header)>>8))
	return append(append(out, header...), data...)
}

func bytesOf(tb testing.TB, order binary.ByteOrder, values any) []byte {
	tb.Helper()
	return testdata.Must(binary.Append(nil, order, values))(tb)
}

func TestReadMatrix(t *testing.T) {
	want := []float64{0, 1, 2, 1, 0, 3, 2, 3, 0}
	lower := []float64{0, 1, 2, 5, 0, 3, 6, 7, 0}
	little := binary.LittleEndian
	for name, data := range map[string][]byte{
		"float64":    npyOf("<f8", "False", "(3, 3)", bytesOf(t, little, want)),
		"float32":    npyOf("<f4", "False", "(3, 3)", bytesOf(t, little, []float32{0, 1, 2, 1, 0, 3, 2, 3, 0})),
		"int64":      npyOf("<i8", "False", "(3, 3)", bytesOf(t, little, []int64{0, 1, 2, 1, 0, 3, 2, 3, 0})),
		"uint64":     npyOf("<u8", "False", "(3, 3)", bytesOf(t, little, []uint64{0, 1, 2, 1, 0, 3, 2, 3, 0})),
		"int8":       npyOf("|i1", "False", "(3, 3)", bytesOf(t, little, []int8{0, 1, 2, 1, 0, 3, 2, 3, 0})),
		"int32":      npyOf("<i4", "False", "(3, 3)", bytesOf(t, little, []int32{0, 1, 2, 1, 0, 3, 2, 3, 0})),
		"big endian": npyOf(">f8", "False", "(3, 3)", bytesOf(t, binary.BigEndian, want)),
	} {
		m, err := readMatrix(bytes.NewReader(data))
		if err != nil || m.N != 3 || !slices.Equal(m.Data, want) {
			t.Errorf("%s: %v, %v", name, m, err)
		}
	}
	m, err := readMatrix(bytes.NewReader(npyOf("<f8", "True", "(3, 3)", bytesOf(t, little, lower))))
	if err != nil || !slices.Equal(m.Data, []float64{0, 5, 6, 1, 0, 7, 2, 3, 0}) {
		t.Errorf("by columns: %v, %v", m, err)
	}
	var out bytes.Buffer
	testdata.OK(t, npyio.Write(&out, mat.NewDense(3, 3, want)))
	if m, err = readMatrix(&out); err != nil || !slices.Equal(m.Data, want) {
		t.Errorf("written by the library: %v, %v", m, err)
	}
}

// What archives and disks deliver comes in pieces that end in the middle of a number.
func TestReadMatrixInPieces(t *testing.T) {
	want := make([]float64, 81*81)
	for k := range want {
		want[k] = float64(k%97) + 0.1
	}
	data := npyOf("<f8", "False", "(81, 81)", bytesOf(t, binary.LittleEndian, want))
	for name, in := range map[string]io.Reader{
		"whole": bytes.NewReader(data), "bytes": iotest.OneByteReader(bytes.NewReader(data)),
		"halves": iotest.HalfReader(bytes.NewReader(data)),
	} {
		if m, err := readMatrix(in); err != nil || !slices.Equal(m.Data, want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	path := filepath.Join(t.TempDir(), "matrices.npz")
	testdata.OK(t, npz.Write(path, map[string]any{
		"a/max@CONF": mat.NewDense(81, 81, want),
		"b/max@CONF": mat.NewDense(81, 81, want),
	}))
	got, err := Read(path)
	if err != nil || len(got.Items) != 2 {
		t.Fatalf("%v", err)
	}
	for _, it := range got.Items {
		if !slices.Equal(it.Matrix.Data, want) {
			t.Errorf("%s is not what was written", it.Model)
		}
	}
	broken := npyOf("<f8", "False", "(81, 81)", bytesOf(t, binary.LittleEndian, want[:6560]))
	testdata.Refused(t, "one number short", testdata.Err(readMatrix(bytes.NewReader(broken))),
		"fewer than 6561 numbers")
}

func TestReadMatrixRefuses(t *testing.T) {
	four := bytesOf(t, binary.LittleEndian, make([]float64, 4))
	for _, c := range []struct {
		data []byte
		want string
	}{
		{nil, "no array in NumPy's format"},
		{[]byte("PK\x03\x04 and more of it"), "no array in NumPy's format"},
		{npyOf("<f8", "False", "(2, 2)", four[:31]), "cut short"},
		{npyOf("<f8", "False", "(2, 2)", nil), "cut short"},
		{npyOf("<f8", "False", "(4,)", four), "shape [4] is no variance matrix"},
		{npyOf("<f8", "False", "(1, 4)", four), "shape [1 4] is no variance matrix"},
		{npyOf("<f8", "False", "(1, 1)", four), "shape [1 1] is no variance matrix"},
		{npyOf("<f8", "False", "(99999, 99999)", four), "too large"},
		{npyOf("<c16", "False", "(2, 2)", four), "type c16 cannot be read"},
		{npyOf("|O", "False", "(2, 2)", four), "cannot be read"},
		{[]byte("\x93NUMPY\x02\x00\xff\xff\xff\x7f{'descr': '<f8'"), "header is too long"},
		{[]byte("\x93NUMPY\x01\x00\x04\x00abcd"), "header cannot be read"},
		{[]byte("\x93NUMPY\x01\x00\x04\x00abc\n"), "header cannot be read"},
		{npyOf("<f8", "False", "(2, 2", four), ""},
	} {
		if m, err := readMatrix(bytes.NewReader(c.data)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q: %v, %v; want %q", c.data, m, err, c.want)
		}
	}
}

func TestReadRefusesArraysThatAreNoMatrices(t *testing.T) {
	folder := t.TempDir()
	for name, arrays := range map[string]map[string]any{
		"vector.npz": {"m/max@CONF": []float64{1, 2}},
		"axis.npz":   {"V": mat.NewDense(2, 2, nil)},
		"empty.npz":  {},
		"v.npz":      {"V": []float64{1}},
	} {
		path := filepath.Join(folder, name)
		file := testdata.Must(os.Create(path))(t)
		out := npz.NewWriter(file)
		for key, value := range arrays {
			testdata.OK(t, out.Write(key+".npy", value))
		}
		testdata.OK(t, out.Close())
		testdata.OK(t, file.Close())
		testdata.Refused(t, name, testdata.Err(Read(path)), name)
	}
}

// A file whose matrices are of several sizes is written as tables without a word too many: each
// takes the values in the middle.
func TestReadMatricesOfSeveralSizes(t *testing.T) {
	folder := t.TempDir()
	file := func(name string, arrays map[string]any) string {
		path := filepath.Join(folder, name)
		testdata.OK(t, npz.Write(path, arrays))
		return path
	}
	three, five := mat.NewDense(3, 3, nil), mat.NewDense(5, 5, nil)
	without := file("without.npz", map[string]any{"a/max@CONF": three, "b/max@CONF": five})
	s := testdata.Must(Read(without))(t)
	files, err := s.Write(folder, []string{"csv"})
	if err != nil || len(files) != 2 {
		t.Errorf("%v, %v", files, err)
	}
	short := file("short.npz", map[string]any{"V": []float64{-1, 0, 1}, "a/max@CONF": three, "b/max@CONF": five})
	testdata.Refused(t, "error", testdata.Err(Read(short)), "matrix b/max@CONF is 5 x 5, but V has only 3 values")
}

func FuzzMatrix(f *testing.F) {
	f.Add(npyOf("<f8", "False", "(2, 2)", make([]byte, 32)))
	f.Add(npyOf("<f4", "True", "(2, 2)", make([]byte, 16)))
	f.Add([]byte("\x93NUMPY\x02\x00\x10\x00\x00\x00{'descr': '<f8'"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := readMatrix(bytes.NewReader(data))
		if err == nil && (m.N < 2 || len(m.Data) != m.N*m.N) {
			t.Fatalf("%d x %d with %d numbers", m.N, m.N, len(m.Data))
		}
		if v, err := readVector(bytes.NewReader(data)); err == nil && len(v) > maxTransformations {
			t.Fatalf("%d values", len(v))
		}
	})
}
