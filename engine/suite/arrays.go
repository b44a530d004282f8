package suite

import (
	"archive/zip"
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/numpy"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/progress"
)

// arrayPairs are the names under which people keep images and their labels as arrays: in one .npz,
// or in two .npy files beside each other. Arrays for testing come first.
var arrayPairs = [][2]string{
	{"x_test", "y_test"},
	{"test_images", "test_labels"},
	{"test_x", "test_y"},
	{"test_data", "test_labels"},
	{"x_val", "y_val"},
	{"val_images", "val_labels"},
	{"images", "labels"},
	{"x", "y"},
	{"data", "labels"},
	{"data", "targets"},
	{"data", "target"},
	{"arr_0", "arr_1"},
	{"x_train", "y_train"},
	{"train_images", "train_labels"},
}

// pairIn finds images and their labels among names of arrays, in any case of letters; "" for what
// is not there.
func pairIn(names []string) (images, labels string) {
	for _, pair := range arrayPairs {
		if images = sameName(pair[0], names); images != "" {
			return images, labelsFor(images, names)
		}
	}
	return "", ""
}

// labelsFor is the name of the labels that belong to images by their names.
func labelsFor(images string, names []string) string {
	for _, pair := range arrayPairs {
		if labels := sameName(pair[1], names); strings.EqualFold(pair[0], images) && labels != "" {
			return labels
		}
	}
	return ""
}

func sameName(want string, names []string) string {
	i := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, want) })
	if i < 0 {
		return ""
	}
	return names[i]
}

// maxArray is how many numbers an array may have. They are read one image at a time.
const maxArray = 1 << 40

// imageArray is an array of images: N x H x W, N x H x W x C or N x C x H x W with 1 or 3
// channels.
type imageArray struct {
	numpy.Array
	shape  [3]int
	planes bool // channel by channel
}

func channels(n int) bool { return n == 1 || n == 3 }

func openImages(in io.Reader) (imageArray, error) {
	a := imageArray{}
	var err error
	if a.Array, err = numpy.Open(in, maxArray); err != nil {
		return a, err
	}
	s := a.Shape
	switch {
	case a.ByColumns && len(s) > 1:
		return a, errors.New("lies column by column; save it with numpy.ascontiguousarray")
	case len(s) == 3:
		a.shape, a.planes = [3]int{1, s[1], s[2]}, true
	case len(s) == 4 && channels(s[3]):
		a.shape = [3]int{s[3], s[1], s[2]}
	case len(s) == 4 && channels(s[1]):
		a.shape, a.planes = [3]int{s[1], s[2], s[3]}, true
	default:
		return a,
			fmt.Errorf("has the shape %v; "+
				"images are images x height x width, with or without 1 or 3 channels behind", s)
	}
	if h, w := a.shape[1], a.shape[2]; h < 1 || w < 1 || h > maxEdge || w > maxEdge || h*w > maxPixels {
		return a, fmt.Errorf("has images of %d x %d pixels; at most %d million pixels and sides up to %d can be read",
			w, h, maxPixels/1000000, maxEdge)
	}
	if s[0] == 0 {
		return a, errors.New("holds no images")
	}
	return a, nil
}

// values is the number of values of one image, bytes that of its bytes.
func (a imageArray) values() int  { return a.shape[0] * a.shape[1] * a.shape[2] }
func (a imageArray) bytes() int64 { return int64(a.values() * a.Size) }

// value reads a number.
func (a imageArray) value(raw []byte) float64 {
	switch {
	case a.Floats() && a.Size == 4:
		return float64(math.Float32frombits(a.Order.Uint32(raw)))
	case a.Floats():
		return math.Float64frombits(a.Order.Uint64(raw))
	}
	n, ok := a.Whole(raw)
	if !ok {
		return math.Inf(1)
	}
	return float64(n)
}

// white reads over all images and finds what white is: 255 for whole numbers and for real ones up
// to 255, 65535 for unsigned 16 bits beyond, 1 for real numbers up to 1.
func (a imageArray) white(ctx context.Context, p progress.Progress) (float64, error) {
	p.SetTotal(int64(a.Shape[0]))
	least, most := math.Inf(1), math.Inf(-1)
	raw := make([]byte, a.bytes())
	for i := range a.Shape[0] {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if n, err := io.ReadFull(a.In, raw); err != nil {
			return 0, fmt.Errorf("is truncated: image %d of %d has %d of %d bytes: %w",
				i, a.Shape[0], n, len(raw), noEOF(err))
		}
		if a.Size == 1 && a.Kind == 'u' {
			p.Add(1)
			continue
		}
		for at := 0; at < len(raw); at += a.Size {
			v := a.value(raw[at : at+a.Size])
			if v != v {
				return 0, fmt.Errorf("holds a value in image %d that is no number", i)
			}
			least, most = min(least, v), max(most, v)
		}
		p.Add(1)
	}
	switch {
	case a.Size == 1 && a.Kind == 'u':
		return 255, nil
	case least < 0:
	case a.Floats() && most <= 1:
		return 1, nil
	case most <= 255:
		return 255, nil
	case a.Kind == 'u' && a.Size == 2:
		return 65535, nil
	}
	return 0, fmt.Errorf("has values from %v to %v; save images as uint8, or as numbers from 0 to 1", least, most)
}

