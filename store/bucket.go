package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"

	"go.etcd.io/bbolt"
)

// form is all that is declared of a bucket of the database.
type form struct {
	name  string
	since int    // the schema that it came with, 0 for the first
	one   string // a record for people, as ErrNotFound calls it
	what  string // the records for people
	lost  string // what is lost with a record that cannot be read
	codec codec  // of its values, the zero codec where they are bytes
	// read says why a record cannot be read.
	read func(key string, value []byte) error
	// derived records are made again from others, or computed again.
	derived bool
	// of is the bucket whose records these are parts of.
	of *form
}

// codec is how values become bytes.
type codec struct {
	encode func(v any) ([]byte, error)
	decode func(data []byte, into any) error
}

var (
	asJSON    = codec{json.Marshal, json.Unmarshal}
	asPacked  = codec{pack, unpack}
	asNumbers = codec{packNumbers, unpackNumbers}
)

// forms are all buckets but meta, in the order in which they are declared.
var forms []*form

// plain declares a bucket of bytes.
func plain(b form) *form {
	forms = append(forms, &b)
	return &b
}

// bucket holds values of one type under keys of one type.
type bucket[K ~string, V any] struct{ *form }

// recordsOf declares a bucket of values, JSON where it names no codec. Where self is given, a
// value lies under the key that it gives.
func recordsOf[K ~string, V any](b form, self func(V) K) bucket[K, V] {
	if b.codec.encode == nil {
		b.codec = asJSON
	}
	if b.read == nil {
		b.read = func(key string, value []byte) error {
			var v V
			if err := b.codec.decode(value, &v); err != nil {
				return err
			}
			if self != nil && string(self(v)) != key {
				return fmt.Errorf("it calls itself %s", short(string(self(v))))
			}
			return nil
		}
	}
	return bucket[K, V]{plain(b)}
}

// has tells whether there is a record of this key.
func (b *form) has(tx *bbolt.Tx, key string) bool { return b.bytes(tx, key) != nil }

// bytes is a record as it is stored, nil where it or the whole bucket is not there.
func (b *form) bytes(tx *bbolt.Tx, key string) []byte {
	if in := b.in(tx); in != nil {
		return in.Get([]byte(key))
	}
	return nil
}

// in is the bucket in a transaction, nil where it is not there.
func (b *form) in(tx *bbolt.Tx) *bbolt.Bucket { return tx.Bucket([]byte(b.name)) }

// from yields the records whose keys begin with prefix, as they are stored, in the order of keys.
func (b *form) from(tx *bbolt.Tx, prefix string) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		in := b.in(tx)
		if in == nil {
			return
		}
		c, start := in.Cursor(), []byte(prefix)
		for key, value := c.Seek(start); key != nil && bytes.HasPrefix(key, start); key, value = c.Next() {
			if !yield(string(key), value) {
				return
			}
		}
	}
}

// size is the number of bytes in the bucket, keys included.
func (b *form) size(tx *bbolt.Tx) (n uint64) {
	for key, value := range b.from(tx, "") {
		n += uint64(len(key) + len(value))
	}
	return n
}

// into reads a record into a value; found is false where there is none, and the value is left
// alone.
func (b *form) into(tx *bbolt.Tx, key string, v any) (found bool, err error) {
	data := b.bytes(tx, key)
	if data == nil {
		return false, nil
	}
	return true, b.decode(key, data, v)
}

func (b *form) decode(key string, data []byte, into any) error {
	if err := b.codec.decode(data, into); err != nil {
		return b.damaged(key, err)
	}
	return nil
}

// damaged is the error of a record that cannot be read.
func (b *form) damaged(key string, err error) error {
	return fmt.Errorf("%w (%s %s: %w)", ErrDamaged, b.name, key, err)
}

func (b *form) putBytes(tx *bbolt.Tx, key string, data []byte) error {
	return b.in(tx).Put([]byte(key), data)
}

// delete takes a key out of the bucket; one that is not there does no harm.
func (b *form) delete(tx *bbolt.Tx, key string) error { return b.in(tx).Delete([]byte(key)) }

// forget takes a record out, and its parts out of theirs.
func (b *form) forget(tx *bbolt.Tx, key string) error {
	for _, part := range forms {
		if part == b || part.of == b {
			if err := part.delete(tx, key); err != nil {
				return err
			}
		}
	}
	return nil
}

// only is the one key that starts with prefix, "" when there is none or more than one.
func (b *form) only(tx *bbolt.Tx, prefix string) (only string) {
	const shortest = 6
	if len(prefix) < shortest {
		return ""
	}
	for key := range b.from(tx, prefix) {
		if only != "" {
			return ""
		}
		only = key
	}
	return only
}

// missing is ErrNotFound for a record of this key.
func (b *form) missing(key string) error { return missing(b.one, key) }

// has tells whether there is a value of this key.
func (b bucket[K, V]) has(tx *bbolt.Tx, key K) bool { return b.form.has(tx, string(key)) }

// get reads a value; found is false where there is none.
func (b bucket[K, V]) get(tx *bbolt.Tx, key K) (v V, found bool, err error) {
	found, err = b.into(tx, string(key), &v)
	return v, found, err
}

// need reads a value that must be there, else the error is ErrNotFound.
func (b bucket[K, V]) need(tx *bbolt.Tx, key K) (V, error) {
	v, found, err := b.get(tx, key)
	if err == nil && !found {
		err = b.missing(string(key))
	}
	return v, err
}

// put stores a value.
func (b bucket[K, V]) put(tx *bbolt.Tx, key K, v V) error {
	data, err := b.codec.encode(v)
	if err != nil {
		return fmt.Errorf("store %s %s: %w", b.name, key, err)
	}
	return b.putBytes(tx, string(key), data)
}

// delete takes values out; those that are not there do no harm.
func (b bucket[K, V]) delete(tx *bbolt.Tx, keys ...K) error {
	for _, key := range keys {
		if err := b.form.delete(tx, string(key)); err != nil {
			return err
		}
	}
	return nil
}

// index yields the values whose keys begin with prefix, in the order of keys.
func (b bucket[K, V]) index(tx *bbolt.Tx, prefix K) iter.Seq2[V, error] {
	return func(yield func(V, error) bool) {
		for key, data := range b.from(tx, string(prefix)) {
			var v V
			err := b.decode(key, data, &v)
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
}

// all reads every value in the order of keys.
func (b bucket[K, V]) all(tx *bbolt.Tx) (list []V, err error) {
	for v, err := range b.index(tx, "") {
		if err != nil {
			return list, err
		}
		list = append(list, v)
	}
	return list, nil
}
