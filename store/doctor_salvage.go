package store

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store/durable"
)

// rescued are the records that could be read of a damaged database and its backups: bucket, key, value.
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

// reader is how records of a bucket are recognised; nil for buckets that this program does not know.
func reader(bucket string) func(key string, value []byte) error {
	if bucket == string(bucketMeta) {
		return func(string, []byte) error { return nil }
	}
	for _, f := range allForms() {
		if string(f.bucket) == bucket {
			return f.read
		}
	}
	return nil
}

// salvageFrom reads what is readable: what the newest state of the database leads to, then what the state before it leads to, then records that
// tell by themselves what they are on pages to which nothing leads, then the backups. Label events are taken from everywhere: they are
// only ever added. Other records are taken from the later places where something of their bucket is lost, so that what was removed stays away.
func salvageFrom(workspace string, a *archive) rescued {
	r := rescued{records: map[string]map[string][]byte{}, lost: map[string]bool{}}
	f, err := os.Open(filepath.Join(workspace, databaseFile))
	if err == nil {
		defer func() { _ = f.Close() }()
		if info, err := f.Stat(); err == nil {
			r.fromPages(f, info.Size())
		}
	} else {
		r.lost[""] = true
	}
	a.view(func(tx *bbolt.Tx) bool {
		_ = tx.ForEach(func(name []byte, b *bbolt.Bucket) error {
			read := reader(string(name))
			if read == nil || !r.wants(string(name)) {
				return nil
			}
			return b.ForEach(func(key, value []byte) error {
				if value != nil && read(string(key), value) == nil {
					r.add(string(name), string(key), value)
				}
				return nil
			})
		})
		return false
	})
	return r
}

// wants tells whether records of a bucket are to be taken from other places than the newest state.
func (r rescued) wants(bucket string) bool {
	return r.lost[""] || r.lost[bucket] || bucket == string(bucketEvents)
}

// fromPages reads a database file.
func (r rescued) fromPages(f io.ReaderAt, size int64) {
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
	newest := &salvager{rescued: r, check: pageCheck{in: f, used: make([]bool, pages)}, newest: true}
	for i, s := range states {
		s.high = min(max(s.high, pages), pages)
		walk := newest
		if i > 0 {
			walk = &salvager{rescued: r, check: pageCheck{in: f, used: make([]bool, pages)}}
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
	check  pageCheck
	newest bool
}

// buckets walks the list of buckets.
func (s *salvager) buckets(root uint64) {
	s.walk(root, 0, "", func(key, value []byte, kind uint32) {
		read := reader(string(key))
		if kind != boltBucketEntry || read == nil || len(value) < boltBucket || !s.newest && !s.wants(string(key)) {
			return
		}
		name := string(key)
		take := func(key, value []byte, kind uint32) {
			switch {
			case kind == 0 && read(string(key), value) == nil:
				s.add(name, string(key), value)
			case s.newest && name != string(bucketEvents):
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
	p, err := s.check.read(id)
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

// strays looks through the pages to which the newest state does not lead. Of pages that it calls free only label events are taken: what else
// lies there was replaced or removed.
func (s *salvager) strays() {
	free := s.free()
	for id := uint64(2); id < s.check.state.high; id++ {
		if s.check.used[id] {
			continue
		}
		p, err := s.check.read(id)
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
	p, err := s.check.read(s.check.state.freelist)
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
	for _, f := range allForms() {
		bucket := string(f.bucket)
		if !f.telling || !s.wants(bucket) || free && bucket != string(bucketEvents) || f.read(key, value) != nil || !tells(bucket, value) {
			continue
		}
		s.add(bucket, key, value)
		return
	}
	for _, f := range allForms() {
		bucket := string(f.bucket)
		if f.of != nil && !free && s.wants(bucket) && s.records[string(f.of)][key] != nil && tellsPart(bucket, value) {
			s.add(bucket, key, value)
			return
		}
	}
}

// tells is strict about the fields of a record, so that one of another bucket with the same names is not taken for it.
func tells(bucket string, value []byte) bool {
	types := map[string]any{
		string(bucketModels): &model.Model{}, string(bucketSuites): &suite.Manifest{}, string(bucketSets): &setRecord{}, string(bucketUnits): &unitRecord{},
		string(bucketRuns): &RunRecord{}, string(bucketRounds): &label.Round{}, string(bucketEvents): &label.Event{}, string(bucketImageLabels): &ImageLabel{},
		string(bucketPredictions): &PredictionTable{}, string(bucketMasks): &MaskSet{}, string(bucketKeywords): &KeywordTable{},
		string(bucketOntologies): &OntologyRecord{}, string(bucketSelections): &SelectionRecord{},
	}
	v, ok := types[bucket]
	return !ok || strict(v, value)
}

// tellsPart does the same for packed parts of records.
func tellsPart(bucket string, value []byte) bool {
	types := map[string]any{
		string(bucketModelDetails): &modelDetails{}, string(bucketSuiteDetails): &suiteDetails{}, string(bucketMaskDetails): &maskDetails{},
		string(bucketKeywordDetails): &keywordDetails{},
	}
	v, ok := types[bucket]
	if !ok {
		return false
	}
	var text json.RawMessage
	return unpack(value, &text) == nil && len(text) > len("{}") && strict(v, text)
}

// salvage writes the database anew from what can be read, and puts the old one aside. kept is where that lies.
func (t *treatment) salvage(ctx context.Context, workspace string) (kept string, err error) {
	t.w = &Workspace{path: workspace}
	unlock, err := lockClosed(workspace)
	if err != nil {
		return "", err
	}
	defer unlock()
	a := newArchive(workspace)
	defer a.close()
	r := salvageFrom(workspace, a)
	database := filepath.Join(workspace, databaseFile)
	part := database + partSuffix
	if err := r.write(part); err != nil {
		_ = durable.Delete(part)
		return "", err
	}
	if _, err := os.Stat(database); err == nil {
		folder, err := durable.Below(workspace, strings.Split(t.folder, "/")...)
		if err != nil {
			return "", err
		}
		if err := copyFile(ctx, database, filepath.Join(folder, databaseFile), nil); err != nil {
			return "", err
		}
		kept = path.Join(t.folder, databaseFile)
	}
	return kept, durable.Place(part, database)
}

// write makes a database of the records.
func (r rescued) write(file string) error {
	if err := durable.DeleteAll(file); err != nil {
		return err
	}
	db, err := bbolt.Open(file, 0o644, boltOptions())
	if err != nil {
		return err
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		meta := r.records[string(bucketMeta)]
		if version, err := strconv.Atoi(string(meta[string(keySchema)])); err == nil && version > schemaVersion {
			return fmt.Errorf("%w (its version is %d, this program reads up to %d)", ErrNewer, version, schemaVersion)
		}
		for _, bucket := range slices.Sorted(maps.Keys(r.records)) {
			b, err := tx.CreateBucketIfNotExists([]byte(bucket))
			if err != nil {
				return err
			}
			for _, key := range slices.Sorted(maps.Keys(r.records[bucket])) {
				if err := b.Put([]byte(key), r.records[bucket][key]); err != nil {
					return err
				}
			}
		}
		if len(meta[string(keySchema)]) == 0 && len(r.lost) > 0 {
			if _, err := tx.CreateBucketIfNotExists(bucketMeta); err != nil {
				return err
			}
			if err := putSchema(tx, schemaVersion); err != nil {
				return err
			}
		}
		t := treatment{tx: tx}
		return t.basics()
	})
	if closeErr := db.Close(); err == nil {
		err = closeErr
	}
	return err
}