// readArrayLabels reads whole numbers, also written as real ones, one per image. -1 means no
// label.
func readArrayLabels(in io.Reader) ([]int, error) {
	a, err := numpy.Open(in, 1<<28)
	if err != nil {
		return nil, err
	}
	if len(a.Shape) != 1 && (len(a.Shape) != 2 || a.Shape[1] != 1) {
		return nil,
			fmt.Errorf("has the shape %v; "+
				"labels are one number per image (of one column per class take argmax)", a.Shape)
	}
	var labels []int
	add := func(v float64) error {
		if v < -1 || v >= maxNumber || v != math.Trunc(v) {
			return fmt.Errorf("has the label %v; labels are whole numbers from 0, and -1 for none", v)
		}
		labels = append(labels, int(v))
		return nil
	}
	if a.Floats() {
		values, err := a.ReadFloats()
		for _, v := range values {
			err = errors.Join(err, add(float64(v)))
			if err != nil {
				return nil, err
			}
		}
		return labels, err
	}
	values, err := a.ReadClasses()
	for _, v := range values {
		if err = add(float64(v)); err != nil {
			return nil, err
		}
	}
	return labels, err
}

// arrayFiles are the files of a suite of arrays, an .npz, or an .npy of images and one of labels
// where there is one: for one of the files or for a folder of .npy files, where they may be none.
func arrayFiles(path, labels string) ([]string, error) {
	if isArchive(path) {
		return []string{path}, nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	folder := path
	if !info.IsDir() {
		folder = filepath.Dir(path)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".npy"); ok && !e.IsDir() {
			names = append(names, name)
		}
	}
	images, beside := pairIn(names)
	if !info.IsDir() {
		images = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		beside = labelsFor(images, names)
	} else if images == "" {
		return nil, nil
	} else {
		path = filepath.Join(folder, images+".npy")
	}
	switch {
	case labels != "":
		labels, err = filepath.Abs(labels)
		return []string{path, labels}, err
	case beside != "":
		return []string{path, filepath.Join(folder, beside+".npy")}, nil
	}
	return []string{path}, nil
}

func isArchive(path string) bool { return strings.EqualFold(filepath.Ext(path), ".npz") }

func scanArrays(ctx context.Context, path string, opts Options, p progress.Progress) (found, error) {
	files, err := arrayFiles(path, opts.Labels)
	if err != nil {
		return found{}, err
	}
	f := found{format: Arrays}
	if err := f.place(filepath.Dir(files[0]), files); err != nil {
		return found{}, err
	}
	sum, err := digestFile(ctx, files[0])
	if err != nil {
		return found{}, err
	}
	f.digests = []digest{sum}
	if isArchive(files[0]) {
		err = f.scanArchive(ctx, files[0], p)
	} else {
		err = f.scanImages(ctx, files[0], p)
	}
	if err == nil && len(files) > 1 {
		f.labels, err = readLabelsArray(files[1])
	}
	if ctx.Err() != nil {
		return found{}, ctx.Err()
	}
	if err != nil {
		return found{}, err
	}
	if f.labels == nil {
		f.labels = unlabelled(f.count)
	}
	if len(f.labels) != f.count {
		return found{}, fmt.Errorf("%s holds %d labels, but %d images; they do not belong together",
			files[len(files)-1], len(f.labels), f.count)
	}
	if f.classes, err = numbered(f.labels, opts.Classes); err != nil {
		return found{}, fmt.Errorf("suite %s: %w", path, err)
	}
	return f, nil
}

