package store

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"go.etcd.io/bbolt"
)

// packLimit is the size in bytes above which packed values are deflated.
const packLimit = 4096

// The first byte of a packed value.
const (
	packedPlain    = 'J'
	packedDeflated = 'Z'
)

// pack encodes v as JSON behind one byte that says whether it is deflated.
func pack(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	if len(text) <= packLimit {
		return append([]byte{packedPlain}, text...), nil
	}
	out := bytes.NewBuffer([]byte{packedDeflated})
	w, err := flate.NewWriter(out, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// unpack decodes what pack made.
func unpack(data []byte, into any) error {
	if len(data) == 0 {
		return errors.New("empty value")
	}
	text := data[1:]
	switch data[0] {
	case packedPlain:
	case packedDeflated:
		var err error
		if text, err = io.ReadAll(flate.NewReader(bytes.NewReader(text))); err != nil {
			return err
		}
	default:
		return fmt.Errorf("unknown packing %q", data[0])
	}
	return json.Unmarshal(text, into)
}

// putJSON stores v as JSON.
func putJSON(tx *bbolt.Tx, bucket []byte, key string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("store %s %s: %w", bucket, key, err)
	}
	return tx.Bucket(bucket).Put([]byte(key), text)
}

// getJSON reads a value; found is false when the key is not there.
func getJSON(tx *bbolt.Tx, bucket []byte, key string, into any) (found bool, err error) {
	text := tx.Bucket(bucket).Get([]byte(key))
	if text == nil {
		return false, nil
	}
	return true, decode(bucket, []byte(key), text, into)
}

func decode(bucket, key, text []byte, into any) error {
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%w (%s %s: %w)", ErrDamaged, bucket, key, err)
	}
	return nil
}

// putPacked stores v packed.
func putPacked(tx *bbolt.Tx, bucket []byte, key string, v any) error {
	data, err := pack(v)
	if err != nil {
		return fmt.Errorf("store %s %s: %w", bucket, key, err)
	}
	return tx.Bucket(bucket).Put([]byte(key), data)
}

// getPacked reads a packed value; a missing key leaves into as it is.
func getPacked(tx *bbolt.Tx, bucket []byte, key string, into any) error {
	data := tx.Bucket(bucket).Get([]byte(key))
	if data == nil {
		return nil
	}
	if err := unpack(data, into); err != nil {
		return fmt.Errorf("%w (%s %s: %w)", ErrDamaged, bucket, key, err)
	}
	return nil
}

// all decodes every value of a bucket in key order.
func all[T any](tx *bbolt.Tx, bucket []byte) ([]T, error) {
	var list []T
	err := tx.Bucket(bucket).ForEach(func(key, text []byte) error {
		var v T
		if err := decode(bucket, key, text, &v); err != nil {
			return err
		}
		list = append(list, v)
		return nil
	})
	return list, err
}
