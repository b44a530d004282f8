package doctor

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/store/database"
)

// readEvent reads a label event wherever it lies, so that only its ids tell what it is.
func readEvent(value []byte) (label.Event, error) {
	var ev label.Event
	if err := json.Unmarshal(value, &ev); err != nil {
		return ev, err
	}
	if !database.IsULID(ev.ID) || !database.IsULID(ev.Round) {
		return ev, errors.New("it has no id or round")
	}
	return ev, nil
}

// forms reads every record.
func (e *exam) forms() {
	for _, b := range database.RecordBuckets {
		if b.In(e.tx) == nil {
			continue
		}
		n := 0
		for key, value := range b.From(e.tx, "") {
			n++
			if err := b.Check(key, value); err != nil {
				e.unreadable(b, key, bytes.Clone(value), err)
			}
			if e.ctx.Err() != nil {
				break
			}
		}
		e.count(b.Plural, n)
	}
}

// unreadable reports a record that cannot be read. It is set aside; a backup's takes its place
// where there is one, what is derived is made anew.
func (e *exam) unreadable(b *database.RawBucket, key string, value []byte, reason error) {
	if e.bad[b.Name] == nil {
		e.bad[b.Name] = map[string]bool{}
	}
	e.bad[b.Name][key] = true
	finding := Finding{
		Kind: "record", Where: fmt.Sprintf("%s %s", b.Name, database.Short(key)),
		What: fmt.Sprintf("cannot be read (%v)", reason), Means: b.Loss, Remedy: "repair sets it aside",
	}
	replacement := e.archive.find(b, key)
	switch {
	case b == database.Events.RawBucket && replacement == nil:
		finding.Remedy = "repair sets it aside, so that the others can be shown again"
		finding.fix = func(t *repair) error { return t.refileEvent(key, value) }
	case replacement != nil:
		finding.Remedy = "repair sets it aside and takes the one of the journal or of a backup"
		finding.fix = func(t *repair) error { return errors.Join(t.drop(b, key), t.put(b, key, replacement)) }
	case b.Derived:
		finding.Remedy = "repair sets it aside; it is made anew"
		finding.fix = func(t *repair) error { return t.drop(b, key) }
	default:
		finding.fix = func(t *repair) error { return t.drop(b, key) }
	}
	e.found(b.Plural, finding)
}

// isBad tells whether a record is one of those that cannot be read.
func (e *exam) isBad(b *database.RawBucket, key string) bool { return e.bad[b.Name][key] }

// eachRecord calls visit for the readable records of a bucket, by key.
func eachRecord[K ~string, V any](e *exam, r database.Bucket[K, V], visit func(key string, v V)) {
	for key, value := range r.From(e.tx, "") {
		var v V
		if !e.isBad(r.RawBucket, key) && r.Codec.Decode(value, &v) == nil {
			visit(key, v)
		}
		if e.ctx.Err() != nil {
			return
		}
	}
}

// absent reports a record that another one refers to and that is not there; it comes back from a
// backup where one has it.
func (e *exam) absent(what, where string, of *database.RawBucket, key, name, means, remedy string) {
	f := Finding{
		Kind: "reference", Where: where, What: fmt.Sprintf("names %s %s, which is not here", name, database.Short(key)),
		Means: means, Remedy: remedy,
	}
	if parts := e.archive.whole(of, key); len(parts) > 0 {
		f.Remedy = "repair takes it from a backup"
		f.fix = func(t *repair) error { return t.putAll(parts) }
	}
	e.found(what, f)
}
