package store

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"go.etcd.io/bbolt"
)

// rescued are the records that could be read of a damaged database and its backups: bucket, key,
// value.
type rescued struct {
	records map[string]map[string][]byte
	// lost are the buckets of which a page could not be read; "" is the list of buckets itself.
	lost map[string]bool
}

func (r rescued) count() (n int) {
	for _, bucket := range r.records {
		n += len(bucket)
	}
	return n
}

// add keeps a record unless there is one of its key, which came from a better place.
func (r rescued) add(bucket, key string, value []byte) {
	if r.records[bucket] == nil {
		r.records[bucket] = map[string][]byte{}
	}
	if _, known := r.records[bucket][key]; !known {
		r.records[bucket][key] = bytes.Clone(value)
	}
}

// salvageFrom reads what is readable: what the newest state of the database leads to, then what
// the state before it leads to, then records that tell by themselves what they are on pages to
// which nothing leads, then the backups. Label events are taken from everywhere: they are only
// ever added. Other records are taken from the later places where something of their bucket is
// lost, so that what was removed stays away. An error is that of the archive's context: what was
// read until then says nothing.
func salvageFrom(workspace string, a *archive) (rescued, error) {
	r := rescued{records: map[string]map[string][]byte{}, lost: map[string]bool{}}
	f, err := os.Open(filepath.Join(workspace, databaseFile))
	if err == nil {
		defer func() { _ = f.Close() }()
		if info, err := f.Stat(); err == nil {
			r.fromPages(a.ctx, f, info.Size())
		}
	} else {
		r.lost[""] = true
	}
	a.view(func(tx *bbolt.Tx) bool {
		_ = tx.ForEach(func(name []byte, b *bbolt.Bucket) error {
			of := bucketNamed(string(name))
			if of == nil || !r.wants(string(name)) {
				return nil
			}
			return b.ForEach(func(key, value []byte) error {
				if value != nil && of.read(string(key), value) == nil {
					r.add(string(name), string(key), value)
				}
				return a.ctx.Err()
			})
		})
		return a.ctx.Err() != nil
	})
	return r, a.ctx.Err()
}

// wants tells whether records of a bucket are to be taken from other places than the newest state.
func (r rescued) wants(bucket string) bool {
	return r.lost[""] || r.lost[bucket] || bucket == bucketEvents.name
}

// fromPages reads a database file, until ctx ends.
func (r rescued) fromPages(ctx context.Context, f io.ReaderAt, size int64) {
	var states []boltState
	if newest, err := newestMeta(f, size); err == nil {
		states = append(states, newest)
		for _, at := range []int64{0, int64(newest.pageSize)} {
			if other, ok := readMeta(f, at); ok && other.tx != newest.tx {
				states = append(states, other)
			}
		}
	} else {
		states = []boltState{{pageSize: uint64(os.Getpagesize()), freelist: boltNoFreelist}}
		r.lost[""] = true
	}
	pages := uint64(size) / states[0].pageSize
	newest := newSalvager(ctx, r, f, pages)
	newest.newest = true
	for i, s := range states {
		s.high = min(max(s.high, pages), pages)
		walk := newest
		if i > 0 {
			walk = newSalvager(ctx, r, f, pages)
		}
		walk.check.state = s
		if s.root != 0 {
			walk.buckets(s.root)
		}
	}
	newest.strays()
}

// salvager walks the pages of one state of a damaged database and passes over what it cannot read.
type salvager struct {
	rescued
	check  pageCheck // whose used are the pages that were read themselves, not those that another one says to run on into
	newest bool
	// spare is how many pages others may still run on into. Without an end, a damaged file could
	// have itself read once for each page.
	spare uint64
}

// spareFiles is how often the pages of a file are read at most as parts of other pages; those of a
// sound file, once.
const spareFiles = 4

func newSalvager(ctx context.Context, r rescued, f io.ReaderAt, pages uint64) *salvager {
	return &salvager{rescued: r, check: pageCheck{ctx: ctx, in: f, used: make([]bool, pages)}, spare: spareFiles * pages}
}

// read reads a page's head once. It takes nothing from the pages that this one says to run on
// into: where its head is damaged, they are others' and hold records of their own.
func (s *salvager) read(id uint64) (page, error) {
	p, err := s.check.first(id)
	if err != nil {
		return p, err
	}
	if s.check.used[id] {
		return p, fmt.Errorf("page %d is used twice", id)
	}
	s.check.used[id] = true
	p.pages = min(p.pages, s.check.state.high-id)
	if p.pages-1 > s.spare {
		p.pages = 1
	}
	s.spare -= p.pages - 1
	p.extent = int64(p.pages * s.check.state.pageSize)
	return p, p.roomy()
}

