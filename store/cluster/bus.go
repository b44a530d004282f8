package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// bus is a connection with the names of a space.
type bus struct {
	names
	nc *nats.Conn
	js jetstream.JetStream
}

func newBus(nc *nats.Conn, space string) (bus, error) {
	js, err := jetstream.New(nc)
	if err != nil {
		return bus{}, fmt.Errorf("use the queue: %w", err)
	}
	return bus{names(space), nc, js}, nil
}

// keepResults is how long results wait for a coordinator that was closed.
const keepResults = 7 * 24 * time.Hour

// setUp makes the streams, consumers and buckets of a space where they are missing.
func (b bus) setUp(ctx context.Context, pace Pace) error {
	units := jetstream.StreamConfig{
		Name: b.units(), Subjects: []string{b.subject("units", ">")}, Retention: jetstream.WorkQueuePolicy,
		MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, MaxMsgSize: maxMessage,
	}
	streams := []jetstream.StreamConfig{
		units,
		{Name: b.results(), Subjects: []string{b.result("*", "*")}, MaxAge: keepResults, MaxMsgSize: maxNotice, AllowDirect: true},
	}
	for _, s := range streams {
		if _, err := b.js.CreateOrUpdateStream(ctx, s); err != nil {
			return fmt.Errorf("make the queue %s: %w", s.Name, err)
		}
	}
	for _, kind := range []string{pure, mixed} {
		_, err := b.js.CreateOrUpdateConsumer(ctx, b.units(), jetstream.ConsumerConfig{
			Durable: kind, FilterSubject: b.unit(kind, "*"), AckPolicy: jetstream.AckExplicitPolicy, AckWait: pace.AckWait, MaxAckPending: spare * maxAllCores,
			MaxDeliver: -1, // a delivery that came to nothing may be the network's fault; faults are counted by the coordinator
		})
		if err != nil {
			return fmt.Errorf("make the queue's consumer %s: %w", kind, err)
		}
	}
	for _, bucket := range []string{b.modelObjects(), b.imageObjects(), b.resultObjects()} {
		if _, err := b.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: bucket}); err != nil {
			return fmt.Errorf("make the queue's objects %s: %w", bucket, err)
		}
	}
	return nil
}

// publish sends a message that needs no answer.
func (b bus) publish(subject string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return b.nc.Publish(subject, data)
}

// errForwarded says that a message was not published by whom its subject belongs to.
var errForwarded = errors.New("a message was sent on by the server")

// heard decodes a message. Nobody here sends headers; the server adds some where a worker has it send a stored message to a subject that
// the worker may not use.
func heard(data []byte, header nats.Header, limit int, into any) error {
	if len(header) > 0 {
		return errForwarded
	}
	return strictly(data, limit, into)
}

// strictly decodes a message of no more than limit bytes, without fields that are not known.
func strictly(data []byte, limit int, into any) error {
	if len(data) > limit {
		return fmt.Errorf("a message of %d bytes is too long", len(data))
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("a message cannot be read: %w", err)
	}
	if decoder.More() {
		return errors.New("a message has something behind its end")
	}
	return nil
}
