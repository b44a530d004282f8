// Package npz reads and writes .npz files of float32 and int32 arrays, in which signals and tables
// of predictions are kept. NumPy reads them, too.
package npz

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/numpy"
	"github.com/variscope/variscope/engine/wire"
)

// Array is one array of a file, float32 or int32, in C order.
type Array struct {
	Name   string
	Shape  []int
	Floats []float32
	Ints   []int32
}

// member is the array's name inside the .npz. Names of tensors may hold slashes, which must not
// become folders.
func member(name string) string { return url.PathEscape(name) + ".npy" }

// Encode writes arrays as a .npz file, as numpy.savez does: a zip archive of .npy files,
// uncompressed because signals hardly compress and are read often. Equal arrays give equal bytes.
func Encode(out io.Writer, arrays []Array) error {
	archive := zip.NewWriter(out)
	for _, a := range arrays {
		header, values, err := a.npy()
		if err != nil {
			return err
		}
		size := uint64(len(header) + len(values))
		entry, err := archive.CreateRaw(&zip.FileHeader{
			Name: member(a.Name), Method: zip.Store,
			CRC32: crc32.Update(crc32.ChecksumIEEE(header), crc32.IEEETable, values), CompressedSize64: size,
			UncompressedSize64: size,
		})
		if err != nil {
			return err
		}
		for _, piece := range [][]byte{header, values} {
			if _, err := entry.Write(piece); err != nil {
				return err
			}
		}
	}
	return archive.Close()
}

// npyMagic starts a .npy file of format 1.0.
const npyMagic = "\x93NUMPY\x01\x00"

// Check says that an array does not have the numbers of its shape.
func (a Array) Check() error {
	if count := max(len(a.Floats), len(a.Ints)); count != Count(a.Shape) {
		return fmt.Errorf("array %s has %d numbers in place of %d", a.Name, count, Count(a.Shape))
	}
	return nil
}

// npy encodes one array in NumPy's format 1.0.
func (a Array) npy() (header, values []byte, err error) {
	descr, values := "<f4", wire.Bytes(a.Floats)
	if a.Floats == nil {
		descr, values = "<i4", wire.Bytes(a.Ints)
	}
	if err := a.Check(); err != nil {
		return nil, nil, err
	}
	return numpy.Header(descr, a.Shape), values, nil
}

// Count is the number of elements of an array of this shape.
func Count(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// File is an open .npz file.
type File struct{ archive *zip.Reader }

// Open reads where the arrays lie.
func Open(in io.ReaderAt, size int64) (File, error) {
	archive, err := zip.NewReader(in, size)
	return File{archive}, err
}

// ErrNoArray says that a file has no array of that name.
var ErrNoArray = errors.New("no such array")

// Floats reads a float32 array that must have this shape.
func (f File) Floats(name string, shape ...int) ([]float32, error) {
	data, err := f.read(name, "<f4", shape)
	if err != nil {
		return nil, err
	}
	values := make([]float32, len(data)/4)
	_, err = binary.Decode(data, binary.LittleEndian, values)
	return values, err
}

// Ints reads an int32 array that must have this shape.
func (f File) Ints(name string, shape ...int) ([]int32, error) {
	data, err := f.read(name, "<i4", shape)
	if err != nil {
		return nil, err
	}
	values := make([]int32, len(data)/4)
	_, err = binary.Decode(data, binary.LittleEndian, values)
	return values, err
}

var npyHeader = regexp.MustCompile(`^\{'descr': '([^']*)', 'fortran_order': False, 'shape': \(([0-9, ]*)\), \} *\n$`)

// read returns an array's bytes after checking type and shape.
func (f File) read(name, descr string, shape []int) ([]byte, error) {
	i := slices.IndexFunc(f.archive.File, func(entry *zip.File) bool { return entry.Name == member(name) })
	if i < 0 {
		return nil, fmt.Errorf("array %s: %w", name, ErrNoArray)
	}
	entry := f.archive.File[i]
	want := 4 * Count(shape)
	const longestHeader = 1 << 12
	if entry.UncompressedSize64 > uint64(want)+longestHeader {
		return nil, fmt.Errorf("array %s has %d bytes in place of %d", name, entry.UncompressedSize64, want)
	}
	in, err := entry.Open()
	if err != nil {
		return nil, fmt.Errorf("array %s: %w", name, err)
	}
	defer func() { _ = in.Close() }()
	content := make([]byte, entry.UncompressedSize64)
	if _, err := io.ReadFull(in, content); err != nil {
		return nil, fmt.Errorf("array %s: %w", name, err)
	}
	data, err := dataOf(content, descr, shape)
	if err != nil {
		return nil, fmt.Errorf("array %s: %w", name, err)
	}
	return data, nil
}

// dataOf checks a .npy file's header against type and shape and returns what follows it.
func dataOf(content []byte, descr string, shape []int) ([]byte, error) {
	rest, ok := bytes.CutPrefix(content, []byte(npyMagic))
	if !ok || len(rest) < 2 {
		return nil, errors.New("not an array of NumPy's format 1.0")
	}
	length := int(binary.LittleEndian.Uint16(rest))
	if rest = rest[2:]; len(rest) < length {
		return nil, errors.New("the header is cut off")
	}
	parts := npyHeader.FindSubmatch(rest[:length])
	if parts == nil || string(parts[1]) != descr {
		return nil, fmt.Errorf("it does not hold %s in C order", descr)
	}
	var have []int
	for part := range strings.SplitSeq(string(parts[2]), ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		d, err := strconv.Atoi(part)
		if err != nil {
			return nil, err
		}
		have = append(have, d)
	}
	if !slices.Equal(have, shape) {
		return nil, fmt.Errorf("its shape is %v in place of %v", have, shape)
	}
	if data := rest[length:]; len(data) == 4*Count(shape) {
		return data, nil
	}
	return nil, errors.New("the numbers are cut off")
}
