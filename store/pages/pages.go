// Package pages walks the pages of a bbolt file before bbolt sees it. bbolt trusts its file: a
// page that lies makes it panic, fault or recurse without end.
package pages

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"os"
)

// The layout of a bbolt file, format version 2: numbers in the machine's byte order; a page starts
// with id u64, flags u16, count u16, overflow u32; then elements of 16 bytes, whose pos counts
// from the element's own start.
const (
	boltMagic       = 0xED0CDAED
	boltVersion     = 2
	boltHeader      = 16
	boltElement     = 16
	boltMeta        = 64
	boltBucket      = 16 // root page u64, sequence u64
	boltBranch      = 0x01
	boltLeaf        = 0x02
	boltMetaKind    = 0x04
	boltFreelist    = 0x10
	boltNoFreelist  = math.MaxUint64
	boltMinPage     = 1024
	boltMaxPage     = 16 << 20
	boltManyFree    = 0xFFFF // the freelist's length is its first entry then
	boltMaxDepth    = 48
	boltBucketEntry = 0x01
)

var order = binary.NativeEndian

// boltState is the part of a meta page that leads to everything else.
type boltState struct {
	pageSize, root, freelist, high, tx uint64
}

// check is a walk over the pages of a file.
type check struct {
	ctx   context.Context
	in    io.ReaderAt
	state boltState
	used  []bool
	told  func(error)
}

// bounds are the keys that a page's parents promise of it: from low on, below high; nil is none.
type bounds struct{ low, high []byte }

// page is one page read: header, and the first pageSize bytes of what belongs to it.
type page struct {
	id           uint64
	flags, count uint16
	extent       int64 // bytes, with those of the pages that a long entry runs on into
	offset       int64
	head         []byte
}

// Check returns an error when the file is not a whole bbolt database, or ctx's. told hears of
// contradictions with which bbolt can read the database all the same; nil for nobody. bbolt's own
// check finds them, too, but nobody can stop it once it has begun. The caller holds the file's
// lock.
func Check(ctx context.Context, f *os.File, told func(error)) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	return walk(ctx, f, info.Size(), told)
}

// Count is the number of pages of the newest state, 0 where the file is no database.
func Count(f *os.File) int {
	info, err := f.Stat()
	if err != nil {
		return 0
	}
	state, _ := newestMeta(f, info.Size())
	return int(state.high)
}

// walk is Check for what has this many bytes.
func walk(ctx context.Context, in io.ReaderAt, size int64, told func(error)) error {
	state, err := newestMeta(in, size)
	if err != nil {
		return err
	}
	if state.high > uint64(size)/state.pageSize {
		return fmt.Errorf("cut off: %d pages in use, room for %d", state.high, uint64(size)/state.pageSize)
	}
	c := &check{ctx: ctx, in: in, state: state, used: make([]bool, state.high), told: told}
	c.used[0], c.used[1] = true, true
	if err := c.tree(state.root, 0, bounds{}); err != nil {
		return err
	}
	if err := c.freelist(); err != nil {
		return err
	}
	c.lost()
	return c.metas()
}

// newestMeta finds the page size and returns the valid meta page of the newest transaction.
func newestMeta(f io.ReaderAt, size int64) (boltState, error) {
	if size == 0 {
		return boltState{}, errors.New("empty file")
	}
	first, ok := readMeta(f, 0)
	if ok {
		if second, ok := readMeta(f, int64(first.pageSize)); ok && second.tx > first.tx {
			return second, nil
		}
		return first, nil
	}
	for at := int64(boltMinPage); at <= boltMaxPage && at < size; at *= 2 {
		if second, ok := readMeta(f, at); ok && second.pageSize == uint64(at) {
			return second, nil
		}
	}
	return boltState{}, errors.New("not a database")
}

func readMeta(f io.ReaderAt, at int64) (s boltState, ok bool) {
	var buf [boltHeader + boltMeta]byte
	if _, err := f.ReadAt(buf[:], at); err != nil {
		return s, false
	}
	meta := buf[boltHeader:]
	sum := fnv.New64a()
	_, _ = sum.Write(meta[:56])
	if order.Uint32(meta) != boltMagic || order.Uint32(meta[4:]) != boltVersion ||
		order.Uint64(meta[56:]) != sum.Sum64() {
		return s, false
	}
	s = boltState{
		pageSize: uint64(order.Uint32(meta[8:])), root: order.Uint64(meta[16:]), freelist: order.Uint64(meta[32:]),
		high: order.Uint64(meta[40:]), tx: order.Uint64(meta[48:]),
	}
	return s, s.pageSize >= boltMinPage && s.pageSize <= boltMaxPage && s.high >= 4
}

