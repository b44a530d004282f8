package cluster

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// idleTime is how long the next piece of an object may take.
const idleTime = 20 * time.Second

// errStalled says that an object's pieces stopped coming: somebody has removed it, or the connection is too slow.
var errStalled = errors.New("its pieces stopped coming")

// errIncomplete says that the server does not have all pieces of an object, as it may be after it was killed.
var errIncomplete = errors.New("the server does not have all of it")

// errOversized says that an object is larger than it may be.
var errOversized = errors.New("it is larger than it may be")

// errLink and errOtherContent say that an object is not what its worker had to bring.
var (
	errLink         = errors.New("it is a link")
	errOtherContent = errors.New("its content is not what was sent")
)

// copyObject writes an object of at most limit bytes to w and returns its size. The library's own reader can be ended by no context once it waits
// for a piece, and follows links; this one ends with ctx or when no piece comes for a while, and takes no links. It checks the
// object's SHA-256.
func (b bus) copyObject(ctx context.Context, w io.Writer, bucket, name string, limit int64) (int64, error) {
	info, err := b.info(ctx, bucket, name)
	if err != nil {
		return 0, err
	}
	switch {
	case info.Opts != nil && info.Opts.Link != nil:
		return 0, errLink
	case limit < 0 || info.Size > uint64(limit):
		return 0, fmt.Errorf("%w: %d bytes, where %d are the most", errOversized, info.Size, limit)
	}
	sum := sha256.New()
	size, err := b.pieces(ctx, info, bucket, io.MultiWriter(w, sum))
	if err != nil {
		return size, err
	}
	if digest := jetstream.GetObjectDigestValue(sum); size != int64(info.Size) || digest != info.Digest {
		return size, fmt.Errorf("%w (%d of %d bytes)", errOtherContent, size, info.Size)
	}
	return size, nil
}

// info is what the server says of an object; the error is jetstream.ErrObjectNotFound, wrapped, where there is none.
func (b bus) info(ctx context.Context, bucket, name string) (*jetstream.ObjectInfo, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	store, err := b.js.ObjectStore(ctx, bucket)
	if err != nil {
		return nil, fmtQueue(err)
	}
	info, err := store.GetInfo(ctx, name)
	if err != nil {
		return nil, fmtQueue(err)
	}
	return info, nil
}

// pieces writes the pieces of an object, as many as it says that it has, in their order.
func (b bus) pieces(ctx context.Context, info *jetstream.ObjectInfo, bucket string, w io.Writer) (size int64, err error) {
	if info.Chunks == 0 {
		return 0, nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	idle := time.AfterFunc(idleTime, func() { cancel(errStalled) })
	defer idle.Stop()
	consumer, err := b.js.OrderedConsumer(ctx, "OBJ_"+bucket, jetstream.OrderedConsumerConfig{FilterSubjects: []string{"$O." + bucket + ".C." + info.NUID}})
	if err != nil {
		return 0, fmtQueue(err)
	}
	if begun := consumer.CachedInfo(); begun != nil && begun.Delivered.Consumer == 0 && begun.NumPending < uint64(info.Chunks) {
		return 0, errIncomplete
	}
	messages, err := consumer.Messages()
	if err != nil {
		return 0, fmtQueue(err)
	}
	defer messages.Stop()
	for range info.Chunks {
		msg, err := messages.Next(jetstream.NextContext(ctx))
		if ctx.Err() != nil {
			return size, context.Cause(ctx)
		}
		if err != nil {
			return size, fmtQueue(err)
		}
		idle.Reset(idleTime)
		if size += int64(len(msg.Data())); size > int64(info.Size) {
			return size, errOversized
		}
		if _, err := w.Write(msg.Data()); err != nil {
			return size, err
		}
	}
	return size, nil
}
