package pages

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/internal/testdata"
)

var must = testdata.OK

// TestPagesOfSoundDatabases: whatever bbolt writes passes, with page sizes, deletions and nested
// buckets of all kinds.
func TestPagesOfSoundDatabases(t *testing.T) {
	for _, pageSize := range []int{1024, 4096, 16384} {
		path := filepath.Join(t.TempDir(), "db")
		db, err := bbolt.Open(path, 0o644, &bbolt.Options{PageSize: pageSize})
		must(t, err)
		random := rand.New(rand.NewPCG(1, uint64(pageSize)))
		for round := range 40 {
			err := db.Update(func(tx *bbolt.Tx) error { return churn(tx, random, round) })
			must(t, err)
			f := testdata.Must(os.Open(path))(t)
			if err := Check(t.Context(), f, func(problem error) {
				t.Errorf("page size %d, round %d: %v", pageSize, round, problem)
			}); err != nil {
				t.Fatalf("page size %d, round %d: %v", pageSize, round, err)
			}
			_ = f.Close()
		}
		must(t, db.Close())
	}
}

func churn(tx *bbolt.Tx, random *rand.Rand, round int) error {
	top, err := tx.CreateBucketIfNotExists(fmt.Appendf(nil, "bucket %d", round%5))
	if err != nil {
		return err
	}
	inner, err := top.CreateBucketIfNotExists([]byte("inner"))
	if err != nil {
		return err
	}
	for range 200 {
		key := fmt.Appendf(nil, "key %d", random.IntN(2000))
		if random.IntN(3) == 0 {
			if err := inner.Delete(key); err != nil {
				return err
			}
			continue
		}
		size := random.IntN(50)
		if random.IntN(40) == 0 {
			size = random.IntN(40000)
		}
		if err := inner.Put(key, make([]byte, size)); err != nil {
			return err
		}
	}
	if round%7 == 6 {
		return tx.DeleteBucket(fmt.Appendf(nil, "bucket %d", round%5))
	}
	return nil
}

// patched is a bbolt file in memory whose pages a test spoils one field at a time.
type patched struct {
	data  []byte
	state boltState
}

// branching is a database with a branch page, an inline bucket, overflow pages and free pages.
func branching(t *testing.T) patched {
	t.Helper()
	path := filepath.Join(t.TempDir(), "db")
	db, err := bbolt.Open(path, 0o644, &bbolt.Options{PageSize: 4096})
	must(t, err)
	for round := range 3 {
		err := db.Update(func(tx *bbolt.Tx) error {
			b, err := tx.CreateBucketIfNotExists([]byte("big"))
			if err != nil {
				return err
			}
			for i := range 300 {
				if err := b.Put(fmt.Appendf(nil, "key %d", i), bytes.Repeat([]byte{'v'}, 60+round)); err != nil {
					return err
				}
			}
			if err := b.Put([]byte("long"), make([]byte, 20000)); err != nil {
				return err
			}
			small, err := tx.CreateBucketIfNotExists([]byte("small"))
			if err != nil {
				return err
			}
			return small.Put([]byte("k"), []byte("v"))
		})
		must(t, err)
	}
	must(t, db.Close())
	data := testdata.Must(os.ReadFile(path))(t)
	state := testdata.Must(newestMeta(bytes.NewReader(data), int64(len(data))))(t)
	return patched{data, state}
}

// page is a page's bytes, to the end of the file.
func (p patched) page(id uint64) []byte { return p.data[id*p.state.pageSize:] }

// element is element i of a page.
func (p patched) element(id uint64, i int) []byte { return p.page(id)[boltHeader+i*boltElement:] }

// value is the value of leaf element i.
func (p patched) value(id uint64, i int) []byte {
	e := p.element(id, i)
	return e[order.Uint32(e[4:])+order.Uint32(e[8:]):]
}

