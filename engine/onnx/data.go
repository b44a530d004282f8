package onnx

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/variscope/variscope/engine/outside"
)

// The fields of a TensorProto that matter where its data lie in a file beside the model. All that
// can hold the numbers themselves, and the two that say where they are, are left out of the copy
// that holds them.
const (
	tensorKind     protowire.Number = 2
	tensorRaw      protowire.Number = 9
	tensorExternal protowire.Number = 13
)

var tensorNumbers = []protowire.Number{4, 5, 6, 7, tensorRaw, 10, 11, tensorExternal, 14}

// typeBits is the number of bits of one number of an element type, as TensorProto.raw_data packs
// them.
var typeBits = map[int64]int64{
	1: 32, 2: 8, 3: 8, 4: 16, 5: 16, 6: 32, 7: 64, 9: 8, 10: 16, 11: 64, 12: 32, 13: 64, 14: 64, 15: 128, 16: 16,
	17: 8, 18: 8, 19: 8, 20: 8, 21: 4, 22: 4, 23: 4, 24: 8, 25: 2, 26: 2,
}

// piece is a part of a file that is being put together: bytes, or a range of a data file.
type piece struct {
	bytes        []byte
	file         string // slash-separated, within the model's folder; "" for bytes
	offset, size int64
}

// whole is a model in one piece: data itself where nothing of it lies outside, else a copy in
// which every tensor holds its numbers. These are read from files within the model's folder
// (DESIGN.md section 4), whose names are returned in byte order. A tensor that does not say
// exactly where its numbers are, and a file that is not there, leads out of the folder or is too
// small, is an error that names it. The copy has at most maxFile bytes.
func whole(path string, data []byte) (inOne []byte, files []string, err error) {
	outside := (*externalError)(nil)
	if !errors.As((&reader{}).inFile(format(), data, 0), &outside) {
		return data, nil, nil // what else may be wrong with it is for its reader to see
	}
	r := dataReader{path: path, sizes: map[string]int64{}}
	pieces, size, err := r.pieces(format(), data, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("%s %w", filepath.Base(path), refusal(err, data))
	}
	if size > maxFile {
		return nil, nil, fmt.Errorf("%s has %d MB with the weights beside it; at most %d MB can be used",
			filepath.Base(path), size>>20, maxFile>>20)
	}
	inOne = make([]byte, 0, size)
	for _, p := range pieces {
		if p.file == "" {
			inOne = append(inOne, p.bytes...)
			continue
		}
		from := len(inOne)
		inOne = inOne[:from+int(p.size)]
		if err := r.read(p, inOne[from:]); err != nil {
			return nil, nil, fmt.Errorf("%s %w", filepath.Base(path), err)
		}
	}
	for name := range r.sizes {
		files = append(files, name)
	}
	slices.Sort(files)
	return inOne, files, nil
}

func refused(format string, args ...any) error {
	return &externalError{problem: fmt.Sprintf(format, args...)}
}

// dataReader finds the data of a model's tensors in the files beside it.
type dataReader struct {
	reader
	path  string
	sizes map[string]int64 // of the files met so far, in bytes
}

// pieces copies a message with the data of all tensors in it.
func (r *dataReader) pieces(m *message, data []byte, depth int) (list []piece, size int64, err error) {
	if depth > maxNesting {
		return nil, 0, errDepth
	}
	add := func(p piece) {
		list, size = append(list, p), size+p.size
	}
	start, at := 0, 0
	flush := func() {
		if at > start {
			add(piece{bytes: data[start:at], size: int64(at - start)})
		}
	}
	for at < len(data) {
		if r.fields++; r.fields > maxFields {
			return nil, 0, errParts
		}
		f, n, err := nextField(data[at:])
		if err != nil {
			return nil, 0, err
		}
		to := m.fields[f.num]
		if to == nil {
			at += n
			continue
		}
		inner, err := f.message()
		if err != nil {
			return nil, 0, err
		}
		parts, length, err := []piece(nil), int64(0), error(nil)
		if to.holds.location == 0 {
			parts, length, err = r.pieces(to.holds, inner, depth+1)
		} else {
			parts, length, err = r.tensor(inner)
		}
		if err != nil {
			return nil, 0, to.led(inner, err)
		}
		if parts != nil {
			flush()
			head := protowire.AppendVarint(protowire.AppendTag(nil, f.num, protowire.BytesType), uint64(length))
			add(piece{bytes: head, size: int64(len(head))})
			list, size = append(list, parts...), size+length
			start = at + n
		}
		at += n
	}
	if list == nil && start == 0 {
		return nil, 0, nil // nothing in it lies outside
	}
	flush()
	return list, size, nil
}

// tensor is a TensorProto with its numbers inside; nil where they are inside already.
func (r *dataReader) tensor(data []byte) ([]piece, int64, error) {
	var kept []byte
	var kind, outside int64
	var dims []int64
	keys := map[string]string{}
	err := eachRaw(data, func(f field, raw []byte) (err error) {
		switch f.num {
		case 1:
			dims, err = f.integers(dims)
		case tensorKind:
			kind, err = f.integer()
		case 14:
			outside, err = f.integer()
		case tensorExternal:
			var key, value string
			if key, value, err = readEntry(f); err == nil {
				keys[key] = value
			}
		}
		if !slices.Contains(tensorNumbers, f.num) {
			kept = append(kept, raw...)
		}
		return err
	})
	if err != nil || outside == 0 {
		return nil, 0, err
	}
	p, err := r.place(keys, kind, dims)
	if err != nil {
		return nil, 0, err
	}
	kept = protowire.AppendVarint(protowire.AppendTag(kept, tensorRaw, protowire.BytesType), uint64(p.size))
	return []piece{{bytes: kept, size: int64(len(kept))}, p}, int64(len(kept)) + p.size, nil
}

