package export

import (
	"archive/zip"
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
)

// signalFile is the signals of one model under one view, as they are written: an image in a row, a
// transformation in a column. They are read unit by unit, so that memory stays bounded.
type signalFile struct {
	ws      *store.Workspace
	view    View
	item    Item
	images  []string // names: paths of a suite with a file per image, else numbers from 0
	classes []string // of the model, in its numbering
	truth   []int32  // the model's class of each image's label, -1 for none
}

// signalsOf prepares the files of an item with signals; ok is false for any other.
func signalsOf(ws *store.Workspace, v View, it Item) (f signalFile, ok bool, err error) {
	info := it.set
	if info.Key == "" {
		return f, false, nil
	}
	m, err := ws.Suite(v.Suite)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return f, false, err
	}
	settings, err := it.Settings()
	if err != nil {
		return f, false, err
	}
	f = signalFile{
		ws: ws, view: v, item: it, images: make([]string, info.Spec.Images), classes: make([]string, info.Classes),
		truth: make([]int32, info.Spec.Images),
	}
	for i := range f.images {
		f.images[i], f.truth[i] = strconv.Itoa(i), -1
		if len(m.Files) == m.Images && i < len(m.Files) {
			f.images[i] = m.Files[i].Path
		}
		if i < len(m.Labels) && m.Labels[i] >= 0 && m.Labels[i] < len(info.ClassMap) {
			f.truth[i] = int32(info.ClassMap[m.Labels[i]])
		}
	}
	for c := range f.classes {
		f.classes[c] = strconv.Itoa(c)
		if len(settings.ClassNames) == info.Classes {
			f.classes[c] = settings.ClassNames[c]
		}
	}
	if len(settings.ClassNames) != info.Classes && m.Named {
		for k, c := range info.ClassMap {
			if c >= 0 && c < len(f.classes) && k < len(m.Classes) {
				f.classes[c] = m.Classes[k]
			}
		}
	}
	return f, true, nil
}

// each visits the units in order, each with the number of its first image.
func (f signalFile) each(ctx context.Context, want store.Want, visit func(first int, part *signal.Set) error) error {
	return f.ws.EachChunk(ctx, f.item.set.Key, want, visit)
}

// column is an array of images x transformations.
type column struct {
	name string
	want store.Want
	of   func(part *signal.Set) []float32 // transformations x images; nil where it is absent
}

// columns are the numbers beside softmax and prediction: confidence, and every reducer of every
// position, those without mean_abs left out (an earlier version did not compute it).
func (f signalFile) columns(early bool) []column {
	list := []column{{
		"confidence",
		store.Want{Confidence: true},
		func(s *signal.Set) []float32 { return s.Confidence },
	}}
	for p, position := range f.item.set.Spec.Positions {
		for r := range signal.Reducer(signal.Reducers) {
			if early && r == signal.MeanAbs {
				continue
			}
			m := signal.Modality{Position: position.Name, Reducer: r}
			list = append(list, column{
				m.String(),
				store.Want{Modalities: []signal.Modality{m}},
				func(s *signal.Set) []float32 { return s.Reduced[p][r] },
			})
		}
	}
	return list
}

// early tells whether any unit was computed without mean_abs.
func (f signalFile) early(ctx context.Context) (early bool, err error) {
	spec := f.item.set.Spec
	if len(spec.Positions) == 0 {
		return false, nil
	}
	want := store.Want{Modalities: []signal.Modality{{Position: spec.Positions[0].Name, Reducer: signal.MeanAbs}}}
	err = f.each(ctx, want, func(_ int, part *signal.Set) error {
		early = early || part.Early
		return nil
	})
	return early, err
}

// meta says what a file holds, for whoever has it alone.
func (f signalFile) meta() (string, error) {
	text, err := json.Marshal(struct {
		ModelID   string `json:"model_id"`
		ModelHash string `json:"model_hash"`
		Suite     string `json:"suite"`
		SuiteHash string `json:"suite_hash"`
		Family    string `json:"family"`
		V         string `json:"V"`
		Unit      string `json:"unit"`
	}{f.item.name(), f.item.Hash, f.view.SuiteName, f.view.Suite, f.view.Family, f.view.Axis.Name, strings.TrimSpace(f.view.Axis.Unit)})
	return string(text), err
}

