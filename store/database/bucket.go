package database

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"

	"go.etcd.io/bbolt"
)

// RawBucket is all that is declared of a bucket of the database.
type RawBucket struct {
	Name     string
	Since    int    // the schema that it came with, 0 for the first
	singular string // a record for people, as ErrNotFound calls it
	Plural   string // the records for people
	Loss     string // what is lost with a record that cannot be read
	Codec    codec  // of its values, the zero codec where they are bytes
	// Check says why a record cannot be read.
	Check func(key string, value []byte) error
	// Derived records are made again from others, or computed again.
	Derived bool
	// Of is the bucket whose records these are parts of.
	Of *RawBucket
}

// codec is how values become bytes.
type codec struct {
	encode func(v any) ([]byte, error)
	Decode func(data []byte, into any) error
}

var (
	asJSON    = codec{json.Marshal, json.Unmarshal}
	asPacked  = codec{Pack, unpack}
	asNumbers = codec{PackNumbers, unpackNumbers}
)

// RecordBuckets are all buckets but meta, in the order in which they are declared.
var RecordBuckets []*RawBucket

// plain declares a bucket of bytes.
func plain(b RawBucket) *RawBucket {
	RecordBuckets = append(RecordBuckets, &b)
	return &b
}

// Bucket holds values of one type under keys of one type.
type Bucket[K ~string, V any] struct{ *RawBucket }

// recordsOf declares a bucket of values, JSON where it names no codec. Where self is given, a
// value lies under the key that it gives.
func recordsOf[K ~string, V any](b RawBucket, self func(V) K) Bucket[K, V] {
	if b.Codec.encode == nil {
		b.Codec = asJSON
	}
	if b.Check == nil {
		b.Check = func(key string, value []byte) error {
			var v V
			if err := b.Codec.Decode(value, &v); err != nil {
				return err
			}
			if self != nil && string(self(v)) != key {
				return fmt.Errorf("it calls itself %s", Short(string(self(v))))
			}
			return nil
		}
	}
	return Bucket[K, V]{plain(b)}
}

// Has tells whether there is a record of this key.
func (b *RawBucket) Has(tx *Tx, key string) bool { return b.Bytes(tx, key) != nil }

// Bytes is a record as it is stored, nil where it or the whole bucket is not there.
func (b *RawBucket) Bytes(tx *Tx, key string) []byte {
	if in := b.In(tx); in != nil {
		return in.Get([]byte(key))
	}
	return nil
}

// In is the bucket in a transaction, nil where it is not there.
func (b *RawBucket) In(tx *Tx) *bbolt.Bucket { return tx.Bucket([]byte(b.Name)) }

// From yields the records whose keys begin with prefix, as they are stored, in the order of keys.
func (b *RawBucket) From(tx *Tx, prefix string) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		in := b.In(tx)
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

// Size is the number of bytes in the bucket, keys included.
func (b *RawBucket) Size(tx *Tx) (n uint64) {
	for key, value := range b.From(tx, "") {
		n += uint64(len(key) + len(value))
	}
	return n
}

// Into reads a record into a value; found is false where there is none, and the value is left
// alone.
func (b *RawBucket) Into(tx *Tx, key string, v any) (found bool, err error) {
	data := b.Bytes(tx, key)
	if data == nil {
		return false, nil
	}
	return true, b.Decode(key, data, v)
}

// Decode reads the bytes of a record into a value; ErrDamaged where they are none of this bucket.
func (b *RawBucket) Decode(key string, data []byte, into any) error {
	if err := b.Codec.Decode(data, into); err != nil {
		return b.damaged(key, err)
	}
	return nil
}

// damaged is the error of a record that cannot be read.
func (b *RawBucket) damaged(key string, err error) error {
	return fmt.Errorf("%w (%s %s: %w)", ErrDamaged, b.Name, key, err)
}

// PutBytes stores a record as it is.
func (b *RawBucket) PutBytes(tx *Tx, key string, data []byte) error {
	return b.In(tx).Put([]byte(key), data)
}

// Delete takes a key out of the bucket; one that is not there does no harm.
func (b *RawBucket) Delete(tx *Tx, key string) error { return b.In(tx).Delete([]byte(key)) }

// Forget takes a record out, and its parts out of theirs.
func (b *RawBucket) Forget(tx *Tx, key string) error {
	for _, part := range RecordBuckets {
		if part == b || part.Of == b {
			if err := part.Delete(tx, key); err != nil {
				return err
			}
		}
	}
	return nil
}

// Only is the one key that starts with prefix, "" when there is none or more than one.
func (b *RawBucket) Only(tx *Tx, prefix string) (only string) {
	const shortest = 6
	if len(prefix) < shortest {
		return ""
	}
	for key := range b.From(tx, prefix) {
		if only != "" {
			return ""
		}
		only = key
	}
	return only
}

// Missing is ErrNotFound for a record of this key.
func (b *RawBucket) Missing(key string) error { return NotFound(b.singular, key) }

// Has tells whether there is a value of this key.
func (b Bucket[K, V]) Has(tx *Tx, key K) bool { return b.RawBucket.Has(tx, string(key)) }

// Get reads a value; found is false where there is none.
func (b Bucket[K, V]) Get(tx *Tx, key K) (v V, found bool, err error) {
	found, err = b.Into(tx, string(key), &v)
	return v, found, err
}

// Need reads a value that must be there, else the error is ErrNotFound.
func (b Bucket[K, V]) Need(tx *Tx, key K) (V, error) {
	v, found, err := b.Get(tx, key)
	if err == nil && !found {
		err = b.Missing(string(key))
	}
	return v, err
}

// Put stores a value.
func (b Bucket[K, V]) Put(tx *Tx, key K, v V) error {
	data, err := b.Codec.encode(v)
	if err != nil {
		return fmt.Errorf("store %s %s: %w", b.Name, key, err)
	}
	return b.PutBytes(tx, string(key), data)
}

// Delete takes values out; those that are not there do no harm.
func (b Bucket[K, V]) Delete(tx *Tx, keys ...K) error {
	for _, key := range keys {
		if err := b.RawBucket.Delete(tx, string(key)); err != nil {
			return err
		}
	}
	return nil
}

// Index yields the values whose keys begin with prefix, in the order of keys.
func (b Bucket[K, V]) Index(tx *Tx, prefix K) iter.Seq2[V, error] {
	return func(yield func(V, error) bool) {
		for key, data := range b.From(tx, string(prefix)) {
			var v V
			err := b.Decode(key, data, &v)
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
}

// All reads every value in the order of keys.
func (b Bucket[K, V]) All(tx *Tx) (list []V, err error) {
	for v, err := range b.Index(tx, "") {
		if err != nil {
			return list, err
		}
		list = append(list, v)
	}
	return list, nil
}
