package onnx

import (
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

// messagesText lists the fields of all messages that an ONNX file is made of, one per line:
// message, number, name, type.
//
//go:embed messages.txt
var messagesText string

// The messages with which a walk begins and ends, and the field of a tensor that says where its
// data lie.
const (
	modelMessage  = "ModelProto"
	tensorMessage = "TensorProto"
	locationField = "data_location"
)

// maxNesting is how many messages may lie inside each other: the graphs that maxDepth allows,
// three messages each, in a model. Protobuf's own limit is 100.
const maxNesting = 3*maxDepth + 4

// message is what the walk for external data needs of one message of the format.
type message struct {
	fields   map[protowire.Number]*place // those that lead to a tensor
	name     protowire.Number            // of the field that names it, 0 for none
	location protowire.Number            // of the field that is not 0 where data lie outside the file, 0 for none
}

// place is a field of a message that holds another one.
type place struct {
	name  string
	holds *message
}

// format is the message ModelProto with everything that lies in it and leads to a tensor.
var format = sync.OnceValue(func() *message { return readMessages(messagesText)[modelMessage] })

// readMessages makes the messages that lead to a tensor of a list of fields.
func readMessages(text string) map[string]*message {
	leads := map[string]*message{tensorMessage: {fields: map[protowire.Number]*place{}}}
	for grown := true; grown; { // until no further message leads to one
		grown = false
		eachMessageField(text, func(in string, _ protowire.Number, _, kind string) {
			if leads[kind] != nil && leads[in] == nil {
				leads[in], grown = &message{fields: map[protowire.Number]*place{}}, true
			}
		})
	}
	eachMessageField(text, func(in string, number protowire.Number, name, kind string) {
		m := leads[in]
		switch {
		case m == nil:
		case leads[kind] != nil:
			m.fields[number] = &place{name, leads[kind]}
		case name == "name":
			m.name = number
		case name == locationField:
			m.location = number
		}
	})
	return leads
}

func eachMessageField(text string, visit func(in string, number protowire.Number, name, kind string)) {
	for line := range strings.Lines(text) {
		var in, name, kind string
		var number protowire.Number
		if n, _ := fmt.Sscan(line, &in, &number, &name, &kind); n == 4 && !strings.HasPrefix(line, "#") {
			visit(in, number, name, kind)
		}
	}
}

// externalError says that a tensor has its data outside the file. way leads to it, outermost
// message first; problem says what is wrong with that and what to do.
type externalError struct {
	way     []string
	problem string
}

// Error is what follows the file's name.
func (e *externalError) Error() string {
	way := e.way
	if len(way) > 8 {
		way = append(append(way[:4:4], "..."), way[len(way)-4:]...)
	}
	return fmt.Sprintf("keeps its weights in separate files (%s); %s", strings.Join(way, " > "), e.problem)
}

// inFile follows every place where the format allows a tensor and returns an *externalError for
// the first one whose data lie outside the file: the library would look for them in the working
// directory. Messages that occur twice are merged when they are read, so that one occurrence is
// enough.
func (r *reader) inFile(m *message, data []byte, depth int) error {
	if depth > maxNesting {
		return errDepth
	}
	return r.each(data, func(f field) error {
		if f.num == m.location {
			if location, err := f.integer(); err != nil || location == 0 {
				return err
			}
			return &externalError{problem: "save it as one file"}
		}
		to := m.fields[f.num]
		if to == nil {
			return nil
		}
		inner, err := f.message()
		if err != nil {
			return err
		}
		return to.led(inner, r.inFile(to.holds, inner, depth+1))
	})
}

// led adds the message that a place holds to the way of an *externalError in it.
func (to *place) led(inner []byte, err error) error {
	if outside := (*externalError)(nil); errors.As(err, &outside) {
		outside.way = append([]string{to.name + to.holds.named(inner)}, outside.way...)
	}
	return err
}

// named is the quoted name that a message carries with a blank in front, "" for none.
func (m *message) named(data []byte) string {
	const most = 20
	var name []byte
	_ = eachRaw(data, func(f field, _ []byte) error { // has been read before, or ends early
		if f.num == m.name && len(f.bytes) > 0 {
			name = f.bytes
		}
		return nil
	})
	if len(name) == 0 {
		return ""
	}
	if cut := string(name); utf8.RuneCountInString(cut) > most {
		name = []byte(string([]rune(cut)[:most]) + "...")
	}
	return fmt.Sprintf(" %q", name)
}
