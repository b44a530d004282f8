package traininglog

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"gopkg.in/yaml.v3"

	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/result"
)

// deepest is how many folders deep event files are looked for below a folder, mostEntries among
// how many files and folders, and mostFiles how many are taken.
const (
	deepest     = 4
	mostEntries = 50_000
	mostFiles   = 200
)

// eventFiles are the event files of one training in a folder. Folders within it are of the same
// training where their names say which images they are about, as Keras has them, or are
// numbers, as transformers has them; event files of two other folders are an error. Without deep
// it looks at the folder itself and those of images in it.
func eventFiles(ctx context.Context, top string, deep bool) (files []string, err error) {
	var trainings []string
	entries, depth := 0, 1
	if deep {
		depth = deepest
	}
	err = filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		if entries++; entries > mostEntries {
			return fmt.Errorf("%s holds more than %s files and folders; take the folder of one training",
				filepath.Base(top), result.Whole(mostEntries))
		}
		below, err := filepath.Rel(top, path)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			passed := strings.HasPrefix(entry.Name(), ".") || !deep && imagesOf(entry.Name()) == ""
			if below != "." && (passed || strings.Count(below, string(filepath.Separator)) >= depth) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.Contains(entry.Name(), "tfevents") || !entry.Type().IsRegular() {
			return nil
		}
		folder := filepath.Dir(below)
		for folder != "." && ofTraining.MatchString(filepath.Base(folder)) {
			folder = filepath.Dir(folder)
		}
		if files = append(files, path); !slices.Contains(trainings, folder) {
			trainings = append(trainings, folder)
		}
		if len(trainings) > 1 {
			return fmt.Errorf("%s holds event files of several trainings (%s); take the folder of one",
				filepath.Base(top), strings.Join(trainings, ", "))
		}
		if len(files) > mostFiles {
			return fmt.Errorf("%s holds more than %d event files; take the folder of one training",
				filepath.Base(top), mostFiles)
		}
		return nil
	})
	return files, err
}

var ofTraining = regexp.MustCompile(`(?i)^[\d.]+$|` +
	`(^|[^a-z])(train|training|val|valid|validation|eval|evaluation|dev|test|testing)($|[^a-z])`)

// imagesOf is which images the name of a folder says that it is about, "" for none.
func imagesOf(folder string) (images string) {
	if ofTraining.MatchString(folder) {
		for _, word := range words(folder) {
			images = cmp.Or(images, imageWords[word])
		}
	}
	return images
}

// scalar is a value as an event has it.
type scalar struct {
	file, step int32
	value      float64
}

// events reads event files of one training, the newest first: its settings count. The values of
// the others come before its own.
func (b *builder) events(ctx context.Context, at string, files []string) error {
	times, scalars := map[string]float64{}, map[curve][]scalar{}
	for _, path := range files {
		times[path] = began(path)
	}
	files = slices.SortedFunc(slices.Values(files), func(a, c string) int {
		return cmp.Or(cmp.Compare(times[a], times[c]), strings.Compare(a, c))
	})
	for k, path := range slices.Backward(files) {
		folder := filepath.Dir(path)
		if full, err := filepath.Abs(path); err == nil {
			folder = filepath.Dir(full)
		}
		e := events{
			b: b, images: imagesOf(filepath.Base(folder)), folder: folder, file: int32(k), plugins: map[string]string{},
			scalars: scalars,
		}
		if err := e.read(ctx, path); err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(path), err)
		}
	}
	byEpoch := func(c curve) bool { return strings.HasPrefix(c.name, "epoch_") }
	keras := slices.ContainsFunc(slices.Collect(maps.Keys(scalars)), byEpoch)
	order := func(a, c curve) int {
		return cmp.Or(strings.Compare(a.folder, c.folder), strings.Compare(a.name, c.name))
	}
	for _, c := range slices.SortedFunc(maps.Keys(scalars), order) {
		if keras && !byEpoch(c) {
			b.leave(c.name, "it counts batches, not epochs")
			continue
		}
		slices.SortStableFunc(scalars[c], func(s, later scalar) int { return cmp.Compare(s.file, later.file) })
		for _, s := range scalars[c] {
			p := point{math.NaN(), s.value, int64(s.step), int(s.file)}
			if keras {
				p.epoch, p.step = float64(s.step), -1
			}
			if err := b.add(c, p); err != nil {
				return fmt.Errorf("%s: %w", filepath.Base(at), err)
			}
		}
	}
	return nil
}

// began is the wall time of the first event of a file, 1 of an Event.
func began(path string) (at float64) {
	file, err := outside.Open(path, outside.Log)
	if err != nil {
		return 0 // reading it says why
	}
	defer func() { _ = file.Close() }()
	data, _, _ := record(bufio.NewReader(file)) // likewise
	for f := range new(events).fields(data) {
		if f.is(1, protowire.Fixed64Type) {
			at = math.Float64frombits(f.bits)
		}
	}
	return at
}

