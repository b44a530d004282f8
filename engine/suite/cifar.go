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

	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/progress"
)

// cifarPixels are those of one image: 32 x 32 red, green and blue values, row by row.
const cifarPixels = 3 * 32 * 32

// cifarForm is one of the forms in which CIFAR-10 and CIFAR-100 are given out. Of CIFAR-100 the
// fine labels are taken.
type cifarForm struct {
	format  Format
	name    string
	labels  int // bytes of a record before its pixels, the last of which is the label; 0 for pickles
	classes int
	key     string // of the labels in a pickle
	meta    string // the file with the names of the classes
	names   string // their key in a pickle
	test    string // the data file of a folder, since a suite is for testing; else those that begin with train
	train   string
}

func (c cifarForm) record() int64 { return int64(c.labels + cifarPixels) }

var cifarForms = []cifarForm{
	{CIFAR, "CIFAR-10", 1, 10, "", "batches.meta.txt", "", "test_batch.bin", "data_batch_"},
	{CIFAR100, "CIFAR-100", 2, 100, "", "fine_label_names.txt", "", "test.bin", "train.bin"},
	{CIFARPython, "CIFAR-10 for Python", 0, 10, "labels", "batches.meta", "label_names", "test_batch", "data_batch_"},
	{CIFAR100Python, "CIFAR-100 for Python", 0, 100, "fine_labels", "meta", "fine_label_names", "test", "train"},
}

func cifarFormOf(format Format) cifarForm {
	return cifarForms[slices.IndexFunc(cifarForms, func(c cifarForm) bool { return c.format == format })]
}

// fits tells whether a file can be of this form by its size or its first bytes.
func (c cifarForm) fits(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	if c.labels > 0 {
		whole := info.Size() > 0 && info.Size()%c.record() == 0
		return strings.EqualFold(filepath.Ext(path), ".bin") && (whole || c.format == CIFAR)
	}
	start, err := firstBytes(path)
	return err == nil && isPickle(start)
}

// isPickle tells Python's pickles of protocol 2 and later.
func isPickle(start []byte) bool {
	return len(start) > 2 && start[0] == 0x80 && start[1] >= 2 && start[1] <= 5
}

// cifarFile is the form of one data file.
func cifarFile(path string) (Format, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("test suite: %w", err)
	}
	if strings.EqualFold(filepath.Ext(path), ".bin") {
		if large := cifarForms[1]; info.Size()%cifarForms[0].record() != 0 && large.fits(path) {
			return CIFAR100, nil
		}
		return CIFAR, nil
	}
	batch, err := readBatch(path)
	if err != nil {
		return "", fmt.Errorf("%s %w", path, err)
	}
	return batch.form.format, nil
}

// files are the data files of a folder in this form.
func (c cifarForm) files(folder string) ([]string, error) {
	if test := filepath.Join(folder, c.test); c.fits(test) {
		return []string{test}, nil
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("test suite: %w", err)
	}
	var files []string
	for _, e := range entries {
		if path := filepath.Join(folder, e.Name()); strings.HasPrefix(e.Name(), c.train) && c.fits(path) {
			files = append(files, path)
		}
	}
	return files, nil
}

// cifarFolder is the form in which a folder holds CIFAR, "" for none.
func cifarFolder(folder string) (Format, error) {
	for _, c := range cifarForms {
		if files, err := c.files(folder); err != nil || len(files) > 0 {
			return c.format, err
		}
	}
	return "", nil
}

func scanCIFAR(ctx context.Context, path string, opts Options, p progress.Progress) (found, error) {
	c := cifarFormOf(opts.format)
	f := found{format: c.format, root: filepath.Dir(path), shape: [3]int{3, 32, 32}}
	paths := []string{path}
	if info, err := os.Stat(path); err != nil {
		return found{}, err
	} else if info.IsDir() {
		f.root = path
		if paths, err = c.files(path); err != nil {
			return found{}, err
		}
	}
	total := int64(0)
	for _, file := range paths {
		entry, err := stat(f.root, filepath.Base(file))
		if err != nil {
			return found{}, err
		}
		if c.labels > 0 && (entry.Size == 0 || entry.Size%c.record() != 0) {
			return found{},
				fmt.Errorf("%s is no %s file or is truncated: %d bytes are not a whole number of records of %d bytes",
					file, c.name, entry.Size, c.record())
		}
		total += entry.Size / c.record()
		f.files = append(f.files, entry)
	}
	p.SetTotal(total)
	for _, file := range paths {
		labels, sum, err := c.read(ctx, file, p)
		if err != nil {
			return found{}, err
		}
		f.labels, f.digests = append(f.labels, labels...), append(f.digests, sum)
	}
	if c.classes == 100 {
		f.note("its fine labels, of 100 classes")
	}
	return f, c.nameClasses(&f, opts)
}

// nameClasses sets the classes: those given, else the names beside the data, else numbers.
func (c cifarForm) nameClasses(f *found, opts Options) error {
	f.classes = numbers(c.classes)
	names := opts.Classes
	if len(names) == 0 {
		read, err := c.readNames(filepath.Join(f.root, c.meta))
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		names = read
	}
	if len(names) != c.classes {
		return fmt.Errorf("suite %s: %d class names for the %d classes of %s", f.root, len(names), c.classes, c.name)
	}
	f.classes = slices.Clone(names)
	return nil
}

func (c cifarForm) readNames(path string) ([]string, error) {
	if c.labels > 0 {
		return readNames(path)
	}
	file, err := outside.Open(path, outside.Images)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	items, err := readPickle(file)
	if err != nil {
		return nil, fmt.Errorf("class names: %s %w", path, err)
	}
	list, ok := items[c.names].(*pickledList)
	if !ok {
		return nil, fmt.Errorf("class names: %s has no list %s", path, c.names)
	}
	var names []string
	for _, item := range list.items {
		names = append(names, textOf(item))
	}
	return names, checkNames(names, path)
}

