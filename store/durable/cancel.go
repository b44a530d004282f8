package durable

import (
	"context"
	"io"
	"os"
)

// Cancellable is a writer that ends with its context.
type Cancellable struct {
	Ctx context.Context
	Out io.Writer
	Err error // the first one
}

// Write writes unless the context has ended.
func (c *Cancellable) Write(p []byte) (n int, err error) {
	if err = c.Ctx.Err(); err == nil {
		n, err = c.Out.Write(p)
	}
	if c.Err == nil {
		c.Err = err
	}
	return n, err
}

// CopyFile copies a file so that it is there whole or not at all; count, which may be nil, gets
// the number of bytes.
func CopyFile(ctx context.Context, from, to string, count func(n int64)) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	return Through(to+PartSuffix, to, func(out io.Writer) error {
		n, err := io.Copy(&Cancellable{Ctx: ctx, Out: out}, in)
		if count != nil {
			count(n)
		}
		return err
	})
}
