package database

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/journal"
)

// Record is one record of the database.
type Record struct {
	Bucket *RawBucket
	Key    string
	Value  []byte
}

// StoredEnd is the length of the journal that the database agrees with, 0 where it says none.
func StoredEnd(tx *Tx) int64 {
	end, _ := strconv.ParseInt(string(Meta.Bytes(tx, string(KeyJournal))), 10, 64)
	return max(end, 0)
}

// PutEnd stores the length of the journal that the database agrees with.
func PutEnd(tx *Tx, end int64) error {
	return Meta.In(tx).Put(KeyJournal, strconv.AppendInt(nil, end, 10))
}

// Longest is how long a journal may become before an opening writes it anew, without the former
// states of rounds.
func Longest(tx *Tx) int64 { return 2*tx.Size() + 1<<20 }

// names puts names beside the ids and hashes of lines.
type names struct {
	tx             *Tx
	rounds, models map[string]string
}

// NewNames makes the lines of a transaction.
func NewNames(tx *Tx) names { return names{tx, map[string]string{}, map[string]string{}} }

// Line is the line of a round or label event; value is nil where it was removed.
func (n names) Line(b *RawBucket, key string, value []byte) ([]byte, error) {
	var line journal.Line
	switch {
	case value == nil:
		line.Removed = key
	case b == Rounds.RawBucket:
		var r label.Round
		if err := b.Decode(key, value, &r); err != nil {
			return nil, err
		}
		line.Round, line.State = r.Name, value
		if s, found, _ := HeadOfSuite(n.tx, r.Suite); found {
			line.Suite = s.Name
		}
		for _, hash := range r.Models {
			line.Models = append(line.Models, n.model(hash))
		}
	default:
		var ev label.Event
		if err := b.Decode(key, value, &ev); err != nil {
			return nil, err
		}
		line.Round, line.Model, line.Event = n.round(ev.Round), n.model(ev.Model), value
	}
	return line.Bytes()
}

func (n names) round(id string) string {
	if _, known := n.rounds[id]; !known {
		r, _, _ := Rounds.Get(n.tx, id) // one that is not here has no name
		n.rounds[id] = r.Name
	}
	return n.rounds[id]
}

func (n names) model(hash string) string {
	if _, known := n.models[hash]; !known {
		m, _, _ := Models.Get(n.tx, hash)
		n.models[hash] = m.ID
	}
	return n.models[hash]
}

// WholeJournal is the length to read of a journal that nobody writes.
const WholeJournal = -1

// ReadJournal reads a workspace's journal, or its first bytes. One that is not there is empty.
func ReadJournal(ctx context.Context, path string, length int64) (journal.Content, error) {
	file, err := durable.OpenRegular(filepath.Join(path, journal.File))
	if errors.Is(err, fs.ErrNotExist) {
		return journal.Content{}, nil
	}
	if err != nil {
		return journal.Content{}, err
	}
	defer func() { _ = file.Close() }()
	var in io.Reader = file
	if length != WholeJournal {
		in = io.LimitReader(file, length)
	}
	c, err := journal.Read(ctx, in)
	if err != nil {
		err = fmt.Errorf("%s: %w", file.Name(), err)
	}
	return c, err
}

// difference is what database and journal do not have in common.
type difference struct {
	Records        []Record // of the journal, for the database
	States         int      // how many of them are rounds
	Rounds, Events int      // of the database, which the journal does not have as they are
}

// Absent tells whether the journal lacks anything of the database.
func (d difference) Absent() bool { return d.Rounds+d.Events > 0 }

// Compare finds what a journal and the database do not have in common. A label event of the
// database never changes; a round may become that of a longer journal, if it may change so.
func Compare(tx *Tx, c journal.Content) (d difference) {
	longer := c.End > StoredEnd(tx)
	for key, value := range c.Rounds {
		if !Rounds.Has(tx, key) {
			d.Records = append(d.Records, Record{Rounds.RawBucket, key, value})
		}
	}
	for key, value := range Rounds.From(tx, "") {
		switch line := c.Rounds[key]; {
		case Rounds.Check(key, value) != nil || isLine(value, line):
		case longer && line != nil && mayBecome(tx, value, line):
			d.Records = append(d.Records, Record{Rounds.RawBucket, key, line})
		default:
			d.Rounds++
		}
	}
	d.States = len(d.Records)
	for key, value := range c.Events {
		if !Events.RawBucket.Has(tx, key) {
			d.Records = append(d.Records, Record{Events.RawBucket, key, value})
		}
	}
	for key, value := range Events.From(tx, "") {
		if Events.Check(key, value) == nil && !isLine(value, c.Events[key]) {
			d.Events++
		}
	}
	return d
}

// isLine tells whether a record of the database is what a line of the journal has of it.
func isLine(value, line []byte) bool {
	text, err := json.Marshal(json.RawMessage(value))
	return err == nil && bytes.Equal(text, line)
}

// mayBecome tells whether a round may change to a later one.
func mayBecome(tx *Tx, old, later []byte) bool {
	var from, to label.Round
	if json.Unmarshal(old, &from) != nil || json.Unmarshal(later, &to) != nil {
		return false
	}
	frozen, err := HasLabels(tx, from)
	return err == nil && from.CheckChange(to, frozen) == nil
}