// read reads a data file to its end: its labels and its digest.
func (c cifarForm) read(ctx context.Context, path string, p progress.Progress) ([]int, digest, error) {
	file, err := outside.Open(path, outside.Images)
	if err != nil {
		return nil, digest{}, err
	}
	defer file.Close()
	h := newHashing(outside.Until(ctx, file))
	var labels []int
	if c.labels > 0 {
		labels, err = c.records(ctx, bufio.NewReaderSize(h, 1<<18), p)
	} else {
		var b batch
		if b, err = unpickleBatch(h); err == nil && b.form.format != c.format {
			err = fmt.Errorf("is a file of %s, others of the folder are of %s", b.form.name, c.name)
		}
		labels = b.labels
		p.Add(int64(len(labels)))
	}
	if ctx.Err() != nil {
		return nil, digest{}, ctx.Err()
	}
	if err != nil {
		return nil, digest{}, fmt.Errorf("%s: %w", path, err)
	}
	sum, err := h.finish()
	return labels, sum, err
}

// records reads records to the end and returns their labels.
func (c cifarForm) records(ctx context.Context, r io.Reader, p progress.Progress) ([]int, error) {
	var labels []int
	record := make([]byte, c.record())
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		_, err := io.ReadFull(r, record)
		label := int(record[c.labels-1])
		switch {
		case errors.Is(err, io.EOF) && len(labels) == 0:
			return nil, errors.New("holds no images")
		case errors.Is(err, io.EOF):
			return labels, nil
		case err != nil:
			return nil, fmt.Errorf("record %d is truncated: %w", len(labels), err)
		case label >= c.classes:
			return nil, fmt.Errorf("record %d has label %d; it is no %s file (labels 0 to %d)",
				len(labels), label, c.name, c.classes-1)
		}
		labels = append(labels, label)
		p.Add(1)
	}
}

// batch is a pickled data file.
type batch struct {
	form   cifarForm
	labels []int
	first  int64 // where its pixels begin
}

func readBatch(path string) (batch, error) {
	file, err := outside.Open(path, outside.Images)
	if err != nil {
		return batch{}, err
	}
	defer file.Close()
	return unpickleBatch(file)
}

// unpickleBatch reads a pickle with the keys data, an array of images x 3072 bytes, and labels or
// fine_labels. The error does not name the file.
func unpickleBatch(in io.Reader) (batch, error) {
	items, err := readPickle(in)
	if err != nil {
		return batch{}, err
	}
	b := batch{}
	var list *pickledList
	for _, form := range cifarForms {
		if l, ok := items[form.key].(*pickledList); ok && form.key != "" {
			b.form, list = form, l
		}
	}
	data, ok := items["data"].(*pickledArray)
	if list == nil || !ok {
		return b,
			errors.New("is a pickle, but has no array data and no list labels (or fine_labels) as CIFAR's batches have")
	}
	n := int64(len(list.items))
	if n == 0 {
		return b, errors.New("holds no images")
	}
	fits := slices.Equal(data.shape, []int64{n, cifarPixels}) && data.data.size == n*cifarPixels
	if !fits || data.kind != "u1" || data.byColumns {
		return b,
			fmt.Errorf("has %d labels and an array of %v numbers of type %s; CIFAR's batches have images x %d bytes",
				n, data.shape, data.kind, cifarPixels)
	}
	b.first = data.data.at
	for i, item := range list.items {
		label, ok := item.(int64)
		if !ok || label < 0 || label >= int64(b.form.classes) {
			return b, fmt.Errorf("has the label %v of image %d; labels are 0 to %d", item, i, b.form.classes-1)
		}
		b.labels = append(b.labels, int(label))
	}
	return b, nil
}

// batches are the opened data files of a suite, with the index of the first image of each.
type batches struct {
	files []*records
	first []int
}

func openCIFAR(m Manifest, root string) (reader, error) {
	c := cifarFormOf(m.Format)
	b := &batches{}
	n := 0
	for _, entry := range m.Files {
		path := filepath.Join(root, filepath.FromSlash(entry.Path))
		f, err := outside.Open(path, outside.Images)
		if err != nil {
			_ = b.close() // the error that matters is Open's
			return nil, err
		}
		r := &records{path: path, data: f, skip: int64(c.labels), shape: [3]int{3, 32, 32}, done: f.Close}
		b.files, b.first = append(b.files, r), append(b.first, n)
		if c.labels > 0 {
			n += int(entry.Size / c.record())
			continue
		}
		read, err := unpickleBatch(f)
		if err != nil {
			_ = b.close() // the error that matters is the pickle's
			return nil, fmt.Errorf("%s %w", path, err)
		}
		r.first = read.first
		n += len(read.labels)
	}
	if n != m.Images {
		_ = b.close()
		return nil, fmt.Errorf("suite %s: its files hold %d images instead of %d: %w", m.Name, n, m.Images, ErrChanged)
	}
	return b, nil
}

func (b *batches) image(i int) (Image, error) {
	f, k := b.file(i)
	return f.image(k)
}

func (b *batches) raw(i int) (Raw, error) {
	f, k := b.file(i)
	return f.raw(k)
}

// file is where image i lies, and its number there.
func (b *batches) file(i int) (*records, int) {
	k, exact := slices.BinarySearch(b.first, i)
	if !exact {
		k--
	}
	return b.files[k], i - b.first[k]
}

func (b *batches) close() error {
	var all error
	for _, f := range b.files {
		all = errors.Join(all, f.close())
	}
	return all
}