// events reads one event file.
type events struct {
	b       *builder
	images  string
	folder  string
	file    int32
	plugins map[string]string // by tag: only the first value of a tag names its plugin
	scalars map[curve][]scalar
	err     error
}

// The largest record that is read (a graph has one of its own, which may be larger), the
// longest tag, and the most of the texts of one log that settings are looked for in, in bytes.
const (
	mostRecord = 64 << 20
	longestTag = 1000
	mostTexts  = 1 << 20
)

// errCut ends a file whose last record is not whole: it is still being written, or it was cut.
var errCut = errors.New("its end is not whole")

func (e *events) read(ctx context.Context, path string) error {
	file, err := outside.Open(path, outside.Log)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	in := bufio.NewReaderSize(file, 1<<16)
	var at int64
	for ctx.Err() == nil {
		data, size, err := record(in)
		switch {
		case err == io.EOF && at == 0:
			return errors.New("it is empty; choose one that a training has written to")
		case err == io.EOF:
			return nil
		case err == errCut:
			e.b.leave("the end of "+filepath.Base(path), "it is not whole, as of a file that is still being written")
			return nil
		case err == nil:
			err = e.event(data)
		}
		if errors.Is(err, errManyValues) || errors.Is(err, errManyCurves) {
			return err
		}
		if err != nil && at == 0 {
			return fmt.Errorf("it is no event file of TensorBoard: %w", err)
		}
		if err != nil {
			return fmt.Errorf("it is damaged at byte %s: %w; take a sound copy", result.Whole(at), err)
		}
		at += size
	}
	return ctx.Err()
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// masked is the checksum that a record has: CRC-32C, turned by 15 bits and moved on.
func masked(data []byte) uint32 {
	sum := crc32.Checksum(data, castagnoli)
	return (sum>>15 | sum<<17) + 0xa282ead8
}

// record reads one record: length, its checksum, data, their checksum, all little-endian. A record
// that is too large gives no data. Wrong data at the end of the file are errCut, and so are zeros.
func record(in *bufio.Reader) (data []byte, size int64, err error) {
	const around = 16 // bytes beside the data
	head := make([]byte, 12)
	if _, err := io.ReadFull(in, head); err == io.ErrUnexpectedEOF {
		return nil, 0, errCut
	} else if err != nil {
		return nil, 0, err
	}
	length := binary.LittleEndian.Uint64(head)
	if masked(head[:8]) != binary.LittleEndian.Uint32(head[8:]) {
		if allZero(head) && onlyZeros(in) {
			return nil, 0, errCut
		}
		return nil, 0, errors.New("the checksum of a record's length is wrong")
	}
	if length > mostRecord {
		n, err := io.CopyN(io.Discard, in, int64(min(length, math.MaxInt64-4)+4))
		if err == io.EOF {
			err = errCut
		}
		return nil, n + 12, err
	}
	var body bytes.Buffer // grows with what is there, whatever the length says
	if _, err := io.CopyN(&body, in, int64(length)+4); err == io.EOF {
		return nil, 0, errCut
	} else if err != nil {
		return nil, 0, err
	}
	data = body.Bytes()[:length]
	if masked(data) != binary.LittleEndian.Uint32(body.Bytes()[length:]) {
		if onlyZeros(in) {
			return nil, 0, errCut
		}
		return nil, 0, errors.New("the checksum of a record is wrong")
	}
	return data, int64(length) + around, nil
}

// event reads an Event of TensorFlow's event.proto: 2 is its step, 5 its summary, of which each
// 1 is a value.
func (e *events) event(data []byte) error {
	var step int32
	for f := range e.fields(data) {
		if f.is(2, protowire.VarintType) {
			step = int32(min(max(int64(f.bits), 0), math.MaxInt32))
		}
	}
	for summary := range e.parts(data, 5) {
		for value := range e.parts(summary, 1) {
			e.value(step, value)
		}
	}
	return e.err
}

// value reads a Summary.Value: 1 is its tag, 2 a number, 8 a tensor, 9 its metadata, of which 1
// names the plugin (1) and holds its content (2).
func (e *events) value(step int32, data []byte) {
	var tag, named, text string
	var content []byte
	var number *float64
	for f := range e.fields(data) {
		switch {
		case f.is(1, protowire.BytesType):
			tag = strings.ToValidUTF8(string(f.data[:min(len(f.data), longestTag+1)]), "\ufffd")
		case f.is(2, protowire.Fixed32Type):
			number = new(float64(math.Float32frombits(uint32(f.bits))))
		case f.is(8, protowire.BytesType):
			number, text = e.tensor(f.data)
		case f.is(9, protowire.BytesType):
			for plugin := range e.parts(f.data, 1) {
				for p := range e.fields(plugin) {
					if p.is(1, protowire.BytesType) {
						named = string(p.data[:min(len(p.data), longestTag)])
					} else if p.is(2, protowire.BytesType) {
						content = p.data
					}
				}
			}
		}
	}
	before, seen := e.plugins[tag]
	plugin := cmp.Or(named, before)
	if len(e.plugins) < mostCurves {
		e.plugins[tag] = plugin
	}
	switch {
	case len(tag) > longestTag:
		e.b.leave(tag, "its tag is longer than "+result.Whole(longestTag)+" bytes")
	case plugin == "hparams":
		e.hparams(content)
	case seen && text != "": // a tag that holds settings has them in its first value
	case e.b.texts+len(text) <= mostTexts && strings.HasPrefix(strings.TrimSpace(text), "{"):
		e.b.texts += len(text)
		var doc yaml.Node // transformers writes its settings down as JSON, which YAML includes
		if yaml.Unmarshal([]byte(text), &doc) == nil {
			e.b.settings("", &doc, false, 0)
		}
	case number != nil && (plugin == "" || plugin == "scalars"):
		c := curve{e.images, tag, e.folder}
		if list, known := e.scalars[c]; !known && len(e.scalars) == mostCurves {
			e.err = errManyCurves
		} else if err := e.b.count(); err != nil {
			e.err = err
		} else {
			e.scalars[c] = append(list, scalar{e.file, step, *number})
		}
	case tag != "":
		e.b.leave(tag, "it is no single number")
	}
}

// tensor reads a TensorProto with a single number or text: 1 is its type, 2 its shape, of which
// each 2 is an axis with its length (1); 4 the bytes of its values; 5, 6, 7 and 10 its values
// as float, double, int32 and int64; 8 a text. The number is nil where there is none or
// several.
func (e *events) tensor(data []byte) (number *float64, text string) {
	var typ uint64
	var raw []byte
	single := true
	for f := range e.fields(data) {
		switch {
		case f.is(1, protowire.VarintType):
			typ = f.bits
		case f.is(2, protowire.BytesType):
			for axis := range e.parts(f.data, 2) {
				for n := range e.fields(axis) {
					single = single && (n.num != 1 || n.bits == 1)
				}
			}
		case f.is(8, protowire.BytesType):
			text = string(f.data)
		case f.num >= 4 && f.num <= 10 && f.typ == protowire.BytesType:
			if raw = f.data; f.num == 7 || f.num == 10 { // varints, one behind the other
				if v, n := protowire.ConsumeVarint(raw); n == len(raw) {
					number = new(float64(int64(v)))
				}
			}
		case f.is(5, protowire.Fixed32Type):
			raw = binary.LittleEndian.AppendUint32(nil, uint32(f.bits))
		case f.is(6, protowire.Fixed64Type):
			raw = binary.LittleEndian.AppendUint64(nil, f.bits)
		case (f.num == 7 || f.num == 10) && f.typ == protowire.VarintType:
			number = new(float64(int64(f.bits)))
		}
	}
	const float32s, float64s, int32s, int64s = 1, 2, 3, 9
	switch {
	case !single:
		return nil, text
	case typ == float32s && len(raw) == 4:
		return new(float64(math.Float32frombits(binary.LittleEndian.Uint32(raw)))), ""
	case typ == float64s && len(raw) == 8:
		return new(math.Float64frombits(binary.LittleEndian.Uint64(raw))), ""
	case number == nil && typ == int32s && len(raw) == 4:
		return new(float64(int32(binary.LittleEndian.Uint32(raw)))), ""
	case number == nil && typ == int64s && len(raw) == 8:
		return new(float64(int64(binary.LittleEndian.Uint64(raw)))), ""
	}
	return number, text
}

// hparams reads what the plugin for settings holds, HParamsPluginData of TensorBoard's hparams:
// 3 is the start of a session, of which each 1 is an entry of its settings: a name (1) and a
// value (2) that is a number (2), a text (3) or a boolean (4).
func (e *events) hparams(content []byte) {
	for session := range e.parts(content, 3) {
		for entry := range e.parts(session, 1) {
			var name, text string
			for f := range e.fields(entry) {
				if f.is(1, protowire.BytesType) {
					name = string(f.data)
				}
			}
			for value := range e.parts(entry, 2) {
				for v := range e.fields(value) {
					switch {
					case v.is(2, protowire.Fixed64Type):
						text = result.Number.Write(math.Float64frombits(v.bits))
					case v.is(3, protowire.BytesType):
						text = string(v.data)
					case v.is(4, protowire.VarintType):
						text = result.Bool.Write(float64(v.bits & 1))
					}
				}
			}
			if text != "None" {
				e.b.field(name, text, true)
			}
		}
	}
}
