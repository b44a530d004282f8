package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"go.etcd.io/bbolt"
)

// bucket is all that is declared of a bucket of the database.
type bucket struct {
	name  string
	since int    // the schema that it came with, 0 for the first
	one   string // a record for people, as ErrNotFound calls it
	what  string // the records for people
	lost  string // what is lost with a record that cannot be read
	codec codec  // of its values, the zero codec where they are bytes
	// read says why a record cannot be read.
	read func(key string, value []byte) error
	// telling: a record shows by itself which bucket it is of, so that it is known again on a page
	// that no bucket leads to. tells is strict about its fields, so that one of another bucket with
	// the same names is not taken for it; nil where read is strict enough.
	telling bool
	tells   func(value []byte) bool
	// derived records are made again from others, or computed again.
	derived bool
	// of is the bucket whose records these are parts of.
	of *bucket
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
var forms []*bucket

// plain declares a bucket of bytes.
func plain(b bucket) *bucket {
	forms = append(forms, &b)
	return &b
}

// bucketOf is a bucket of values of one type.
type bucketOf[V any] struct{ *bucket }

// recordsOf declares a bucket of values, JSON where it names no codec. Where self is given, a record
// lies under the key that it gives.
func recordsOf[V any](b bucket, self func(V) string) bucketOf[V] {
	if b.codec.encode == nil {
		b.codec = asJSON
	}
	if b.read == nil {
		b.read = func(key string, value []byte) error {
			var v V
			if err := b.codec.decode(value, &v); err != nil {
				return err
			}
			if self != nil && self(v) != key {
				return fmt.Errorf("it calls itself %s", short(self(v)))
			}
			return nil
		}
	}
	b.tells = func(value []byte) bool {
		var text json.RawMessage
		if b.codec.decode(value, &text) != nil || len(text) <= len("{}") {
			return false
		}
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields()
		return d.Decode(new(V)) == nil
	}
	return bucketOf[V]{plain(b)}
}

// has tells whether there is a record of this key.
func (b *bucket) has(tx *bbolt.Tx, key string) bool { return b.bytes(tx, key) != nil }

// bytes is a record as it is stored, nil where it or the whole bucket is not there.
func (b *bucket) bytes(tx *bbolt.Tx, key string) []byte {
	if in := b.in(tx); in != nil {
		return in.Get([]byte(key))
	}
	return nil
}

// in is the bucket in a transaction, nil where it is not there.
func (b *bucket) in(tx *bbolt.Tx) *bbolt.Bucket { return tx.Bucket([]byte(b.name)) }

// from yields the records whose keys begin with prefix, as they are stored, in the order of keys.
func (b *bucket) from(tx *bbolt.Tx, prefix string) iter.Seq2[string, []byte] {
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
func (b *bucket) size(tx *bbolt.Tx) (n uint64) {
	for key, value := range b.from(tx, "") {
		n += uint64(len(key) + len(value))
	}
	return n
}

// into reads a record into a value; found is false where there is none, and the value is left alone.
func (b *bucket) into(tx *bbolt.Tx, key string, v any) (found bool, err error) {
	data := b.bytes(tx, key)
	if data == nil {
		return false, nil
	}
	return true, b.decode(key, data, v)
}

func (b *bucket) decode(key string, data []byte, into any) error {
	if err := b.codec.decode(data, into); err != nil {
		return b.damaged(key, err)
	}
	return nil
}

// damaged is the error of a record that cannot be read.
func (b *bucket) damaged(key string, err error) error {
	return fmt.Errorf("%w (%s %s: %w)", ErrDamaged, b.name, key, err)
}

// put stores a value.
func (b *bucket) put(tx *bbolt.Tx, key string, v any) error {
	data, err := b.codec.encode(v)
	if err != nil {
		return fmt.Errorf("store %s %s: %w", b.name, key, err)
	}
	return b.putBytes(tx, key, data)
}

func (b *bucket) putBytes(tx *bbolt.Tx, key string, data []byte) error {
	return b.in(tx).Put([]byte(key), data)
}

// delete takes keys out of the bucket; those that are not there do no harm.
func (b *bucket) delete(tx *bbolt.Tx, keys ...string) error {
	for _, key := range keys {
		if err := b.in(tx).Delete([]byte(key)); err != nil {
			return err
		}
	}
	return nil
}

// forget takes a record out, and its parts out of theirs.
func (b *bucket) forget(tx *bbolt.Tx, key string) error {
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
func (b *bucket) only(tx *bbolt.Tx, prefix string) (only string) {
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
func (b *bucket) missing(key string) error { return missing(b.one, key) }

// get reads a record; found is false where there is none.
func (r bucketOf[V]) get(tx *bbolt.Tx, key string) (v V, found bool, err error) {
	found, err = r.into(tx, key, &v)
	return v, found, err
}

// need reads a record that must be there, else the error is ErrNotFound.
func (r bucketOf[V]) need(tx *bbolt.Tx, key string) (V, error) {
	v, found, err := r.get(tx, key)
	if err == nil && !found {
		err = r.missing(key)
	}
	return v, err
}

// all reads every record in the order of keys.
func (r bucketOf[V]) all(tx *bbolt.Tx) (list []V, err error) {
	for key, data := range r.from(tx, "") {
		var v V
		if err := r.decode(key, data, &v); err != nil {
			return list, err
		}
		list = append(list, v)
	}
	return list, nil
}

// bucketNamed is the bucket of a name, nil where this program knows none.
func bucketNamed(name string) *bucket {
	if at := slices.IndexFunc(allBuckets(), func(b *bucket) bool { return b.name == name }); at >= 0 {
		return allBuckets()[at]
	}
	return nil
}