// buckets walks the list of buckets.
func (s *salvager) buckets(root uint64) {
	s.walk(root, 0, "", func(key, value []byte, kind uint32) {
		of := bucketNamed(string(key))
		if kind != boltBucketEntry || of == nil || len(value) < boltBucket || !s.newest && !s.wants(string(key)) {
			return
		}
		name := string(key)
		take := func(key, value []byte, kind uint32) {
			switch {
			case kind == 0 && of.read(string(key), value) == nil:
				s.add(name, string(key), value)
			case s.newest && name != bucketEvents.name:
				s.lost[name] = true
			}
		}
		if child := order.Uint64(value); child != 0 {
			s.walk(child, 1, name, take)
		} else {
			s.elements(value[boltBucket:], name, take)
		}
	})
}

// walk visits the entries below a page. What cannot be read is noted as lost to the bucket name.
func (s *salvager) walk(id uint64, depth int, name string, visit func(key, value []byte, kind uint32)) {
	p, err := s.read(id)
	if err != nil || depth > boltMaxDepth || p.flags != boltLeaf && p.flags != boltBranch {
		s.lose(name)
		return
	}
	data, err := s.whole(p)
	if err != nil {
		s.lose(name)
		return
	}
	if p.flags == boltLeaf {
		s.elements(data, name, visit)
		return
	}
	for i := range int(p.count) {
		e := data[boltHeader+i*boltElement:]
		s.walk(order.Uint64(e[8:]), depth+1, name, visit)
	}
}

func (s *salvager) lose(name string) {
	if s.newest {
		s.lost[name] = true
	}
}

// whole reads a page with those that it runs on into.
func (s *salvager) whole(p page) ([]byte, error) {
	data := make([]byte, p.extent)
	_, err := s.check.in.ReadAt(data, p.offset)
	return data, err
}

// elements visits the entries of a leaf page, or of a small bucket, which has its form.
func (s *salvager) elements(data []byte, name string, visit func(key, value []byte, kind uint32)) {
	if len(data) < boltHeader {
		s.lose(name)
		return
	}
	for i := range int64(order.Uint16(data[10:])) {
		at := boltHeader + i*boltElement
		if at+boltElement > int64(len(data)) {
			s.lose(name)
			return
		}
		e := data[at:]
		from := at + int64(order.Uint32(e[4:]))
		middle := from + int64(order.Uint32(e[8:]))
		end := middle + int64(order.Uint32(e[12:]))
		if end > int64(len(data)) {
			s.lose(name)
			continue
		}
		visit(data[from:middle], data[middle:end], order.Uint32(e))
	}
}

// strays looks through the pages to which the newest state does not lead. Of pages that it calls
// free only label events are taken: what else lies there was replaced or removed.
func (s *salvager) strays() {
	free := s.free()
	for id := uint64(2); id < s.check.state.high; id++ {
		if s.check.used[id] {
			continue
		}
		p, err := s.read(id)
		if err != nil || p.flags != boltLeaf {
			continue
		}
		data, err := s.whole(p)
		if err != nil {
			continue
		}
		quiet := &salvager{rescued: s.rescued}
		quiet.elements(data, "", func(key, value []byte, kind uint32) {
			if kind == 0 {
				s.stray(string(key), value, free[id])
			}
		})
	}
}

// free are the pages that the newest state calls free, as far as that can be read.
func (s *salvager) free() map[uint64]bool {
	free := map[uint64]bool{}
	if s.check.state.freelist == boltNoFreelist {
		return free
	}
	p, err := s.read(s.check.state.freelist)
	if err != nil || p.flags != boltFreelist {
		return free
	}
	data, err := s.whole(p)
	if err != nil {
		return free
	}
	count, list := uint64(p.count), data[boltHeader:]
	if p.count == boltManyFree && len(list) >= 8 {
		count, list = order.Uint64(list), list[8:]
	}
	for i := uint64(0); i < min(count, uint64(len(list)/8)); i++ {
		free[order.Uint64(list[8*i:])] = true
	}
	return free
}

// stray takes a record that tells by itself which bucket it is of.
func (s *salvager) stray(key string, value []byte, free bool) {
	for _, b := range forms {
		if b.telling && s.wants(b.name) && (!free || b == bucketEvents.bucket) && b.read(key, value) == nil &&
			(b.tells == nil || b.tells(value)) {
			s.add(b.name, key, value)
			return
		}
	}
	for _, b := range forms {
		if b.of != nil && !b.telling && !free && s.wants(b.name) && s.records[b.of.name][key] != nil && b.tells(value) {
			s.add(b.name, key, value)
			return
		}
	}
}
