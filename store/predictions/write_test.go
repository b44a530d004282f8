package predictions

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// npy encodes numbers as NumPy's format 1.0; descr must fit the type of values.
func npy(tb testing.TB, descr string, columns bool, shape []int, values any) []byte {
	tb.Helper()
	dims := make([]string, len(shape))
	for i, d := range shape {
		dims[i] = fmt.Sprint(d)
	}
	order := map[bool]string{false: "False", true: "True"}[columns]
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': (%s,), }", descr, order,
		strings.Join(dims, ", "))
	header += strings.Repeat(" ", 63-(10+len(header))%64) + "\n"
	data := append([]byte("\x93NUMPY\x01\x00"), binary.LittleEndian.AppendUint16(nil, uint16(len(header)))...)
	data = append(data, header...)
	var endian binary.AppendByteOrder = binary.LittleEndian
	if strings.HasPrefix(descr, ">") {
		endian = binary.BigEndian
	}
	out := bytes.NewBuffer(data)
	must(tb, binary.Write(out, endian.(binary.ByteOrder), values))
	return out.Bytes()
}

type member struct {
	name    string
	content []byte
}

func npz(tb testing.TB, members ...member) []byte {
	tb.Helper()
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, m := range members {
		entry, err := archive.Create(m.name + ".npy")
		if err == nil {
			_, err = entry.Write(m.content)
		}
		must(tb, err)
	}
	must(tb, archive.Close())
	return out.Bytes()
}

// put writes a file into a new folder and returns its path.
func put(tb testing.TB, name, content string) string {
	tb.Helper()
	return putIn(tb, tb.TempDir(), name, content)
}

func putIn(tb testing.TB, folder, name, content string) string {
	tb.Helper()
	path := filepath.Join(folder, name)
	must(tb, os.WriteFile(path, []byte(content), 0o644))
	return path
}
