package database

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/variance"
)

// packLimit is the size in bytes above which packed values are deflated.
const packLimit = 4096

// maxPacked bounds a packed value, deflated or not: the files and labels of a suite of millions of
// images take less. A damaged value may say that it is anything.
const maxPacked = 1 << 30

// The first byte of a packed value.
const (
	packedPlain    = 'J'
	packedDeflated = 'Z'
)

// Pack encodes v as JSON behind one byte that says whether it is deflated.
func Pack(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return packBytes(text)
}

// packBytes puts the byte in front that says whether what follows is deflated.
func packBytes(raw []byte) ([]byte, error) {
	if len(raw) > maxPacked {
		return nil, tooLarge(maxPacked)
	}
	if len(raw) <= packLimit {
		return append([]byte{packedPlain}, raw...), nil
	}
	out := bytes.NewBuffer([]byte{packedDeflated})
	w, err := flate.NewWriter(out, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(raw); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// unpack decodes what pack made.
func unpack(data []byte, into any) error {
	text, err := unpackBytes(data)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// unpackBytes gives what packBytes was given. It shares the memory of what was not deflated.
func unpackBytes(data []byte) ([]byte, error) {
	if len(data) == 0 {
		return nil, errors.New("empty value")
	}
	switch data[0] {
	case packedPlain:
		return data[1:], nil
	case packedDeflated:
		return inflate(data[1:], maxPacked)
	}
	return nil, fmt.Errorf("unknown packing %q", data[0])
}

// inflate takes no more than limit bytes out of data.
func inflate(data []byte, limit int64) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(data)), limit+1))
	if err == nil && int64(len(raw)) > limit {
		err = tooLarge(limit)
	}
	return raw, err
}

func tooLarge(limit int64) error {
	return fmt.Errorf("it has more than %s", result.Bytes.Say(float64(limit), 0))
}

// putHead encodes a head as JSON behind its length (u32, little-endian), and float64 numbers,
// little-endian, behind it.
func putHead(head any, numbers []float64) ([]byte, error) {
	text, err := json.Marshal(head)
	if err != nil {
		return nil, err
	}
	data := binary.LittleEndian.AppendUint32(nil, uint32(len(text)))
	return binary.Append(append(data, text...), binary.LittleEndian, numbers)
}

// putMatrices is putHead with the numbers of a model: accuracies, robust accuracy, then the named
// matrices, whole.
func putMatrices(
	head any, accuracy []float64, robust float64, names []string, of map[string]variance.Matrix,
) ([]byte, error) {
	numbers := append(append([]float64{}, accuracy...), robust)
	for _, name := range names {
		numbers = append(numbers, of[name].Data...)
	}
	return putHead(head, numbers)
}

// cutMatrices reads the numbers of putMatrices behind their head, which says how many accuracies
// there are and how large each matrix is. Matrices that are not asked for have no elements.
func cutMatrices(
	rest []byte, accuracies, n int, names []string, matrices Extent,
) (numbers []float64, of map[string]variance.Matrix, err error) {
	const most = 1 << 12 // so that the product below fits, whatever a damaged head says
	if n < 0 || n > most || accuracies < 0 || accuracies > most || len(names) > most ||
		len(rest) != 8*(accuracies+1+len(names)*n*n) {
		return nil, nil, errors.New("its numbers are not as many as it says")
	}
	if matrices == WithoutMatrices {
		rest = rest[:8*(accuracies+1)]
	}
	numbers, of = make([]float64, len(rest)/8), make(map[string]variance.Matrix, len(names))
	if _, err := binary.Decode(rest, binary.LittleEndian, numbers); err != nil {
		return nil, nil, err
	}
	for i, name := range names {
		m := variance.Matrix{}
		if at := accuracies + 1 + i*n*n; matrices == WithMatrices {
			m = variance.Matrix{N: n, Data: numbers[at : at+n*n : at+n*n]}
		}
		of[name] = m
	}
	return numbers, of, nil
}

// cutHead decodes the head of what putHead made and returns the bytes of its numbers.
func cutHead(data []byte, head any) (rest []byte, err error) {
	if len(data) < 4 || uint64(binary.LittleEndian.Uint32(data)) > uint64(len(data)-4) {
		return nil, errors.New("it is cut off")
	}
	length := binary.LittleEndian.Uint32(data)
	return data[4+length:], json.Unmarshal(data[4:4+length], head)
}

// PackNumbers encodes float64 numbers, little-endian, as packBytes does.
func PackNumbers(v any) ([]byte, error) {
	raw, err := binary.Append(nil, binary.LittleEndian, v)
	if err != nil {
		return nil, err
	}
	return packBytes(raw)
}

// unpackNumbers decodes what packNumbers made.
func unpackNumbers(data []byte, into any) error {
	v, ok := into.(*[]float64)
	raw, err := unpackBytes(data)
	switch {
	case err != nil:
		return err
	case !ok || len(raw)%8 != 0:
		return fmt.Errorf("%d bytes are no whole numbers", len(raw))
	}
	*v = make([]float64, len(raw)/8)
	_, err = binary.Decode(raw, binary.LittleEndian, *v)
	return err
}
