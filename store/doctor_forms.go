package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
)

// form is how the records of a bucket are read.
type form struct {
	bucket []byte
	what   string // the records, for people
	// read says why a record cannot be read.
	read func(key string, value []byte) error
	// lost is what is lost with a record that cannot be read.
	lost string
	// telling: a record shows by itself which bucket it is of, so that it is known again on a page
	// that no bucket leads to.
	telling bool
	// derived records are made again from others, or computed again.
	derived bool
	// of is the bucket whose records these are parts of.
	of []byte
}

// allForms are those of all buckets but meta.
func allForms() []form {
	return []form{
		{bucket: bucketModels, what: "models", read: keyed(func(m model.Model) string { return m.Hash }), lost: "the list of models cannot be shown", telling: true},
		{bucket: bucketModelDetails, what: "details of models", read: packedAs[modelDetails], lost: "the model's tensors and loss curves are lost", of: bucketModels},
		{bucket: bucketModelIDs, what: "names of models", read: idForm, lost: "the model is not found by its name", derived: true},
		{bucket: bucketSuites, what: "suites", read: keyed(func(m suite.Manifest) string { return m.Hash }), lost: "the list of suites cannot be shown", telling: true},
		{bucket: bucketSuiteDetails, what: "details of suites", read: packedAs[suiteDetails], lost: "the suite's labels and files are not known", of: bucketSuites},
		{bucket: bucketSets, what: "sets of signals", read: keyed(func(s setRecord) string { return s.Spec.Key() }), lost: "signals cannot be read", telling: true},
		{bucket: bucketSetIndex, what: "index of signals", read: indexForm, lost: "signals are not found", derived: true},
		{bucket: bucketUnits, what: "units of signals", read: unitForm, lost: "the unit's signals count as missing", telling: true},
		{bucket: bucketSummaries, what: "summaries", read: summaryForm, lost: "the model's matrices cannot be shown", derived: true},
		{bucket: bucketRuns, what: "runs", read: keyed(func(r RunRecord) string { return r.ID }), lost: "the history of runs cannot be shown", telling: true},
		{bucket: bucketRounds, what: "rounds", read: keyed(func(r label.Round) string { return r.ID }), lost: "the rounds cannot be shown", telling: true},
		{bucket: bucketEvents, what: "label events", read: eventForm, lost: "the labels of its round cannot be shown", telling: true},
		{bucket: bucketSettings, what: "settings", read: jsonForm, lost: "the setting cannot be read"},
		{bucket: bucketRoundEvidence, what: "matrices of round packages", read: evidenceForm, lost: "the model cannot be labelled from its package", telling: true},
		{bucket: bucketImageLabels, what: "labels of images", read: imageLabelForm, lost: "the labels of its suite's images cannot be shown", telling: true},
		{bucket: bucketPredictions, what: "tables of predictions", read: keyed(func(t PredictionTable) string { return t.ID }), lost: "the tables cannot be shown", telling: true},
		{bucket: bucketKept, what: "kept results", read: packedAs[json.RawMessage], lost: "the result has to be computed again", derived: true},
		{bucket: bucketMasks, what: "mask sets", read: keyed(func(m MaskSet) string { return m.Hash }), lost: "the masks cannot be shown", telling: true},
		{bucket: bucketMaskDetails, what: "details of mask sets", read: packedAs[maskDetails], lost: "the files of the masks are not known", of: bucketMasks},
		{bucket: bucketKeywords, what: "keyword tables", read: keyed(func(k KeywordTable) string { return k.Hash }), lost: "the keyword tables cannot be shown", telling: true},
		{bucket: bucketKeywordDetails, what: "details of keyword tables", read: packedAs[keywordDetails], lost: "the keyword table cannot be read", of: bucketKeywords},
		{bucket: bucketKeywordVectors, what: "vectors of keyword tables", read: numbersForm, lost: "the keyword table cannot be read", of: bucketKeywords},
		{bucket: bucketOntologies, what: "ontologies", read: keyed(func(o OntologyRecord) string { return o.ID }), lost: "the ontologies cannot be shown", telling: true},
		{bucket: bucketSelections, what: "selections", read: keyed(func(r SelectionRecord) string { return r.Hash }), lost: "the selections cannot be shown", telling: true},
		{bucket: bucketSelectionDetails, what: "scenes of selections", read: scenesForm, lost: "the selection cannot be read", of: bucketSelections, telling: true},
		{bucket: bucketContextVectors, what: "context vectors", read: numbersForm, lost: "the vector has to be computed again", derived: true},
	}
}

// keyed reads JSON of one type strictly: a record that names itself, under its own key.
func keyed[T any](name func(T) string) func(key string, value []byte) error {
	return func(key string, value []byte) error {
		var v T
		if err := json.Unmarshal(value, &v); err != nil {
			return err
		}
		if own := name(v); own != key {
			return fmt.Errorf("it calls itself %s", short(own))
		}
		return nil
	}
}

func packedAs[T any](_ string, value []byte) error {
	var v T
	return unpack(value, &v)
}

