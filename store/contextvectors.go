package store

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"go.etcd.io/bbolt"
)

// maxContext bounds the bytes of all context vectors together: those of 20,000 images under 150 elements and 365 scenes.
const maxContext = 128 << 20

// Context vectors are the keyword vectors of single images, by a key that says what they depend on: networks, image and mask. They
// can be computed again; the next ones for which there is no room sweep the others away, so that they take at most 128 MiB.

// ContextVector reads a vector; found is false where there is none.
func (w *Workspace) ContextVector(key string) (vector []float64, found bool, err error) {
	err = w.view(func(tx *bbolt.Tx) error {
		data := tx.Bucket(bucketContextVectors).Get([]byte(key))
		if data == nil {
			return nil
		}
		found = true
		if vector, err = unpackNumbers(data); err != nil {
			return fmt.Errorf("%w (%s %s: %w)", ErrDamaged, bucketContextVectors, key, err)
		}
		return nil
	})
	return vector, found && err == nil, err
}

// PutContextVectors keeps vectors by their keys, all of them in one transaction. Those of one call must take less than 128 MiB, and no key may be empty.
func (w *Workspace) PutContextVectors(vectors map[string][]float64) error {
	packed, size := make(map[string][]byte, len(vectors)), uint64(0)
	for key, v := range vectors {
		data, err := packNumbers(v)
		if err != nil {
			return fmt.Errorf("keep context vector %s: %w", key, err)
		}
		if key == "" {
			return errors.New("keep context vectors: one has no key")
		}
		packed[key], size = data, size+uint64(len(key)+len(data))
	}
	if size > maxContext {
		return fmt.Errorf("keep context vectors: %s are too many at once; at most %s can be kept", SizeText(int64(size)), SizeText(maxContext))
	}
	return w.update(func(tx *bbolt.Tx) error {
		bucket := tx.Bucket(bucketContextVectors)
		used := bucket.Sequence() + size // the bucket's sequence is the number of bytes in it
		for key := range packed {
			if old := bucket.Get([]byte(key)); old != nil {
				used -= uint64(len(key) + len(old))
			}
		}
		if used > maxContext {
			if err := tx.DeleteBucket(bucketContextVectors); err != nil {
				return err
			}
			var err error
			if bucket, err = tx.CreateBucket(bucketContextVectors); err != nil {
				return err
			}
			used = size
		}
		for key, data := range packed {
			if err := bucket.Put([]byte(key), data); err != nil {
				return err
			}
		}
		return bucket.SetSequence(used)
	})
}

// packNumbers encodes float64 numbers, little endian, behind one byte that says whether they are deflated, as pack does.
func packNumbers(v []float64) ([]byte, error) {
	raw := make([]byte, 1, 1+8*len(v))
	raw[0] = packedPlain
	for _, x := range v {
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(x))
	}
	if len(raw) <= packLimit {
		return raw, nil
	}
	out := bytes.NewBuffer([]byte{packedDeflated})
	w, err := flate.NewWriter(out, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(raw[1:]); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// unpackNumbers decodes what packNumbers made.
func unpackNumbers(data []byte) ([]float64, error) {
	if len(data) == 0 {
		return nil, errors.New("empty value")
	}
	raw := data[1:]
	switch data[0] {
	case packedPlain:
	case packedDeflated:
		var err error
		if raw, err = io.ReadAll(flate.NewReader(bytes.NewReader(raw))); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("unknown packing %q", data[0])
	}
	if len(raw)%8 != 0 {
		return nil, fmt.Errorf("%d bytes are no whole numbers", len(raw))
	}
	v := make([]float64, len(raw)/8)
	for i := range v {
		v[i] = math.Float64frombits(binary.LittleEndian.Uint64(raw[8*i:]))
	}
	return v, nil
}
