// Package journal is the form of labels.jsonl, which keeps the rounds and label events of a
// workspace a second time, beside its database. Package store appends each change to it before the
// database has it, and restores from it what the database has lost.
//
// Each line is a JSON object. The first one names the form and its version. Every other one is a
// round as it is from there on, a label event, or the id of a round that was removed before
// anybody labelled in it. Names of rounds, suites and models stand beside their ids and hashes for
// people; nothing reads them back. What may differ between two readings of a journal is only what
// was appended meanwhile, so the union of its events, and the last state of each round, are what
// it says.
//
//	{"schema":"variscope.labels","version":1}
//	{"round":"R1","suite":"pets","models":["a","b"],"state":{"id":"01J...","name":"R1",...}}
//	{"round":"R1","model":"a","event":{"id":"01J...","annotator":"A","value":"variant",...}}
//	{"removed":"01J..."}
package journal

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/variscope/variscope/engine/label"
)

// File is the journal's name in a workspace.
const File = "labels.jsonl"

const (
	schema  = "variscope.labels"
	version = 1
)

// Head is the first line.
var Head = fmt.Appendf(nil, `{"schema":%q,"version":%d}`+"\n", schema, version)

// A journal may come with a workspace from somebody else, so what is read of it is bounded: bytes
// of a line, lines, and bytes of an id. A round with its pictures takes about 5 MB.
const (
	maxLine = 32 << 20
	maxID   = 1000
)

var maxLines = 10_000_000 // fewer in a test

// ErrNewer means that a newer program has written the journal.
var ErrNewer = errors.New("made by a newer Variscope; update Variscope to read it")

// Line is one line after the first: one of State, Event and Removed, and names for people.
type Line struct {
	Round   string          `json:"round,omitempty"`
	Suite   string          `json:"suite,omitempty"`
	Models  []string        `json:"models,omitempty"` // of the round, in its order
	Model   string          `json:"model,omitempty"`
	State   json.RawMessage `json:"state,omitempty"` // label.Round
	Event   json.RawMessage `json:"event,omitempty"` // label.Event
	Removed string          `json:"removed,omitempty"`
}

// Bytes is the line as it is written.
func (l Line) Bytes() ([]byte, error) {
	text, err := json.Marshal(l)
	return append(text, '\n'), err
}

// Content is what a journal holds.
type Content struct {
	Rounds map[string][]byte // the last state of each round that was not removed, by id
	Events map[string][]byte // by the ids of round and event, one behind the other
	// End is the number of bytes to the end of the last whole line. What follows was being written
	// when a process was killed.
	End int64
	// Bad is the number of lines that cannot be read. Ragged means that the last line is whole
	// and has no line end, so that nothing may be appended to it.
	Bad    int
	Ragged bool
}

// Read reads a journal. The error is ErrNewer, of ctx or of in; what is damaged is no error.
func Read(ctx context.Context, in io.Reader) (Content, error) {
	c := Content{Rounds: map[string][]byte{}, Events: map[string][]byte{}}
	lines := bufio.NewReaderSize(in, 64<<10)
	for n := 0; ; n++ {
		if n == maxLines {
			return c, fmt.Errorf("it has more than %d lines", maxLines)
		}
		if err := ctx.Err(); err != nil {
			return c, err
		}
		text, size, err := next(lines)
		if err != nil && !errors.Is(err, io.EOF) {
			return c, err
		}
		whole := err == nil
		switch known, newer := c.add(text, n == 0); {
		case newer:
			return c, ErrNewer
		case whole && !known:
			c.Bad++
		case !whole:
			c.Ragged = known
		}
		if !whole {
			return c, nil
		}
		c.End += size
	}
}

// next reads a line. Of one that is too long the text is nil and the size is right.
func next(in *bufio.Reader) (text []byte, size int64, err error) {
	for {
		part, err := in.ReadSlice('\n')
		size += int64(len(part))
		if text = append(text, part...); size > maxLine {
			text = nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return text, size, err
		}
	}
}

// add takes in a line. known is false where it cannot be read, newer is true for the first line of
// a newer program's journal.
func (c *Content) add(text []byte, first bool) (known, newer bool) {
	var line struct {
		Line
		Schema  string `json:"schema"`
		Version int    `json:"version"`
	}
	if json.Unmarshal(text, &line) != nil {
		return false, false
	}
	var round label.Round
	var event label.Event
	switch {
	case first && line.Schema == schema:
		return line.Version <= version, line.Version > version
	case line.State != nil && json.Unmarshal(line.State, &round) == nil && isID(round.ID):
		c.Rounds[round.ID] = bytes.Clone(line.State)
	case line.Event != nil && json.Unmarshal(line.Event, &event) == nil && isID(event.ID) && isID(event.Round):
		c.Events[event.Round+event.ID] = bytes.Clone(line.Event)
	case isID(line.Removed):
		delete(c.Rounds, line.Removed)
	default:
		return false, false
	}
	return !first, false // a journal without its first line is damaged
}

// isID refuses what no id is and what no key of the database may be.
func isID(id string) bool { return id != "" && len(id) <= maxID && !strings.ContainsRune(id, 0) }
