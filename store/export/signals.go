package export

import (
	"archive/zip"
	"bufio"
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

	"github.com/variscope/variscope/engine/numpy"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/lookup"
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
	early   bool     // some units were computed without mean_abs, by an earlier version
	meta    string   // what the files hold, for whoever has one of them alone
}

// signalsOf prepares the files of an item with signals.
func signalsOf(ctx context.Context, ws *store.Workspace, v View, it Item) (f signalFile, err error) {
	info := it.set
	m, err := ws.Suite(v.Suite)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return f, err
	}
	settings, err := it.Settings()
	if err != nil {
		return f, err
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
	return f, errors.Join(f.findEarly(ctx), f.describe())
}

// each visits the units in order, each with the number of its first image.
func (f signalFile) each(ctx context.Context, want store.Want, visit func(first int, part *signal.Set) error) error {
	return f.ws.EachChunk(ctx, f.item.set.Key, want, visit)
}

// confidence is the name of the largest probability.
const confidence = "confidence"

// column is an array of images x transformations.
type column struct {
	name string
	want store.Want
	of   func(part *signal.Set) []float32 // transformations x images; nil where it is absent
}

// columns are the numbers beside softmax and prediction: confidence, and every reducer of every
// position, without mean_abs where it is not there.
func (f signalFile) columns() []column {
	list := []column{{
		confidence,
		store.Want{Confidence: true},
		func(s *signal.Set) []float32 { return s.Confidence },
	}}
	for p, position := range f.item.set.Spec.Positions {
		for r := range signal.Reducer(signal.Reducers) {
			if f.early && r == signal.MeanAbs {
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

// findEarly finds out whether any unit was computed without mean_abs.
func (f *signalFile) findEarly(ctx context.Context) error {
	spec := f.item.set.Spec
	if len(spec.Positions) == 0 {
		return nil
	}
	want := store.Want{Modalities: []signal.Modality{{Position: spec.Positions[0].Name, Reducer: signal.MeanAbs}}}
	return f.each(ctx, want, func(_ int, part *signal.Set) error {
		f.early = f.early || part.Early
		return nil
	})
}

func (f *signalFile) describe() error {
	text, err := json.Marshal(struct {
		ModelID   string `json:"model_id"`
		ModelHash string `json:"model_hash"`
		Suite     string `json:"suite"`
		SuiteHash string `json:"suite_hash"`
		Family    string `json:"family"`
		V         string `json:"V"`
		Unit      string `json:"unit"`
	}{
		f.item.name(), f.item.Hash, f.view.SuiteName, f.view.Suite, f.view.Family, f.view.Axis.Name,
		strings.TrimSpace(f.view.Axis.Unit),
	})
	f.meta = string(text)
	return err
}

// soft is the number of classes of softmax vectors, 0 where they are not kept.
func (f signalFile) soft() int {
	if n := len(f.classes); n <= signal.FullSoftmaxClasses {
		return n
	}
	return 0
}

// npz writes arrays as numpy.savez does: V (T), image_ids, truth (m), class_names (C), prediction,
// confidence and every reducer (m x T), softmax (m x T x C; none above signal.FullSoftmaxClasses
// classes), model_id and meta (scalars).
func (f signalFile) npz(ctx context.Context, w io.Writer) error {
	m, t, c := len(f.images), f.item.set.Transformations, len(f.classes)
	out := zip.NewWriter(w)
	add := func(name, descr string, shape []int, fill func(w io.Writer) error) error {
		entry, err := out.CreateHeader(&zip.FileHeader{Name: name + ".npy", Method: zip.Store})
		if err != nil {
			return err
		}
		buffered := bufio.NewWriter(entry)
		_, err = buffered.Write(numpy.Header(descr, shape))
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
		texts("model_id", nil, []string{f.item.name()}), texts("meta", nil, []string{f.meta}),
		add("V", "<f8", []int{len(f.view.Axis.Values)}, little(f.view.Axis.Values)),
		texts("image_ids", []int{m}, f.images), texts("class_names", []int{c}, f.classes),
		add("truth", "<i4", []int{m}, little(f.truth)),
		add("prediction", "<i4", []int{m, t}, func(w io.Writer) error {
			return f.each(ctx, store.Want{Predictions: true}, func(_ int, part *signal.Set) error {
				return byImage(w, part.Prediction, part.Images, 1, func(v int32) uint32 { return uint32(v) })
			})
		}),
	); err != nil {
		return err
	}
	if f.soft() > 0 {
		if err := add("softmax", "<f4", []int{m, t, c}, func(w io.Writer) error {
			return f.each(ctx, store.Want{Softmax: true}, func(_ int, part *signal.Set) error {
				return byImage(w, part.Softmax, part.Images, c, math.Float32bits)
			})
		}); err != nil {
			return err
		}
	}
	for _, column := range f.columns() {
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

// signalRow is an image under a transformation: a row of signals/MODEL.parquet.
type signalRow struct {
	*signalPart
	place, transformation int // of the image in the part
}

// signalPart are the signals of some images.
type signalPart struct {
	*signal.Set
	first   int         // number of the first image
	numbers [][]float32 // by column, transformations x images
}

func (r signalRow) image() int { return r.first + r.place }

// at is the row's place in arrays of transformations x images.
func (r signalRow) at() int { return r.transformation*r.Images + r.place }

// table declares signals/MODEL.parquet: softmax.CLASS and every reducer behind what the row is
// about.
func (f signalFile) table() result.Table[signalRow] {
	v := result.Numbers("V", "V", "sampling value of the family; the place in a set", result.Number,
		func(r signalRow) float64 { return f.view.Axis.Values[r.transformation] })
	v.Unit = strings.TrimSpace(f.view.Axis.Unit)
	columns := []result.Column[signalRow]{
		result.Texts("model_id", "model", "name of the model", func(signalRow) string { return f.item.name() }),
		result.Counts("image", "image", "its number in the suite, from 0", signalRow.image),
		result.Texts("image_id", "name", "path of the image in its suite, else its number",
			func(r signalRow) string { return f.images[r.image()] }),
		result.Counts("transformation", "transformation", "its number in the family, from 0",
			func(r signalRow) int { return r.transformation }),
		v,
		result.Counts("truth", "true class", "of the image, numbered as the model does; -1 for none",
			func(r signalRow) int { return int(f.truth[r.image()]) }),
		result.Counts("prediction", "prediction", "predicted class",
			func(r signalRow) int { return int(r.Prediction[r.at()]) }),
	}
	add := func(key, help string, of func(signalRow) float32) {
		value := func(r signalRow) float64 { return float64(of(r)) }
		columns = append(columns, result.Numbers(key, key, help, result.Number, value))
	}
	soft := f.soft()
	for c := range soft {
		name := "softmax." + f.classes[c]
		if slices.ContainsFunc(columns, func(other result.Column[signalRow]) bool { return other.Key == name }) {
			name = fmt.Sprintf("softmax.%s (%d)", f.classes[c], c)
		}
		add(name, "probability of the class", func(r signalRow) float32 { return r.Softmax[r.at()*soft+c] })
	}
	for k, column := range f.columns() {
		help := "REDUCER@POSITION: the tensor there as one number (spec/variance.md)"
		if column.name == confidence {
			help = "largest probability"
		}
		add(column.name, help, func(r signalRow) float32 { return r.numbers[k][r.at()] })
	}
	for k := range columns {
		columns[k].Narrow = columns[k].Key != v.Key
	}
	return result.Table[signalRow]{
		Name: "signals", Title: "Signals", Noun: "row", Columns: columns,
		ID: func(r signalRow) string { return strconv.Itoa(r.image()) + "/" + strconv.Itoa(r.transformation) },
	}
}

// parquet writes a row per image and transformation.
func (f signalFile) parquet(ctx context.Context, w io.Writer) error {
	columns, want := f.columns(), store.Want{Predictions: true, Softmax: true}
	for _, column := range columns {
		want.Modalities = append(want.Modalities, column.want.Modalities...)
	}
	out := f.table().StreamParquet(w, map[string]string{"variscope.signals": f.meta})
	err := f.each(ctx, want, func(first int, set *signal.Set) error {
		part := &signalPart{Set: set, first: first}
		for _, column := range columns {
			part.numbers = append(part.numbers, column.of(set))
		}
		for i := range set.Images {
			for t := range set.Transformations {
				out.Write(signalRow{part, i, t})
			}
		}
		return nil
	})
	return errors.Join(err, out.Close())
}

// signals yields two files for every model that has signals under a view, or, of an export that no
// round limits, under a transformation set. Of each folder the card tells how to load one model's.
func (e *exporting) signals(ctx context.Context) (files []file, err error) {
	views := e.set.Views
	if e.opts.Round == "" {
		sets, err := e.transformationSets()
		if err != nil {
			return nil, err
		}
		views = slices.Concat(views, sets)
	}
	var left []string
	for _, v := range views {
		names, told := fileNames(v.Items), false
		for _, it := range v.Items {
			if it.set.Key == "" {
				continue
			}
			f, err := signalsOf(ctx, e.ws, v, it)
			reason, err := lookup.Reason(err)
			if err != nil {
				return nil, fmt.Errorf("signals of model %s: %w", it.name(), err)
			}
			if !reason.None() {
				left = append(left, reason.Text)
				continue
			}
			base := path.Join(v.Folder, "signals", names[it.Hash])
			arrays := file{path: base + ".npz", fill: func(w io.Writer) error { return f.npz(ctx, w) }}
			rows := file{path: base + ".parquet", fill: func(w io.Writer) error { return f.parquet(ctx, w) }}
			if !told {
				arrays.holds, rows.holds = "signals as arrays; the folder has all models", "the same as a table"
				rows.sheet, told = f.table().Sheet(nil), true
			}
			files = append(files, arrays, rows)
		}
	}
	if len(left) > 0 {
		e.method("Signals", signalsPart, len(files)/2, left)
	}
	if len(files) == 0 {
		return nil, errors.New("export: there are no signals to write; run the models first, " +
			"or leave out --signals (in the window: Signals)")
	}
	return files, nil
}

// transformationSets are what the models of an export have signals under that is no family: plain,
// rot90 and the like. Such a set has no matrices; its V are the places in the set from 0.
func (e *exporting) transformationSets() (views []View, err error) {
	var models []Item
	folders := map[string]int{}
	for _, v := range e.set.Views {
		folders[v.Folder]++
		for _, it := range v.Items {
			if it.Known && !slices.ContainsFunc(models, func(other Item) bool { return other.Hash == it.Hash }) {
				models = append(models, it)
			}
		}
	}
	err = lookup.EachSet(e.ws, "", func(info store.SetInfo) {
		v := View{Suite: info.Spec.Source, Family: info.Spec.Family}
		known := slices.ContainsFunc(models, func(it Item) bool { return it.Hash == info.Spec.Model })
		same := func(other View) bool { return other.Suite == v.Suite && other.Family == v.Family }
		listed := slices.ContainsFunc(views, same)
		if known && !listed && transform.IsSet(v.Family) {
			views = append(views, v)
		}
	})
	if err != nil {
		return nil, err
	}
	for k := range views {
		v := &views[k]
		f, err := transform.ParseAny(v.Family)
		if err == nil {
			err = (&gathering{ws: e.ws}).nameSuite(v)
		}
		if err != nil {
			return nil, err
		}
		v.Folder, v.Axis = f.Name(), Axis{Name: f.Name(), Family: v.Family}
		if folders[v.Folder]++; folders[v.Folder] > 1 {
			v.Folder += fmt.Sprintf("-%d", folders[v.Folder])
		}
		for place := range f.N() {
			v.Axis.Values = append(v.Axis.Values, float64(place))
		}
		for _, it := range models {
			if _, err := it.Model.Settings(); err != nil {
				continue // nothing was run of a model that cannot be read
			}
			best, ok, err := e.ws.BestSet(it.Model, v.Suite, v.Family)
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
