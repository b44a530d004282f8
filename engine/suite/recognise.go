package suite

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/variscope/variscope/engine/csvfile"
	"github.com/variscope/variscope/engine/outside"
)

// ErrUnknown is wrapped by Recognise's error when a path holds no suite of a known format.
var ErrUnknown = errors.New("not a test suite")

const expected = "expected IDX images (plain or .gz), CIFAR-10 or CIFAR-100 (.bin or for Python), arrays (.npz or " +
	".npy), a folder of images or a CSV manifest with the columns path and label"

// Recognise says what kind of suite lies at path: a file or a folder. The error wraps ErrUnknown,
// fs.ErrNotExist or whatever the file system says; it names the path and what was expected.
func Recognise(path string) (Format, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("test suite: %w", err)
	}
	if info.IsDir() {
		return recogniseFolder(path)
	}
	return recogniseFile(path)
}

func recogniseFile(path string) (Format, error) {
	start, err := firstBytes(path)
	if err != nil {
		return "", fmt.Errorf("test suite %s: %w", path, err)
	}
	extension := strings.ToLower(filepath.Ext(path))
	switch {
	case extension == ".csv", extension == ".tsv", extension == ".txt" && isManifest(path):
		return CSV, nil
	case isIDX(start):
		if start[3] == 1 {
			return "", fmt.Errorf("%s holds labels; choose the images file (its name has images instead of labels "+
				"and idx3 instead of idx1): %w", path, ErrUnknown)
		}
		return IDX, nil
	case extension == ".bin", isPickle(start):
		return cifarFile(path)
	case extension == ".npz", bytes.HasPrefix(start, []byte("\x93NUMPY")):
		return Arrays, nil
	case extension == ".zip", extension == ".tar", extension == ".tgz",
		strings.HasSuffix(strings.ToLower(path), ".tar.gz"):
		return "", fmt.Errorf("%s is an archive; unpack it and choose what is in it: %w", path, ErrUnknown)
	case codecOf(start) != nil:
		return "", fmt.Errorf("%s is a single image; choose the folder that holds the images: %w", path, ErrUnknown)
	case len(start) == 0:
		return "", fmt.Errorf("%s is empty: %w; %s", path, ErrUnknown, expected)
	}
	return "", fmt.Errorf("%s is %w of a known format; %s", path, ErrUnknown, expected)
}

func recogniseFolder(path string) (Format, error) {
	images, err := idxImages(path)
	if err != nil {
		return "", err
	}
	if len(images) > 0 {
		return IDX, nil
	}
	if format, err := cifarFolder(path); err != nil || format != "" {
		return format, err
	}
	l, err := listFolder(path)
	if files, _ := arrayFiles(path, ""); errors.Is(err, ErrUnknown) && len(files) > 0 {
		return Arrays, nil
	}
	if err != nil {
		return "", err
	}
	return Folder, l.whole(path)
}

// isIDX tells an IDX file by its first four bytes: two zeros, a known element type, a number of
// dimensions.
func isIDX(start []byte) bool {
	return len(start) >= 4 && start[0] == 0 && start[1] == 0 && bytes.IndexByte([]byte{8, 9, 0xb, 0xc, 0xd, 0xe},
		start[2]) >= 0 &&
		start[3] >= 1 && start[3] <= 8
}

// isManifest tells whether a table begins as a manifest does.
func isManifest(path string) bool {
	f, err := outside.Open(path, outside.LargeTable)
	if err != nil {
		return false
	}
	defer f.Close()
	first, err := csvfile.Foreign(f).Read()
	if err == nil {
		_, err = findColumns(first)
	}
	return err == nil
}

// firstBytes reads the first 16 bytes of a file, of the unpacked ones where it is packed with gzip.
// A damaged archive gives the packed bytes.
func firstBytes(path string) ([]byte, error) {
	f, err := outside.Open(path, outside.Images)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	start := make([]byte, 16)
	n, err := io.ReadFull(f, start)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, err
	}
	start = start[:n]
	if !isGzip(start) {
		return start, nil
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		return start, nil
	}
	unpacked := make([]byte, 16)
	n, err = io.ReadFull(z, unpacked)
	if n == 0 && err != nil {
		return start, nil
	}
	return unpacked[:n], nil
}

func isGzip(start []byte) bool { return len(start) >= 2 && start[0] == 0x1f && start[1] == 0x8b }