func readLabelsArray(path string) ([]int, error) {
	file, err := outside.Open(path, outside.Images)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	labels, err := readArrayLabels(bufio.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return labels, nil
}

// scanImages reads over the images of a file.
func (f *found) scanImages(ctx context.Context, path string, p progress.Progress) error {
	file, err := outside.Open(path, outside.Images)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := f.readImages(ctx, bufio.NewReaderSize(file, 1<<16), p); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func (f *found) readImages(ctx context.Context, in io.Reader, p progress.Progress) error {
	a, err := openImages(in)
	if err != nil {
		return err
	}
	if f.white, err = a.white(ctx, p); err != nil {
		return err
	}
	f.shape, f.count = a.shape, a.Shape[0]
	if a.Size > 1 || a.Kind != 'u' {
		f.note(fmt.Sprintf("values from 0 to %v", f.white))
	}
	if len(a.Shape) == 4 && channels(a.Shape[1]) {
		where := map[bool]string{true: "before", false: "behind"}[a.planes]
		f.note("channels " + where + " height and width")
	}
	return nil
}

// scanArchive reads over the images of an .npz and reads their labels.
func (f *found) scanArchive(ctx context.Context, path string, p progress.Progress) error {
	archive, err := outside.OpenArchive(path, outside.Images)
	if err != nil {
		return err
	}
	defer func() { _ = archive.Close() }() // read only
	images, labels, others, err := chooseArrays(archive.File)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if len(others) > 0 {
		f.note(fmt.Sprintf("array %s is taken, not %s", images.Name, strings.Join(others, ", ")))
	}
	read := func(entry *zip.File, do func(in io.Reader) error) error {
		in, err := entry.Open()
		if err == nil {
			defer func() { _ = in.Close() }() // read only
			err = do(bufio.NewReaderSize(in, 1<<16))
		}
		if err != nil {
			return fmt.Errorf("%s, array %s: %w", path, entry.Name, err)
		}
		return nil
	}
	err = read(images, func(in io.Reader) error { return f.readImages(ctx, in, p) })
	if err == nil && labels != nil {
		err = read(labels, func(in io.Reader) (err error) {
			f.labels, err = readArrayLabels(in)
			return err
		})
	}
	return err
}

// chooseArrays finds images and labels in an .npz, and other arrays that could be images, or all
// others where none is known as labels.
func chooseArrays(entries []*zip.File) (images, labels *zip.File, others []string, err error) {
	var names []string
	for _, entry := range entries {
		names = append(names, strings.TrimSuffix(entry.Name, ".npy"))
	}
	imagesName, labelsName := pairIn(names)
	if imagesName == "" {
		return nil, nil, nil,
			fmt.Errorf("has the arrays %.300s; name the images and labels x_test and y_test, or images and labels",
				strings.Join(names, ", "))
	}
	for i, name := range names {
		switch {
		case name == imagesName && images == nil:
			images = entries[i]
		case name == labelsName && labels == nil:
			labels = entries[i]
		case labelsName == "", slices.ContainsFunc(arrayPairs,
			func(pair [2]string) bool { return strings.EqualFold(pair[0], name) }):
			others = append(others, name)
		}
	}
	if images.UncompressedSize64 > maxPacked {
		return nil, nil, nil, fmt.Errorf("unpacks to %d bytes; save the images as .npy", images.UncompressedSize64)
	}
	return images, labels, others, nil
}

// arrayReader reads the images of an array.
type arrayReader struct {
	imageArray
	path  string
	data  io.ReaderAt
	first int64 // where image 0 begins
	white float64
	done  func() error
}

func openArrays(m Manifest, root string) (reader, error) {
	path := filepath.Join(root, filepath.FromSlash(m.Files[0].Path))
	r := &arrayReader{path: path, white: m.White}
	var err error
	if isArchive(path) {
		err = r.openArchive()
	} else {
		err = r.openFile()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if r.Shape[0] != m.Images || r.white <= 0 {
		_ = r.close() // the error that matters is this one
		return nil, fmt.Errorf("%s holds %d images instead of %d: %w", path, r.Shape[0], m.Images, ErrChanged)
	}
	return r, nil
}

func (r *arrayReader) openFile() error {
	f, err := outside.Open(r.path, outside.Images)
	if err != nil {
		return err
	}
	if r.imageArray, err = openImages(f); err != nil {
		f.Close()
		return err
	}
	r.data, r.first, r.done = f, r.Start, f.Close
	return nil
}

func (r *arrayReader) openArchive() error {
	archive, err := outside.OpenArchive(r.path, outside.Images)
	if err != nil {
		return err
	}
	defer func() { _ = archive.Close() }() // read only
	images, _, _, err := chooseArrays(archive.File)
	if err != nil {
		return err
	}
	in, err := images.Open()
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // read only
	if r.imageArray, err = openImages(in); err != nil {
		return err
	}
	r.data, r.done, err = unpack(r.In, int64(r.Shape[0])*r.bytes())
	return err
}

func (r *arrayReader) close() error { return r.done() }

func (r *arrayReader) image(i int) (Image, error) {
	raw := make([]byte, r.bytes())
	if n, err := r.data.ReadAt(raw, r.first+int64(i)*r.bytes()); n < len(raw) {
		return Image{}, fmt.Errorf("image %d of %s: %w", i, r.path, noEOF(err))
	}
	channels, pixels := r.shape[0], r.shape[1]*r.shape[2]
	img := Image{Channels: channels, Height: r.shape[1], Width: r.shape[2], Pix: make([]float32, len(raw)/r.Size)}
	for k := range img.Pix {
		from := k
		if !r.planes {
			from = k%pixels*channels + k/pixels
		}
		img.Pix[k] = float32(r.value(raw[from*r.Size:]) / r.white)
	}
	return img, nil
}