// npz writes arrays as numpy.savez does: V (T), image_ids, truth (m), class_names (C), prediction,
// confidence and every reducer (m x T), softmax (m x T x C; none above signal.FullSoftmaxClasses
// classes), model_id and meta (scalars).
func (f signalFile) npz(ctx context.Context, w io.Writer) error {
	m, t, c := len(f.images), f.item.set.Transformations, len(f.classes)
	early, err := f.early(ctx)
	if err != nil {
		return err
	}
	meta, err := f.meta()
	if err != nil {
		return err
	}
	out := zip.NewWriter(w)
	add := func(name, descr string, shape []int, fill func(w io.Writer) error) error {
		entry, err := out.CreateHeader(&zip.FileHeader{Name: name + ".npy", Method: zip.Store})
		if err != nil {
			return err
		}
		buffered := bufio.NewWriter(entry)
		_, err = buffered.Write(npyHeader(descr, shape))
		return errors.Join(err, fill(buffered), buffered.Flush())
	}
	texts := func(name string, shape []int, list []string) error {
		width := 1
		for _, text := range list {
			width = max(width, len([]rune(text)))
		}
		return add(name, "<U"+strconv.Itoa(width), shape, func(w io.Writer) error {
			for _, text := range list {
				row := make([]rune, width)
				copy(row, []rune(text))
				if err := binary.Write(w, binary.LittleEndian, row); err != nil {
					return err
				}
			}
			return nil
		})
	}
	little := func(values any) func(io.Writer) error {
		return func(w io.Writer) error { return binary.Write(w, binary.LittleEndian, values) }
	}
	if err := errors.Join(
		texts("model_id", nil, []string{f.item.name()}), texts("meta", nil, []string{meta}),
		add("V", "<f8", []int{len(f.view.Axis.Values)}, little(f.view.Axis.Values)),
		texts("image_ids", []int{m}, f.images), texts("class_names", []int{c}, f.classes), add("truth", "<i4", []int{m}, little(f.truth)),
		add("prediction", "<i4", []int{m, t}, func(w io.Writer) error {
			return f.each(ctx, store.Want{Predictions: true}, func(_ int, part *signal.Set) error {
				return byImage(w, part.Prediction, part.Images, 1, func(v int32) uint32 { return uint32(v) })
			})
		}),
	); err != nil {
		return err
	}
	if c <= signal.FullSoftmaxClasses {
		if err := add("softmax", "<f4", []int{m, t, c}, func(w io.Writer) error {
			return f.each(ctx, store.Want{Softmax: true}, func(_ int, part *signal.Set) error {
				return byImage(w, part.Softmax, part.Images, c, math.Float32bits)
			})
		}); err != nil {
			return err
		}
	}
	for _, column := range f.columns(early) {
		if err := add(column.name, "<f4", []int{m, t}, func(w io.Writer) error {
			return f.each(ctx, column.want, func(_ int, part *signal.Set) error {
				return byImage(w, column.of(part), part.Images, 1, math.Float32bits)
			})
		}); err != nil {
			return err
		}
	}
	return out.Close()
}

// byImage writes numbers that lie by transformation, image and class by image, transformation and
// class.
func byImage[T any](w io.Writer, values []T, images, classes int, bits func(T) uint32) error {
	row := make([]byte, 4*classes)
	for i := range images {
		for at := i * classes; at < len(values); at += images * classes {
			for c, v := range values[at : at+classes] {
				binary.LittleEndian.PutUint32(row[4*c:], bits(v))
			}
			if _, err := w.Write(row); err != nil {
				return err
			}
		}
	}
	return nil
}

// npyHeader begins an array in NumPy's format 1.0, in C order.
func npyHeader(descr string, shape []int) []byte {
	dims := ""
	for _, d := range shape {
		dims += strconv.Itoa(d) + ", "
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr, strings.TrimSuffix(dims, " "))
	const align, before = 64, 10
	header += strings.Repeat(" ", (align-(before+len(header)+1)%align)%align) + "\n"
	return append(binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(header))), header...)
}

// groupRows is about how many rows a part of a Parquet file has.
const groupRows = 1 << 16