// TestSpoiledPages spoils every field that bbolt trusts.
func TestSpoiledPages(t *testing.T) {
	sound := branching(t)
	root, free := sound.state.root, sound.state.freelist
	branch := order.Uint64(sound.value(root, 0)) // of bucket big
	if got := order.Uint16(sound.page(branch)[8:]); got != boltBranch {
		t.Fatalf("bucket big begins with a page of kind %d, not a branch", got)
	}
	leaf := order.Uint64(sound.element(branch, 0)[8:])
	inline := func(p patched) []byte { return p.value(root, 1)[boltBucket:] }
	for name, c := range map[string]struct {
		spoil func(p patched)
		want  string
	}{
		"number":             {func(p patched) { order.PutUint64(p.page(root), 99) }, "another page's number"},
		"kind":               {func(p patched) { order.PutUint16(p.page(root)[8:], boltFreelist) }, "wrong kind"},
		"no kind":            {func(p patched) { order.PutUint16(p.page(leaf)[8:], 0) }, "wrong kind"},
		"empty branch":       {func(p patched) { order.PutUint16(p.page(branch)[10:], 0) }, "wrong kind"},
		"count":              {func(p patched) { order.PutUint16(p.page(leaf)[10:], 60000) }, "more entries than room"},
		"overflow":           {func(p patched) { order.PutUint32(p.page(leaf)[12:], 1<<31) }, "longer than the file"},
		"two owners":         {func(p patched) { order.PutUint32(p.page(root)[12:], 1) }, ""},
		"circle":             {func(p patched) { order.PutUint64(p.element(branch, 0)[8:], branch) }, "used twice"},
		"circle to the root": {func(p patched) { order.PutUint64(p.element(branch, 1)[8:], root) }, "used twice"},
		"child outside":      {func(p patched) { order.PutUint64(p.element(branch, 0)[8:], 1<<40) }, "out of range"},
		"child is meta":      {func(p patched) { order.PutUint64(p.element(branch, 0)[8:], 1) }, "out of range"},
		"branch key":         {func(p patched) { order.PutUint32(p.element(branch, 0), 1<<30) }, "reaches outside"},
		"branch key size":    {func(p patched) { order.PutUint32(p.element(branch, 0)[4:], 1<<30) }, "reaches outside"},
		"leaf position":      {func(p patched) { order.PutUint32(p.element(leaf, 0)[4:], 1<<31) }, "reaches outside"},
		"leaf value":         {func(p patched) { order.PutUint32(p.element(leaf, 0)[12:], 1<<31) }, "reaches outside"},
		"leaf kind":          {func(p patched) { order.PutUint32(p.element(leaf, 0), 7) }, "unknown kind"},
		"order": {func(p patched) {
			copy(p.element(leaf, 0), bytes.Clone(p.element(leaf, 1)[:boltElement]))
		}, "out of order"},
		"bucket outside": {func(p patched) { order.PutUint64(p.value(root, 0), 1<<50) }, "out of range"},
		"short bucket":   {func(p patched) { order.PutUint32(p.element(root, 0)[12:], 8) }, "cut off"},
		"inline kind":    {func(p patched) { order.PutUint16(inline(p)[8:], boltBranch) }, "wrong kind"},
		"inline count":   {func(p patched) { order.PutUint16(inline(p)[10:], 999) }, "small bucket"},
		"inline value": {
			func(p patched) { order.PutUint32(inline(p)[boltHeader+12:], 999) }, "small bucket reaches outside",
		},
		"inline in inline": {
			func(p patched) { order.PutUint32(inline(p)[boltHeader:], boltBucketEntry) }, "small bucket",
		},
		"freelist kind":   {func(p patched) { order.PutUint16(p.page(free)[8:], boltLeaf) }, ""},
		"freelist length": {func(p patched) { order.PutUint16(p.page(free)[10:], 5000) }, ""},
		"freelist huge": {func(p patched) {
			order.PutUint16(p.page(free)[10:], boltManyFree)
			order.PutUint64(p.page(free)[boltHeader:], 1<<60)
		}, "more free pages than pages"},
		"free and in use": {func(p patched) { order.PutUint64(p.page(free)[boltHeader:], root) }, "free and in use"},
		"free outside":    {func(p patched) { order.PutUint64(p.page(free)[boltHeader:], 1<<40) }, "free and in use"},
	} {
		p := patched{bytes.Clone(sound.data), sound.state}
		c.spoil(p)
		err := checkBytes(t, p.data)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	must(t, checkBytes(t, sound.data))
}

func checkBytes(t *testing.T, data []byte) error {
	t.Helper()
	path := filepath.Join(t.TempDir(), "db")
	must(t, os.WriteFile(path, data, 0o644))
	f := testdata.Must(os.Open(path))(t)
	defer func() { _ = f.Close() }()
	return Check(t.Context(), f, nil)
}

// TestDeepTrees: a chain of branch pages, each with one child, as no database has it, ends before
// the stack does.
func TestDeepTrees(t *testing.T) {
	sound := branching(t)
	p := patched{bytes.Clone(sound.data), sound.state}
	grow := uint64(len(p.data)) / p.state.pageSize
	p.data = append(p.data, make([]byte, 100*p.state.pageSize)...)
	c := &check{ctx: t.Context(), state: p.state, used: make([]bool, grow+100)}
	c.state.high = grow + 100
	for i := range uint64(100) {
		id := grow + i
		order.PutUint64(p.page(id), id)
		order.PutUint16(p.page(id)[8:], boltBranch)
		order.PutUint16(p.page(id)[10:], 1)
		order.PutUint32(p.element(id, 0), boltElement)
		order.PutUint64(p.element(id, 0)[8:], min(id+1, grow+99))
	}
	c.in = bytes.NewReader(p.data)
	testdata.Refused(t, "a long chain", c.tree(grow, 0, bounds{}), "too deep")
}

// TestContradictions: what bbolt's own check finds wrong with a database that it can read, ours
// finds, too.
func TestContradictions(t *testing.T) {
	sound := branching(t)
	root, free := sound.state.root, sound.state.freelist
	branch := order.Uint64(sound.value(root, 0))
	leaf := func(i int) uint64 { return order.Uint64(sound.element(branch, i)[8:]) }
	key := func(p patched, id uint64, i int) []byte {
		e := p.element(id, i)
		return e[order.Uint32(e[4:]):][:order.Uint32(e[8:])]
	}
	last := int(order.Uint16(sound.page(leaf(0))[10:])) - 1
	for name, c := range map[string]struct {
		spoil func(p patched)
		want  string
	}{
		"lost page": {
			func(p patched) { order.PutUint16(p.page(free)[10:], order.Uint16(p.page(free)[10:])-1) },
			"neither in use nor free",
		},
		"meta":  {func(p patched) { clear(p.page(0)[:p.state.pageSize]) }, "does not lead to anything"},
		"begin": {func(p patched) { key(p, leaf(1), 0)[0] = 'a' }, "begins before the place"},
		"end":   {func(p patched) { key(p, leaf(0), last)[0] = 'z' }, "ends behind the next one's place"},
	} {
		p := patched{bytes.Clone(sound.data), sound.state}
		c.spoil(p)
		var told []string
		err := walk(t.Context(), bytes.NewReader(p.data), int64(len(p.data)),
			func(problem error) { told = append(told, problem.Error()) })
		if err != nil || len(told) != 1 || !strings.Contains(told[0], c.want) {
			t.Errorf("%s: %q, %v", name, told, err)
		}
		if problems := bboltCheck(t, p.data); len(problems) == 0 {
			t.Errorf("%s: bbolt finds nothing wrong", name)
		}
	}
	if problems := bboltCheck(t, sound.data); len(problems) > 0 {
		t.Error("sound:", problems)
	}
}

// bboltCheck is what bbolt itself says of a database.
func bboltCheck(t *testing.T, data []byte) (problems []error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "db")
	must(t, os.WriteFile(path, data, 0o644))
	db := testdata.Must(bbolt.Open(path, 0o644, &bbolt.Options{ReadOnly: true}))(t)
	defer func() { _ = db.Close() }()
	_ = db.View(func(tx *bbolt.Tx) error {
		for problem := range tx.Check() {
			problems = append(problems, problem)
		}
		return nil
	})
	return problems
}

// cancelling is a file whose reading is cancelled by the n-th read.
type cancelling struct {
	*bytes.Reader
	cancel func()
	n      int
	late   int // reads after that
}

func (c *cancelling) ReadAt(p []byte, at int64) (int, error) {
	switch c.n--; {
	case c.n == 0:
		c.cancel()
	case c.n < 0:
		c.late++
	}
	return c.Reader.ReadAt(p, at)
}

// TestWalksAreCancelled: the check of the pages reads no other page after a cancel, wherever it
// comes.
func TestWalksAreCancelled(t *testing.T) {
	sound := branching(t)
	in := func(n int) (context.Context, *cancelling) {
		ctx, cancel := context.WithCancel(t.Context())
		return ctx, &cancelling{Reader: bytes.NewReader(sound.data), cancel: cancel, n: n}
	}
	size := int64(len(sound.data))
	for _, n := range []int{3, 4, 7} { // the meta pages are two reads
		ctx, file := in(n)
		if err := walk(ctx, file, size, nil); !errors.Is(err, context.Canceled) || file.late > 0 || file.n > 0 {
			t.Errorf("check, cancelled at read %d: %v, %d reads later", n, err, file.late)
		}
	}
}
