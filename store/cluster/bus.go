package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// names are the subjects of a space.
type names string

func (n names) subject(parts ...string) string {
	return "vs." + string(n) + "." + strings.Join(parts, ".")
}

// from and to are the subjects of what a worker says to the coordinator, and of what it is told.
func (n names) from(worker, what string) string { return n.subject("from", worker, what) }
func (n names) to(worker, what string) string   { return n.subject("to", worker, what) }

// A space and the id of a worker are parts of subjects.
var plainName = regexp.MustCompile(`^[a-z0-9]{1,40}$`)

func checkSpace(space string) error {
	if !plainName.MatchString(space) {
		return fmt.Errorf("%q is no name of a space; it has 1 to 40 lower-case letters and digits", space)
	}
	return nil
}

// bus is a connection with the names of a space.
type bus struct {
	names
	nc *nats.Conn
}

const (
	requestTime = 20 * time.Second // that one request may take
	// maxMessage bounds every message of the embedded server. Models, images and results come in
	// pieces of half of what the server takes, so that a usual result is one.
	maxMessage = 8 << 20
)

// errSilent says that a request was not answered.
var errSilent = errors.New("there was no answer")

// request asks and waits for the answer, which nobody gives any more once the connection is lost.
func (b bus) request(ctx context.Context, subject string, question any) ([]byte, error) {
	asking, end := context.WithTimeout(ctx, requestTime)
	defer end()
	lost := b.nc.StatusChanged(nats.RECONNECTING, nats.CLOSED)
	defer b.nc.RemoveStatusListener(lost)
	go func() {
		<-lost // also when it is removed
		end()
	}()
	if !b.nc.IsConnected() {
		return nil, errSilent
	}
	msg, err := b.nc.RequestWithContext(asking, subject, say(question))
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, errSilent
	}
	return msg.Data, nil
}

// request is bus.request for an answer of one form, of no more than limit bytes.
func request[A any](ctx context.Context, b bus, subject string, question any, limit int) (answer A, err error) {
	data, err := b.request(ctx, subject, question)
	if err == nil {
		err = strictly(data, limit, &answer)
	}
	return answer, err
}

// listen hears what somebody says; what is said on one subject is heard in its order.
func (b bus) listen(who string, handlers map[string]nats.MsgHandler) error {
	for subject, handler := range handlers {
		if _, err := b.nc.Subscribe(subject, handler); err != nil {
			return fmt.Errorf("listen to %s: %w", who, err)
		}
	}
	if b.nc.FlushTimeout(requestTime) != nil {
		return fmt.Errorf("listen to %s: %w", who, errSilent)
	}
	return nil
}

// wanted asks for what a file or result has from an offset on.
type wanted struct {
	Name   string `json:"name"` // SHA-256 of a file, key of a unit
	Offset int64  `json:"offset"`
}

// Errors of what is pulled.
var (
	errMissing   = errors.New("it is not there any more")
	errOversized = errors.New("it is larger than it may be")
)

// pull asks for a file or result of so many bytes, and hands over piece by piece.
func (b bus) pull(ctx context.Context, subject, name string, size int64, take func(piece []byte) error) error {
	for offset := int64(0); offset < size; {
		data, err := b.request(ctx, subject, wanted{name, offset})
		switch {
		case err != nil:
			return err
		case len(data) == 0:
			return errMissing
		case int64(len(data)) > size-offset:
			return errOversized
		}
		if err := take(data); err != nil {
			return err
		}
		offset += int64(len(data))
	}
	return nil
}

// cut is the piece of a file or result from an offset on, nil where there is none.
func (b bus) cut(from io.ReaderAt, size, offset int64) []byte {
	if offset < 0 || offset >= size {
		return nil
	}
	data := make([]byte, min(b.nc.MaxPayload()/2, size-offset))
	if _, err := from.ReadAt(data, offset); err != nil && !errors.Is(err, io.EOF) {
		return nil
	}
	return data
}

// say is a JSON text of ours.
func say(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic("cluster: a message that is no JSON: " + err.Error())
	}
	return data
}

// strictly decodes a message of no more than limit bytes, without fields that are not known.
func strictly(data []byte, limit int, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if len(data) > limit || decoder.Decode(into) != nil || decoder.More() {
		return errors.New("a message cannot be read")
	}
	return nil
}

// reads hears messages of one form, of no more than limit bytes; others are passed over.
func reads[T any](limit int, take func(msg *nats.Msg, said T)) nats.MsgHandler {
	return func(msg *nats.Msg) {
		var said T
		if strictly(msg.Data, limit, &said) == nil {
			take(msg, said)
		}
	}
}
