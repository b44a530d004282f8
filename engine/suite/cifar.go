package suite

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/progress"
)

// A record of the CIFAR-10 binary form: one label byte, then 32 x 32 red, green and blue values, row by row.
const (
	cifarPixels  = 3 * 32 * 32
	cifarRecord  = 1 + cifarPixels
	cifarClasses = 10
	cifarNames   = "batches.meta.txt"
)

// cifarFiles are the data files of a CIFAR-10 folder: test_batch.bin where it is there, since a suite is for testing,
// else data_batch_*.bin by name.
func cifarFiles(folder string) ([]string, error) {
	test := filepath.Join(folder, "test_batch.bin")
	if info, err := os.Stat(test); err == nil && info.Mode().IsRegular() {
		return []string{test}, nil
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("test suite: %w", err)
	}
	var files []string
	for _, e := range entries {
		if name := e.Name(); !e.IsDir() && strings.HasPrefix(name, "data_batch_") && strings.HasSuffix(name, ".bin") {
			files = append(files, filepath.Join(folder, name))
		}
	}
	return files, nil
}

func scanCIFAR(ctx context.Context, path string, opts Options, p progress.Progress) (found, error) {
	f := found{format: CIFAR, root: filepath.Dir(path), shape: [3]int{3, 32, 32}}
	paths := []string{path}
	if info, err := os.Stat(path); err != nil {
		return found{}, err
	} else if info.IsDir() {
		f.root = path
		if paths, err = cifarFiles(path); err != nil {
			return found{}, err
		}
	}
	total := int64(0)
	for _, file := range paths {
		entry, err := stat(f.root, filepath.Base(file))
		if err != nil {
			return found{}, err
		}
		if entry.Size == 0 || entry.Size%cifarRecord != 0 {
			return found{}, fmt.Errorf("%s is no CIFAR-10 file or is truncated: %d bytes are not a whole number of records of %d bytes", file, entry.Size, cifarRecord)
		}
		total += entry.Size / cifarRecord
		f.files = append(f.files, entry)
	}
	p.SetTotal(total)
	for _, file := range paths {
		labels, sum, err := readCIFAR(ctx, file, p)
		if err != nil {
			return found{}, err
		}
		f.labels, f.digests = append(f.labels, labels...), append(f.digests, sum)
	}
	return f, f.nameCIFAR(opts)
}

// nameCIFAR sets the classes: those given, else batches.meta.txt beside the data, else numbers.
func (f *found) nameCIFAR(opts Options) error {
	f.classes = numbers(cifarClasses)
	names := opts.Classes
	if len(names) == 0 {
		read, err := readNames(filepath.Join(f.root, cifarNames))
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		names = read
	}
	if len(names) != cifarClasses {
		return fmt.Errorf("suite %s: %d class names for the %d classes of CIFAR-10", f.root, len(names), cifarClasses)
	}
	f.classes = slices.Clone(names)
	return nil
}

func readCIFAR(ctx context.Context, path string, p progress.Progress) ([]int, digest, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, digest{}, err
	}
	defer file.Close()
	h := newHashing(file)
	labels, err := cifarLabels(ctx, bufio.NewReaderSize(h, 1<<18), p)
	if err != nil {
		return nil, digest{}, fmt.Errorf("%s: %w", path, err)
	}
	sum, err := h.finish()
	return labels, sum, err
}

// cifarLabels reads records to the end and returns their labels.
func cifarLabels(ctx context.Context, r io.Reader, p progress.Progress) ([]int, error) {
	var labels []int
	record := make([]byte, cifarRecord)
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		_, err := io.ReadFull(r, record)
		switch {
		case errors.Is(err, io.EOF) && len(labels) == 0:
			return nil, errors.New("holds no images")
		case errors.Is(err, io.EOF):
			return labels, nil
		case err != nil:
			return nil, fmt.Errorf("record %d is truncated: %w", len(labels), err)
		case record[0] >= cifarClasses:
			return nil, fmt.Errorf("record %d has label %d; it is no CIFAR-10 file (labels 0 to %d)", len(labels), record[0], cifarClasses-1)
		}
		labels = append(labels, int(record[0]))
		p.Add(1)
	}
}

// batches are the opened data files of a CIFAR-10 suite, with the index of the first image of each.
type batches struct {
	files []*records
	first []int
}

func openCIFAR(m Manifest, root string) (reader, error) {
	b := &batches{}
	n := 0
	for _, entry := range m.Files {
		path := filepath.Join(root, filepath.FromSlash(entry.Path))
		f, err := os.Open(path)
		if err != nil {
			_ = b.close() // the error that matters is Open's
			return nil, err
		}
		b.files = append(b.files, &records{path: path, data: f, skip: 1, shape: [3]int{3, 32, 32}, done: f.Close})
		b.first = append(b.first, n)
		n += int(entry.Size / cifarRecord)
	}
	if n != m.Images {
		_ = b.close()
		return nil, fmt.Errorf("suite %s: its files hold %d images instead of %d: %w", m.Name, n, m.Images, ErrChanged)
	}
	return b, nil
}

func (b *batches) image(i int) (Image, error) {
	k, exact := slices.BinarySearch(b.first, i)
	if !exact {
		k--
	}
	return b.files[k].image(i - b.first[k])
}

func (b *batches) close() error {
	var first error
	for _, f := range b.files {
		if err := f.close(); first == nil {
			first = err
		}
	}
	return first
}