// readEntry reads a StringStringEntryProto.
func readEntry(f field) (key, value string, err error) {
	entry, err := f.message()
	if err != nil {
		return "", "", err
	}
	err = eachRaw(entry, func(f field, _ []byte) error {
		switch f.num {
		case 1:
			key = string(f.bytes)
		case 2:
			value = string(f.bytes)
		}
		return nil
	})
	return key, value, err
}

// place is where a tensor of that type and shape says that its numbers lie.
func (r *dataReader) place(keys map[string]string, kind int64, dims []int64) (piece, error) {
	name := keys["location"]
	if name == "" || len(name) > maxName || !utf8.ValidString(name) || strings.ContainsRune(name, 0) {
		return piece{}, refused("it does not say in which file they are; export the model again")
	}
	count, fits := product(dims)
	if !fits || typeBits[kind] == 0 {
		return piece{}, refused("%q cannot hold %s numbers of shape %v; export the model again",
			name, typeName(kind), dims)
	}
	p := piece{file: name, size: (count*typeBits[kind] + 7) / 8}
	if text, there := keys["length"]; there && text != strconv.FormatInt(p.size, 10) {
		return piece{}, refused("it says %.20q bytes of %q in place of the %d of its shape %v; export the model again",
			text, name, p.size, dims)
	}
	if text, there := keys["offset"]; there {
		var err error
		if p.offset, err = strconv.ParseInt(text, 10, 64); err != nil || p.offset < 0 {
			return piece{}, refused("it begins at byte %.20q of %q; export the model again", text, name)
		}
	}
	held, known := r.sizes[name]
	if !known {
		f, err := r.open(name)
		if err != nil {
			return piece{}, err
		}
		held = f.Size()
		pointer := isPointer(f)
		_ = f.Close() // read only: nothing is lost
		if pointer {
			return piece{}, refused("%.200q is a Git LFS pointer, "+
				"not the file itself; fetch it with git lfs pull, or download the file", name)
		}
		r.sizes[name] = held
	}
	if p.offset > held || p.size > held-p.offset {
		return piece{}, refused("%q has %d bytes, and they would end at byte %d; copy it again", name, held,
			uint64(p.offset)+uint64(p.size))
	}
	return p, nil
}

// open opens a file within the model's folder. Links are followed within the folder and, in a
// cache of Hugging Face, from snapshots/REVISION to blobs beside it.
func (r *dataReader) open(name string) (*outside.File, error) {
	local := filepath.FromSlash(name)
	if !filepath.IsLocal(local) || slices.Contains(strings.Split(filepath.ToSlash(local), "/"), "..") {
		return nil,
			refused("%.200q leads out of the model's folder; put that file beside the model and export it again", name)
	}
	folder, err := filepath.Abs(filepath.Dir(r.path))
	if err != nil {
		return nil, err
	}
	f, err := openWithin(folder, local, "")
	if cache, inside, found := hubCache(folder); err != nil && !errors.Is(err, fs.ErrNotExist) && found {
		f, err = openWithin(cache, filepath.Join(inside, local), "blobs")
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, refused("%.200q is not beside the model; put that file into the same folder", name)
	case errors.Is(err, outside.ErrNoFile):
		return nil, refused("%.200q is not a file; export the model again", name)
	case err != nil:
		return nil, refused("%.200q cannot be opened within the model's folder (%v); copy that file beside the model",
			name, reason(err))
	}
	return f, nil
}

// openWithin opens a regular file of a folder without leaving the folder. Where below is given,
// the file lies, links followed, in that folder of it.
func openWithin(folder, name, below string) (*outside.File, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }() // files that were opened stay open
	if below != "" {
		real, err := filepath.EvalSymlinks(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		home, err := filepath.EvalSymlinks(filepath.Join(folder, below))
		if err != nil {
			return nil, err
		}
		if filepath.Dir(real) != home {
			return nil, fmt.Errorf("it is a link to %s", real)
		}
	}
	return outside.OpenIn(root, name, outside.Weights)
}

// hubCache takes a folder of a Hugging Face cache apart, REPOSITORY/snapshots/REVISION/...: its
// files are links to REPOSITORY/blobs.
func hubCache(folder string) (repository, inside string, found bool) {
	for at := folder; ; at = filepath.Dir(at) {
		parent := filepath.Dir(at)
		if parent == at {
			return "", "", false
		}
		if filepath.Base(parent) == "snapshots" {
			repository = filepath.Dir(parent)
			inside, err := filepath.Rel(repository, folder)
			info, missing := os.Stat(filepath.Join(repository, "blobs"))
			return repository, inside, err == nil && missing == nil && info.IsDir()
		}
	}
}

// read fills dst with a range of a data file.
func (r *dataReader) read(p piece, dst []byte) error {
	f, err := r.open(p.file)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // read only: nothing is lost
	if _, err := io.ReadFull(io.NewSectionReader(f, p.offset, p.size), dst); err != nil {
		return refused("%q changed while it was read (%v); try again", p.file, reason(err))
	}
	return nil
}
