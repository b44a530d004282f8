package suite

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/progress"
)

// The largest images and packed files that an IDX header may declare; a header beyond them is taken
// as damaged.
const (
	maxSide   = 1 << 15
	maxPacked = 16 << 30
)

// idxHeader is the header of an IDX file of unsigned bytes.
type idxHeader struct {
	dims []int // images: count, rows, columns; labels: count
}

func (h idxHeader) size() int64 { return int64(4 + 4*len(h.dims)) }

// item is the number of bytes of one image or label.
func (h idxHeader) item() int64 {
	n := int64(1)
	for _, d := range h.dims[1:] {
		n *= int64(d)
	}
	return n
}

func (h idxHeader) data() int64 { return int64(h.dims[0]) * h.item() }

// readIDXHeader reads the header of an images file (dims 3) or a labels file (dims 1).
func readIDXHeader(r io.Reader, dims int) (idxHeader, error) {
	magic := make([]byte, 4)
	if _, err := io.ReadFull(r, magic); err != nil {
		return idxHeader{}, fmt.Errorf("is truncated: %w", noEOF(err))
	}
	what := map[int]string{1: "a labels file has 1 (labels)", 3: "an images file has 3 (images, rows, columns)"}[dims]
	switch {
	case !isIDX(magic):
		return idxHeader{}, fmt.Errorf("is not an IDX file (it begins with % x)", magic)
	case magic[2] != 8:
		return idxHeader{}, fmt.Errorf("holds elements of IDX type 0x%02x; "+
			"only unsigned bytes (0x08) can be read", magic[2])
	case int(magic[3]) != dims:
		return idxHeader{}, fmt.Errorf("has %d dimensions; %s", magic[3], what)
	}
	raw := make([]byte, 4*dims)
	if _, err := io.ReadFull(r, raw); err != nil {
		return idxHeader{}, fmt.Errorf("is truncated: %w", noEOF(err))
	}
	h := idxHeader{dims: make([]int, dims)}
	for i := range h.dims {
		d := binary.BigEndian.Uint32(raw[4*i:])
		if d == 0 && i == 0 {
			return idxHeader{}, errors.New("holds no items")
		}
		if i > 0 && (d == 0 || d > maxSide) || d > 1<<31-1 {
			return idxHeader{}, fmt.Errorf("declares a size of %d, which cannot be right", d)
		}
		h.dims[i] = int(d)
	}
	return h, nil
}

func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// idxStream is an IDX file read from its start, unpacked where it is packed.
type idxStream struct {
	io.Reader
	header idxHeader
	packed bool
	hash   *hashing
}

// newIDXStream reads the header of a stream of size bytes and checks that the declared data can be
// in it.
func newIDXStream(r io.Reader, size int64, dims int) (*idxStream, error) {
	s := &idxStream{hash: newHashing(r)}
	buffered := bufio.NewReaderSize(s.hash, 1<<16)
	s.Reader = buffered
	var err error
	if start, _ := buffered.Peek(2); isGzip(start) {
		s.packed = true
		if s.Reader, err = gzip.NewReader(buffered); err != nil {
			return nil, fmt.Errorf("is a damaged gzip file: %w", err)
		}
	}
	if s.header, err = readIDXHeader(s.Reader, dims); err != nil {
		return nil, err
	}
	want := s.header.size() + s.header.data()
	const bestRatio = 1040 // no gzip file packs better
	switch {
	case !s.packed && size < want, s.packed && size*bestRatio < want:
		return nil, fmt.Errorf("is truncated: its header declares %d bytes, the file has %d", want, size)
	case !s.packed && size > want:
		return nil, fmt.Errorf("has %d bytes more than its header declares", size-want)
	case s.packed && want > maxPacked:
		return nil, fmt.Errorf("unpacks to %d bytes; unpack it first", want)
	}
	return s, nil
}

// openIDXFile opens an images file (dims 3) or a labels file (dims 1); the caller closes it.
func openIDXFile(path string, dims int) (*outside.File, *idxStream, error) {
	f, err := outside.Open(path, outside.Images)
	if err != nil {
		return nil, nil, err
	}
	s, err := newIDXStream(f, f.Size(), dims)
	if err != nil {
		f.Close()
		return nil, nil, fmt.Errorf("%s %w", path, err)
	}
	return f, s, nil
}