func jsonForm(_ string, value []byte) error {
	var v json.RawMessage
	return json.Unmarshal(value, &v)
}

func numbersForm(_ string, value []byte) error {
	_, err := unpackNumbers(value)
	return err
}

func idForm(_ string, value []byte) error {
	if !isHash(string(value)) {
		return errors.New("it names no model")
	}
	return nil
}

func indexForm(key string, _ []byte) error {
	if _, _, _, _, ok := splitIndexKey([]byte(key)); !ok {
		return errors.New("its key has not four parts")
	}
	return nil
}

func unitForm(key string, value []byte) error {
	var unit unitRecord
	if err := json.Unmarshal(value, &unit); err != nil {
		return err
	}
	if !isHash(key) || !isHash(unit.Set) || unit.XXH3 == "" && !isHash(unit.SHA256) || unit.Size <= 0 || unit.Chunk < 0 {
		return errors.New("it names no set and file")
	}
	return nil
}

func summaryForm(key string, value []byte) error {
	_, err := decodeSummary(key, value, true)
	return err
}

func evidenceForm(key string, value []byte) error {
	e, err := DecodeEvidence(value)
	if err == nil && string(evidenceKey(e)) != key {
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
	if imageKey(suite, l.Image) != key || suite == "" {
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
	if string(eventKey(ev.Round, ev.ID)) != key {
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

// strict reads JSON without fields that the type does not have, so that a record of one bucket is
// not taken for one of another.
func strict(v any, value []byte) bool {
	d := json.NewDecoder(bytes.NewReader(value))
	d.DisallowUnknownFields()
	return d.Decode(v) == nil
}

// forms reads every record.
func (e *exam) forms() {
	for _, f := range allForms() {
		bucket := e.tx.Bucket(f.bucket)
		if bucket == nil {
			continue
		}
		n := 0
		_ = bucket.ForEach(func(key, value []byte) error {
			n++
			if err := f.read(string(key), value); err != nil {
				e.unreadable(f, string(key), bytes.Clone(value), err)
			}
			return e.ctx.Err()
		})
		e.count(f.what, n)
	}
}

// unreadable reports a record that cannot be read. It is set aside; a backup's takes its place
// where there is one, what is derived is made anew.
func (e *exam) unreadable(f form, key string, value []byte, reason error) {
	if e.bad[string(f.bucket)] == nil {
		e.bad[string(f.bucket)] = map[string]bool{}
	}
	e.bad[string(f.bucket)][key] = true
	finding := Finding{
		Kind: "record", Where: fmt.Sprintf("%s %s", f.bucket, short(key)), What: fmt.Sprintf("cannot be read (%v)", reason), Means: f.lost,
		Remedy: "repair sets it aside",
	}
	replacement := e.archive.find(f, key)
	switch {
	case bytes.Equal(f.bucket, bucketEvents):
		finding.Remedy = "repair sets it aside, so that the others can be shown again"
		finding.fix = func(t *treatment) error { return t.refileEvent(key, value) }
	case replacement != nil:
		finding.Remedy = "repair sets it aside and takes the one of a backup"
		finding.fix = func(t *treatment) error { return errors.Join(t.drop(f.bucket, key), t.put(f.bucket, key, replacement)) }
	case f.derived:
		finding.Remedy = "repair sets it aside; it is made anew"
		finding.fix = func(t *treatment) error { return t.drop(f.bucket, key) }
	default:
		finding.fix = func(t *treatment) error { return t.drop(f.bucket, key) }
	}
	e.found(f.what, finding)
}

// isBad tells whether a record is one of those that cannot be read.
func (e *exam) isBad(bucket []byte, key string) bool { return e.bad[string(bucket)][key] }

// has tells whether a bucket has a key.
func (e *exam) has(bucket []byte, key string) bool {
	b := e.tx.Bucket(bucket)
	return b != nil && b.Get([]byte(key)) != nil
}

// eachRecord calls visit for the readable records of a bucket, by key.
func eachRecord[T any](e *exam, bucket []byte, visit func(key string, v T)) {
	b := e.tx.Bucket(bucket)
	if b == nil {
		return
	}
	_ = b.ForEach(func(key, value []byte) error {
		var v T
		if !e.isBad(bucket, string(key)) && json.Unmarshal(value, &v) == nil {
			visit(string(key), v)
		}
		return e.ctx.Err()
	})
}

// absent reports a record that another one refers to and that is not there; it comes back from a
// backup where one has it.
func (e *exam) absent(what, where string, bucket []byte, key, name, means, remedy string) {
	f := Finding{
		Kind: "reference", Where: where, What: fmt.Sprintf("names %s %s, which is not here", name, short(key)), Means: means, Remedy: remedy,
	}
	if parts := e.archive.whole(bucket, key); len(parts) > 0 {
		f.Remedy = "repair takes it from a backup"
		f.fix = func(t *treatment) error { return t.putAll(parts) }
	}
	e.found(what, f)
}
