package suite

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/progress"
)

// examined is what reading one image file at import gives.
type examined struct {
	file   File
	digest digest
	shape  [3]int
	remark string // on a file that is read though something is wrong with it
	err    error
}

// examine decodes and digests the image files (slash-separated, below f.root) and keeps those that
// are good, with their labels, in order.
func (f *found) examine(ctx context.Context, files []string, labels []int, opts Options, p progress.Progress) error {
	p.SetTotal(int64(len(files)))
	results := make([]examined, len(files))
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(runtime.NumCPU())
	for i, file := range files {
		if inner.Err() != nil {
			break
		}
		group.Go(func() error {
			results[i] = examine(f.root, file)
			p.Add(1)
			if results[i].err != nil && !opts.SkipCorrupt {
				return results[i].err
			}
			return nil
		})
	}
	err := group.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	remarks := map[string][]string{} // files by what is wrong with them
	for i, r := range results {
		if r.err == nil && r.file.Path == "" { // not reached any more
			break
		}
		if r.err != nil && !opts.SkipCorrupt {
			return fmt.Errorf("suite %s: %w: %s: %w; repair or remove it, or leave corrupt images out", f.root,
				ErrCorrupt, files[i], r.err)
		}
		if r.err != nil {
			f.skipped = append(f.skipped, Skipped{Path: files[i], Reason: outside.Sentence(r.err)})
			continue
		}
		f.add(r, labels[i])
		if r.remark != "" {
			remarks[r.remark] = append(remarks[r.remark], files[i])
		}
	}
	for _, remark := range slices.Sorted(maps.Keys(remarks)) {
		f.note(fmt.Sprintf("images read although %s: %d, first %s", remark, len(remarks[remark]), remarks[remark][0]))
	}
	switch {
	case err != nil:
		return fmt.Errorf("suite %s: %w: %w", f.root, ErrCorrupt, err)
	case len(f.labels) == 0:
		return fmt.Errorf("suite %s: none of its %d images can be read (first: %s: %s)", f.root, len(files),
			f.skipped[0].Path, f.skipped[0].Reason)
	}
	return nil
}

func (f *found) add(r examined, label int) {
	if len(f.labels) == 0 {
		f.shape = r.shape
	} else if f.shape != r.shape {
		f.shape = [3]int{}
	}
	f.files, f.labels, f.digests = append(f.files, r.file), append(f.labels, label), append(f.digests, r.digest)
}

func examine(root, relative string) examined {
	file, err := stat(root, relative)
	if err != nil {
		return examined{err: plain(err)}
	}
	path := filepath.Join(root, filepath.FromSlash(relative))
	defer enterFile(path)()
	data, err := readImageFile(path)
	if err != nil {
		return examined{err: err}
	}
	img, leave, err := current.Load().decode(data)
	shape := [3]int{img.Channels, img.Height, img.Width}
	leave() // the pixels are not needed any more
	if err != nil {
		return examined{err: err}
	}
	return examined{file: file, digest: sha256.Sum256(data), shape: shape, remark: remark(data)}
}

// readImageFile reads a whole image file; its errors do not repeat the path.
func readImageFile(path string) ([]byte, error) {
	data, err := outside.Read(path, outside.Picture)
	return data, plain(err)
}

// plain takes the path out of a file system error, for messages that name it already.
func plain(err error) error {
	var pathError *os.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}

// loose reads a suite whose images are files of their own.
type loose struct {
	root  string
	files []File
}

func (l loose) image(i int) (Image, error) {
	defer enterFile(l.path(i))()
	raw, err := l.raw(i)
	if err != nil {
		return Image{}, err
	}
	img, err := Decode(raw.Data)
	if err != nil {
		return Image{}, fmt.Errorf("%s: %w", raw.What, err)
	}
	return img, nil
}

func (l loose) path(i int) string { return filepath.Join(l.root, filepath.FromSlash(l.files[i].Path)) }

func (l loose) raw(i int) (Raw, error) {
	what := "image " + l.path(i)
	data, err := readImageFile(l.path(i))
	if err != nil {
		err = fmt.Errorf("%s: %w", what, err)
	}
	return Raw{Data: data, What: what}, err
}

func (loose) close() error { return nil }