// read reads a page's head and marks what it covers as used.
func (c *check) read(id uint64) (page, error) {
	if err := c.ctx.Err(); err != nil {
		return page{}, err
	}
	if id < 2 || id >= c.state.high {
		return page{}, fmt.Errorf("page %d is out of range", id)
	}
	p := page{id: id, offset: int64(id * c.state.pageSize), head: make([]byte, c.state.pageSize)}
	if _, err := c.in.ReadAt(p.head, p.offset); err != nil {
		return p, fmt.Errorf("page %d: %w", id, err)
	}
	if order.Uint64(p.head) != id {
		return p, fmt.Errorf("page %d has another page's number", id)
	}
	p.flags, p.count = order.Uint16(p.head[8:]), order.Uint16(p.head[10:])
	pages := uint64(order.Uint32(p.head[12:])) + 1
	if id+pages > c.state.high {
		return p, fmt.Errorf("page %d is longer than the file", id)
	}
	p.extent = int64(pages * c.state.pageSize)
	for i := id; i < id+pages; i++ {
		if c.used[i] {
			return p, fmt.Errorf("page %d is used twice", i)
		}
		c.used[i] = true
	}
	if boltHeader+int64(p.count)*boltElement > p.extent && p.flags != boltFreelist {
		return p, fmt.Errorf("page %d has more entries than room", id)
	}
	return p, nil
}

// bytes reads part of a page, counted from the page's start.
func (c *check) bytes(p page, from, length int64) ([]byte, error) {
	if from < boltHeader || length < 0 || from+length > p.extent {
		return nil, fmt.Errorf("page %d: an entry reaches outside", p.id)
	}
	if from+length <= int64(len(p.head)) {
		return p.head[from : from+length], nil
	}
	buf := make([]byte, length)
	if _, err := c.in.ReadAt(buf, p.offset+from); err != nil {
		return nil, fmt.Errorf("page %d: %w", p.id, err)
	}
	return buf, nil
}

// tree walks the tree below a page.
func (c *check) tree(id uint64, depth int, within bounds) error {
	if depth > boltMaxDepth {
		return fmt.Errorf("page %d lies too deep", id)
	}
	p, err := c.read(id)
	if err != nil {
		return err
	}
	if p.flags != boltLeaf && p.flags != boltBranch || p.flags == boltBranch && p.count == 0 {
		return fmt.Errorf("page %d is of the wrong kind", id)
	}
	var last []byte
	for i := range int64(p.count) {
		at := boltHeader + i*boltElement
		element, err := c.bytes(p, at, boltElement)
		if err != nil {
			return err
		}
		key, err := c.entry(p, at, element, depth, within.high)
		if err != nil {
			return err
		}
		if i > 0 && bytes.Compare(last, key) >= 0 {
			return fmt.Errorf("page %d is out of order", id)
		}
		if i == 0 && within.low != nil && bytes.Compare(key, within.low) < 0 {
			c.tell(fmt.Errorf("page %d begins before the place that leads to it", id))
		}
		last = key
	}
	if within.high != nil && bytes.Compare(last, within.high) >= 0 {
		c.tell(fmt.Errorf("page %d ends behind the next one's place", id))
	}
	return nil
}

// tell passes on a contradiction.
func (c *check) tell(problem error) {
	if c.told != nil {
		c.told(problem)
	}
}

// lost tells of pages to which nothing leads, neither the tree nor the list of free ones.
func (c *check) lost() {
	if c.state.freelist == boltNoFreelist {
		return // all pages to which nothing leads are free then
	}
	for id, used := range c.used {
		if !used {
			c.tell(fmt.Errorf("page %d is neither in use nor free", id))
		}
	}
}

// metas tells of meta pages that are none: one of them is enough to read the database, and within
// two transactions the other one is written anew.
func (c *check) metas() error {
	var head [boltHeader]byte
	for id := range uint64(2) {
		if _, err := c.in.ReadAt(head[:], int64(id*c.state.pageSize)); err != nil {
			return fmt.Errorf("page %d: %w", id, err)
		}
		if order.Uint64(head[:]) != id || order.Uint16(head[8:]) != boltMetaKind {
			c.tell(fmt.Errorf("page %d does not lead to anything", id))
		}
	}
	return nil
}

