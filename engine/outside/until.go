package outside

import (
	"context"
	"io"
)

// Until reads from a stream until the context ends: models, images and whole data sets are large.
func Until(ctx context.Context, from io.Reader) io.Reader { return &until{ctx, from} }

type until struct {
	ctx  context.Context
	from io.Reader
}

// Read implements io.Reader.
func (u *until) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.from.Read(p)
}
