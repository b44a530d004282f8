package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// bus is a connection with the names of a space.
type bus struct {
	names
	nc   *nats.Conn
	link *link
}

// link ends what waits for an answer when the connection is lost: nobody answers what was asked
// before.
type link struct {
	mu  sync.Mutex
	ctx context.Context
	end context.CancelFunc
}

// up lasts until the connection is lost the next time.
func (l *link) up() context.Context {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ctx == nil || l.ctx.Err() != nil {
		l.ctx, l.end = context.WithCancel(context.Background())
	}
	return l.ctx
}

// down is heard when the connection is lost.
func (l *link) down(*nats.Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.end != nil {
		l.end()
	}
}

// requestTime bounds one request.
const requestTime = 20 * time.Second

// errSilent says that a request was not answered.
var errSilent = errors.New("there was no answer")

// request asks and waits for the answer.
func (b bus) request(ctx context.Context, subject string, v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	if !b.nc.IsConnected() {
		return nil, errSilent
	}
	asking, end := context.WithTimeout(ctx, requestTime)
	defer end()
	defer context.AfterFunc(b.link.up(), end)()
	msg, err := b.nc.RequestWithContext(asking, subject, data)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, errSilent
	}
	return msg.Data, nil
}

// publish sends a message that needs no answer.
func (b bus) publish(subject string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return b.nc.Publish(subject, data)
}

// listen hears what somebody says; what is said on one subject is heard in its order.
func (b bus) listen(who string, hear map[string]nats.MsgHandler) error {
	for subject, handler := range hear {
		if _, err := b.nc.Subscribe(subject, handler); err != nil {
			return fmt.Errorf("listen to %s: %w", who, err)
		}
	}
	if b.nc.FlushTimeout(requestTime) != nil {
		return fmt.Errorf("listen to %s: %w", who, errSilent)
	}
	return nil
}

// maxMessage bounds every message of the embedded server. Models, images and results come in
// pieces of half of what the server takes, so that a usual result is one.
const maxMessage = 8 << 20

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

// strictly decodes a message of no more than limit bytes, without fields that are not known.
func strictly(data []byte, limit int, into any) error {
	if len(data) > limit {
		return fmt.Errorf("a message of %d bytes is too long", len(data))
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return errors.New("a message cannot be read")
	}
	if decoder.More() {
		return errors.New("a message has something behind its end")
	}
	return nil
}