// parquet writes a row per image and transformation: model_id, image, image_id, transformation, V,
// truth, prediction, confidence, softmax.CLASS and every reducer.
func (f signalFile) parquet(ctx context.Context, w io.Writer) error {
	early, err := f.early(ctx)
	if err != nil {
		return err
	}
	meta, err := f.meta()
	if err != nil {
		return err
	}
	columns := f.columns(early)
	group := result.ParquetGroup{Group: parquet.Group{}}
	word := parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
	group.Add("model_id", word)
	group.Add("image", parquet.Int(32))
	group.Add("image_id", word)
	group.Add("transformation", parquet.Int(32))
	group.Add("V", parquet.Leaf(parquet.DoubleType))
	group.Add("truth", parquet.Int(32))
	group.Add("prediction", parquet.Int(32))
	soft := len(f.classes)
	if soft > signal.FullSoftmaxClasses {
		soft = 0
	}
	for c := range soft {
		name := "softmax." + f.classes[c]
		if group.Group[name] != nil { // two classes of one name
			name = fmt.Sprintf("softmax.%s (%d)", f.classes[c], c)
		}
		group.Add(name, parquet.Leaf(parquet.FloatType))
	}
	want := store.Want{Predictions: true, Softmax: true}
	for _, column := range columns {
		group.Add(column.name, parquet.Leaf(parquet.FloatType))
		want.Modalities = append(want.Modalities, column.want.Modalities...)
	}
	out := parquet.NewWriter(w, parquet.NewSchema("signals", group), parquet.Compression(&zstd.Codec{}),
		parquet.CreatedBy("variscope", "1", "signals"), parquet.KeyValueMetadata("variscope.signals", meta))
	held := 0
	err = f.each(ctx, want, func(first int, part *signal.Set) error {
		numbers := make([][]float32, len(columns))
		for k, column := range columns {
			numbers[k] = column.of(part)
		}
		rows := make([]parquet.Row, part.Transformations)
		for i := range part.Images {
			for t := range rows {
				row, at := rows[t][:0], t*part.Images+i
				put := func(v parquet.Value) { row = append(row, v.Level(0, 0, len(row))) }
				put(parquet.ByteArrayValue([]byte(f.item.name())))
				put(parquet.Int32Value(int32(first + i)))
				put(parquet.ByteArrayValue([]byte(f.images[first+i])))
				put(parquet.Int32Value(int32(t)))
				put(parquet.DoubleValue(f.view.Axis.Values[t]))
				put(parquet.Int32Value(f.truth[first+i]))
				put(parquet.Int32Value(part.Prediction[at]))
				for c := range soft {
					put(parquet.FloatValue(part.Softmax[at*soft+c]))
				}
				for k := range columns {
					put(parquet.FloatValue(numbers[k][at]))
				}
				rows[t] = row
			}
			if _, err := out.WriteRows(rows); err != nil {
				return err
			}
		}
		if held += part.Images * part.Transformations; held >= groupRows {
			held = 0
			return out.Flush()
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("write signals as Parquet: %w", err)
	}
	return out.Close()
}

// writeSignals writes two files for every model that has signals under a view, or, of an export
// that no round limits, under a transformation set. It tells whether there are any.
func writeSignals(ctx context.Context, ws *store.Workspace, out *folder, set Set, limited bool) (found bool, err error) {
	views := set.Views
	if !limited {
		sets, err := transformationSets(ws, set)
		if err != nil {
			return false, err
		}
		views = slices.Concat(views, sets)
	}
	for _, v := range views {
		names := fileNames(v.Items)
		for _, it := range v.Items {
			f, ok, err := signalsOf(ws, v, it)
			if err != nil {
				return found, err
			}
			if !ok {
				continue
			}
			found = true
			base := path.Join(v.Folder, "signals", names[it.Hash])
			for ending, fill := range map[string]func(context.Context, io.Writer) error{".npz": f.npz, ".parquet": f.parquet} {
				if err := out.create(base+ending, func(w io.Writer) error { return fill(ctx, w) }); err != nil {
					return found, fmt.Errorf("signals of model %s: %w", it.name(), err)
				}
			}
		}
	}
	return found, nil
}

// transformationSets are what the models of an export have signals under that is no family: plain,
// rot90 and the like. Such a set has no matrices; its V are the places in the set from 0.
func transformationSets(ws *store.Workspace, set Set) (views []View, err error) {
	var models []Item
	folders := map[string]int{}
	for _, v := range set.Views {
		folders[v.Folder]++
		for _, it := range v.Items {
			if it.Known && !slices.ContainsFunc(models, func(other Item) bool { return other.Hash == it.Hash }) {
				models = append(models, it)
			}
		}
	}
	for _, it := range models {
		sets, err := ws.Sets(it.Hash, "", "")
		if err != nil {
			return nil, err
		}
		for _, info := range sets {
			if !transform.IsSet(info.Spec.Family) {
				continue
			}
			at := slices.IndexFunc(views, func(v View) bool { return v.Suite == info.Spec.Source && v.Family == info.Spec.Family })
			if at < 0 {
				v, err := setView(ws, info.Spec)
				if err != nil {
					return nil, err
				}
				if folders[v.Folder]++; folders[v.Folder] > 1 {
					v.Folder = fmt.Sprintf("%s-%d", v.Folder, folders[v.Folder])
				}
				at, views = len(views), append(views, v)
			}
			v := &views[at]
			if slices.ContainsFunc(v.Items, func(other Item) bool { return other.Hash == it.Hash }) {
				continue
			}
			best, ok, err := ws.BestSet(it.Model, v.Suite, v.Family)
			if err != nil {
				return nil, err
			}
			if ok {
				v.Items = append(v.Items, Item{Model: it.Model, Known: true, set: best})
			}
		}
	}
	return views, nil
}

// setView is the view of a transformation set without its items.
func setView(ws *store.Workspace, of signal.Spec) (View, error) {
	f, err := transform.ParseAny(of.Family)
	if err != nil {
		return View{}, err
	}
	m, err := ws.Suite(of.Source)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return View{}, err
	}
	v := View{Folder: f.Name(), Suite: of.Source, SuiteName: cmp.Or(m.Name, short(of.Source)), Family: of.Family}
	v.Axis = Axis{Name: f.Name(), Family: of.Family, Values: make([]float64, f.N())}
	for k := range v.Axis.Values {
		v.Axis.Values[k] = float64(k)
	}
	return v, nil
}