// branchKey is the key of an element of a branch page.
func (c *check) branchKey(p page, at int64, element []byte) ([]byte, error) {
	return c.bytes(p, at+int64(order.Uint32(element)), int64(order.Uint32(element[4:])))
}

// child follows an element of a branch page and returns its key; high is what the page itself has
// to stay below.
func (c *check) child(p page, at int64, element []byte, depth int, high []byte) ([]byte, error) {
	key, err := c.branchKey(p, at, element)
	if err != nil {
		return nil, err
	}
	if at += boltElement; at < boltHeader+int64(p.count)*boltElement {
		next, err := c.bytes(p, at, boltElement)
		if err != nil {
			return nil, err
		}
		if high, err = c.branchKey(p, at, next); err != nil {
			return nil, err
		}
	}
	return key, c.tree(order.Uint64(element[8:]), depth+1, bounds{key, high})
}

// entry checks one element of a tree page, follows it, and returns its key; high is what the
// page's keys have to stay below.
func (c *check) entry(p page, at int64, element []byte, depth int, high []byte) ([]byte, error) {
	if p.flags == boltBranch {
		return c.child(p, at, element, depth, high)
	}
	from := at + int64(order.Uint32(element[4:]))
	keySize, size := int64(order.Uint32(element[8:])), int64(order.Uint32(element[12:]))
	key, err := c.bytes(p, from, keySize)
	if err != nil {
		return nil, err
	}
	if from+keySize+size > p.extent {
		return nil, fmt.Errorf("page %d: a value reaches outside", p.id)
	}
	switch order.Uint32(element) {
	case 0:
		return key, nil
	case boltBucketEntry:
		value, err := c.bytes(p, from+keySize, size)
		if err != nil {
			return nil, err
		}
		return key, c.bucket(p, value, depth)
	}
	return nil, fmt.Errorf("page %d: an entry of unknown kind", p.id)
}

// bucket checks a bucket's header and its tree, which may lie inline behind the header.
func (c *check) bucket(p page, value []byte, depth int) error {
	if len(value) < boltBucket {
		return fmt.Errorf("page %d: a bucket is cut off", p.id)
	}
	if root := order.Uint64(value); root != 0 {
		return c.tree(root, depth+1, bounds{})
	}
	inline := value[boltBucket:]
	if len(inline) < boltHeader || order.Uint16(inline[8:]) != boltLeaf {
		return fmt.Errorf("page %d: a small bucket is of the wrong kind", p.id)
	}
	for i := range int64(order.Uint16(inline[10:])) {
		at := boltHeader + i*boltElement
		if at+boltElement > int64(len(inline)) {
			return fmt.Errorf("page %d: a small bucket has more entries than room", p.id)
		}
		e := inline[at:]
		end := at + int64(order.Uint32(e[4:])) + int64(order.Uint32(e[8:])) + int64(order.Uint32(e[12:]))
		if order.Uint32(e) != 0 || end > int64(len(inline)) {
			return fmt.Errorf("page %d: an entry of a small bucket reaches outside", p.id)
		}
	}
	return nil
}

// freelist checks that the free pages are in range, free and named once.
func (c *check) freelist() error {
	if c.state.freelist == boltNoFreelist {
		return nil
	}
	p, err := c.read(c.state.freelist)
	if err != nil {
		return err
	}
	if p.flags != boltFreelist {
		return fmt.Errorf("page %d is of the wrong kind", p.id)
	}
	count, from := uint64(p.count), int64(boltHeader)
	if p.count == boltManyFree {
		first, err := c.bytes(p, from, 8)
		if err != nil {
			return err
		}
		count, from = order.Uint64(first), from+8
	}
	if count > c.state.high {
		return fmt.Errorf("page %d: more free pages than pages", p.id)
	}
	list, err := c.bytes(p, from, int64(count)*8)
	if err != nil {
		return err
	}
	for ; len(list) > 0; list = list[8:] {
		free := order.Uint64(list)
		if free >= c.state.high || c.used[free] {
			return fmt.Errorf("page %d is free and in use", free)
		}
		c.used[free] = true
	}
	return nil
}
