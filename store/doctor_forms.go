package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/label"
)

func idForm(_ string, value []byte) error {
	if !isHash(string(value)) {
		return errors.New("it names no model")
	}
	return nil
}

func indexForm(key string, _ []byte) error {
	if _, _, _, _, ok := splitIndexKey(key); !ok {
		return errors.New("its key has not four parts")
	}
	return nil
}

func unitForm(key string, value []byte) error {
	var unit unitRecord
	if err := json.Unmarshal(value, &unit); err != nil {
		return err
	}
	if !isHash(key) || !isHash(unit.Set) || unit.XXH3 == "" && !isHash(unit.SHA256) || unit.Size <= 0 ||
		unit.Chunk < 0 {
		return errors.New("it names no set and file")
	}
	return nil
}

func summaryForm(key string, value []byte) error {
	_, err := decodeSummary(key, value, withMatrices)
	return err
}

func evidenceForm(key string, value []byte) error {
	e, err := DecodeEvidence(value)
	if err == nil && evidenceKey(e) != key {
		err = errors.New("it belongs to another model or round")
	}
	return err
}

func imageLabelForm(key string, value []byte) error {
	var l ImageLabel
	if err := json.Unmarshal(value, &l); err != nil {
		return err
	}
	suite, _, _ := strings.Cut(key, separator)
	if string(keyOfImage(suite, l.Image)) != key || suite == "" {
		return fmt.Errorf("it is of image %d", l.Image)
	}
	return nil
}

func scenesForm(key string, value []byte) error {
	var s background.Selection
	if err := unpack(value, &s); err != nil {
		return err
	}
	if err := s.Check(); err != nil {
		return err
	}
	if s.Hash() != key {
		return errors.New("its scenes are not those that it was kept with")
	}
	return nil
}

// eventForm reads a label event that lies under its own key. There it is what it calls itself
// whatever its ids look like: older programs took rounds from packages without looking at their
// ids, and nobody labels again what is set aside.
func eventForm(key string, value []byte) error {
	var ev label.Event
	if err := json.Unmarshal(value, &ev); err != nil {
		return err
	}
	if ev.ID == "" || ev.Round == "" {
		return errors.New("it has no id or round")
	}
	if string(keyOfEvent(ev.Round, ev.ID)) != key {
		return fmt.Errorf("it calls itself %s", ev.ID)
	}
	return nil
}

// readEvent reads a label event wherever it lies, so that only its ids tell what it is.
func readEvent(value []byte) (label.Event, error) {
	var ev label.Event
	if err := json.Unmarshal(value, &ev); err != nil {
		return ev, err
	}
	if !isULID(ev.ID) || !isULID(ev.Round) {
		return ev, errors.New("it has no id or round")
	}
	return ev, nil
}

// forms reads every record.
func (e *exam) forms() {
	for _, b := range forms {
		if b.in(e.tx) == nil {
			continue
		}
		n := 0
		for key, value := range b.from(e.tx, "") {
			n++
			if err := b.read(key, value); err != nil {
				e.unreadable(b, key, bytes.Clone(value), err)
			}
			if e.ctx.Err() != nil {
				break
			}
		}
		e.count(b.what, n)
	}
}

// unreadable reports a record that cannot be read. It is set aside; a backup's takes its place
// where there is one, what is derived is made anew.
func (e *exam) unreadable(b *form, key string, value []byte, reason error) {
	if e.bad[b.name] == nil {
		e.bad[b.name] = map[string]bool{}
	}
	e.bad[b.name][key] = true
	finding := Finding{
		Kind: "record", Where: fmt.Sprintf("%s %s", b.name, short(key)),
		What: fmt.Sprintf("cannot be read (%v)", reason), Means: b.lost, Remedy: "repair sets it aside",
	}
	replacement := e.archive.find(b, key)
	switch {
	case b == bucketEvents.form && replacement == nil:
		finding.Remedy = "repair sets it aside, so that the others can be shown again"
		finding.fix = func(t *treatment) error { return t.refileEvent(key, value) }
	case replacement != nil:
		finding.Remedy = "repair sets it aside and takes the one of the journal or of a backup"
		finding.fix = func(t *treatment) error { return errors.Join(t.drop(b, key), t.put(b, key, replacement)) }
	case b.derived:
		finding.Remedy = "repair sets it aside; it is made anew"
		finding.fix = func(t *treatment) error { return t.drop(b, key) }
	default:
		finding.fix = func(t *treatment) error { return t.drop(b, key) }
	}
	e.found(b.what, finding)
}

// isBad tells whether a record is one of those that cannot be read.
func (e *exam) isBad(b *form, key string) bool { return e.bad[b.name][key] }

// eachRecord calls visit for the readable records of a bucket, by key.
func eachRecord[K ~string, V any](e *exam, r bucket[K, V], visit func(key string, v V)) {
	for key, value := range r.from(e.tx, "") {
		var v V
		if !e.isBad(r.form, key) && r.codec.decode(value, &v) == nil {
			visit(key, v)
		}
		if e.ctx.Err() != nil {
			return
		}
	}
}

// absent reports a record that another one refers to and that is not there; it comes back from a
// backup where one has it.
func (e *exam) absent(what, where string, of *form, key, name, means, remedy string) {
	f := Finding{
		Kind: "reference", Where: where, What: fmt.Sprintf("names %s %s, which is not here", name, short(key)),
		Means: means, Remedy: remedy,
	}
	if parts := e.archive.whole(of, key); len(parts) > 0 {
		f.Remedy = "repair takes it from a backup"
		f.fix = func(t *treatment) error { return t.putAll(parts) }
	}
	e.found(what, f)
}