// end checks that nothing follows the declared data and returns the digest of the file.
func (s *idxStream) end() (digest, error) {
	n, err := io.ReadFull(s.Reader, make([]byte, 1))
	if n > 0 {
		return digest{}, errors.New("has more bytes than its header declares")
	}
	if !errors.Is(err, io.EOF) { // a gzip checksum that is wrong shows here
		return digest{}, fmt.Errorf("is damaged: %w", err)
	}
	return s.hash.finish()
}

func scanIDX(ctx context.Context, path string, opts Options, p progress.Progress) (found, error) {
	images, labels, err := idxPair(path, opts.Labels)
	if err != nil {
		return found{}, err
	}
	f := found{format: IDX}
	files := []string{images}
	if labels != "" {
		files = append(files, labels)
	}
	if err := f.place(filepath.Dir(images), files); err != nil {
		return found{}, err
	}
	header, sum, err := readImagesIDX(ctx, images, p)
	if err != nil {
		return found{}, err
	}
	f.shape, f.digests = [3]int{1, header.dims[1], header.dims[2]}, []digest{sum}
	f.labels = unlabelled(header.dims[0])
	if labels == "" {
		return f, nil
	}
	if f.labels, err = readLabelsIDX(labels); err != nil {
		return found{}, err
	}
	if len(f.labels) != header.dims[0] {
		return found{}, fmt.Errorf("%s holds %d labels, but %s holds %d images; they do not belong together", labels,
			len(f.labels), images, header.dims[0])
	}
	if f.classes, err = numbered(f.labels, opts.Classes); err != nil {
		return found{}, fmt.Errorf("suite %s: %w", images, err)
	}
	return f, nil
}

func unlabelled(n int) []int {
	labels := make([]int, n)
	for i := range labels {
		labels[i] = -1
	}
	return labels
}

// readImagesIDX reads an images file to its end, so that a truncated or damaged one is noticed at
// import.
func readImagesIDX(ctx context.Context, path string, p progress.Progress) (idxHeader, digest, error) {
	f, s, err := openIDXFile(path, 3)
	if err != nil {
		return idxHeader{}, digest{}, err
	}
	defer f.Close()
	sum, err := s.images(ctx, p)
	if ctx.Err() != nil {
		return idxHeader{}, digest{}, ctx.Err()
	}
	if err != nil {
		return idxHeader{}, digest{}, fmt.Errorf("%s %w", path, err)
	}
	return s.header, sum, nil
}

// images reads over all images to the end of the file.
func (s *idxStream) images(ctx context.Context, p progress.Progress) (digest, error) {
	count, item := s.header.dims[0], s.header.item()
	p.SetTotal(int64(count))
	for done := 0; done < count; {
		if err := ctx.Err(); err != nil {
			return digest{}, err
		}
		block := min(count-done, int(max(1, (1<<20)/item)))
		if n, err := io.CopyN(io.Discard, s.Reader, int64(block)*item); err != nil {
			return digest{}, fmt.Errorf("is truncated: image %d of %d is incomplete: %w", done+int(n/item), count,
				noEOF(err))
		}
		done += block
		p.Add(int64(block))
	}
	return s.end()
}

func readLabelsIDX(path string) ([]int, error) {
	f, s, err := openIDXFile(path, 1)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	labels, err := s.labels()
	if err != nil {
		return nil, fmt.Errorf("%s %w", path, err)
	}
	return labels, nil
}

func (s *idxStream) labels() ([]int, error) {
	count := s.header.dims[0]
	labels := make([]int, 0, min(count, 1<<20))
	block := make([]byte, 1<<16)
	for len(labels) < count {
		part := block[:min(len(block), count-len(labels))]
		if _, err := io.ReadFull(s.Reader, part); err != nil {
			return nil, fmt.Errorf("is truncated: %w", noEOF(err))
		}
		for _, b := range part {
			labels = append(labels, int(b))
		}
	}
	_, err := s.end()
	return labels, err
}
