package cluster

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/wire"
	"github.com/variscope/variscope/store/durable"
)

// blob fetches a file that stays until the course has ended. An interrupted connection is waited for.
func (c *course) blob(bucket string, b wire.Blob) (string, error) {
	for again := 0; ; again++ {
		path, err := c.attempt(bucket, b)
		switch {
		case err == nil:
			return path, nil
		case c.ctx.Err() != nil:
			return "", context.Cause(c.ctx)
		case isMissing(err):
			return "", err
		case endedForOthers(err):
			again--
		case !isPassing(err) || again >= fetchAttempts:
			return "", err
		}
		for wait := true; wait; wait = !c.worker.nc.IsConnected() {
			if !sleep(c.ctx, c.worker.pace.retry()) {
				return "", context.Cause(c.ctx)
			}
		}
	}
}

// isMissing tells that the server does not have a file, or not all of it.
func isMissing(err error) bool {
	return errors.Is(err, jetstream.ErrObjectNotFound) || errors.Is(err, errStalled) || errors.Is(err, errIncomplete)
}

// endedForOthers tells that a transfer was ended by the connection, or by another unit that waited for the same file and is needed no more.
func endedForOthers(err error) bool {
	for _, other := range []error{errInterrupted, errWithdrawn, errTooLong, context.Canceled} {
		if errors.Is(err, other) {
			return true
		}
	}
	return false
}

func (c *course) attempt(bucket string, b wire.Blob) (string, error) {
	ctx, cancel := context.WithTimeout(c.ctx, transferTime)
	defer cancel()
	ctx, free := c.worker.link.during(ctx)
	defer free()
	path, done, err := c.worker.cache.get(ctx, c.worker.bus, bucket, b)
	if errors.Is(context.Cause(ctx), errInterrupted) && err != nil {
		return "", errInterrupted
	}
	if err != nil {
		return "", err
	}
	c.frees = append(c.frees, done)
	return path, nil
}

// open opens a pack of images.
func (c *course) open(path string) (engine.Source, error) {
	file, err := durable.OpenRegular(path)
	if err != nil {
		return nil, fmt.Errorf("open images: %w", err)
	}
	c.frees = append(c.frees, func() { _ = file.Close() })
	info, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("open images: %w", err)
	}
	pack, err := wire.OpenPackIn(c.worker.scenes, file, info.Size())
	if err != nil {
		return nil, fmt.Errorf("images %.12s: %w", c.order.Images.SHA256, err)
	}
	if err := pack.Fits(c.order); err != nil {
		return nil, fmt.Errorf("images %.12s: %w", c.order.Images.SHA256, err)
	}
	return pack, nil
}
