package app

import (
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sbinet/npyio"
	"github.com/sbinet/npyio/npz"
	"gonum.org/v1/gonum/mat"

	"github.com/variscope/variscope/engine/comma"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/export"
)

// shelf holds the matrices of a matrix command, computed or read from a file.
type shelf struct {
	axis   render.Axis
	suite  string
	family string
	images string // the choice of images, canonical text
	items  []item
	left   []matrixRow // models that are left out, with the reason
	room   int         // numbers that may still be read from a file
}

// item is one matrix, or the reason why a model lacks it.
type item struct {
	model, modality string
	matrix          variance.Matrix
	absent          string
	images, skipped int
}

func newShelf(family transform.Family, suite string, images variance.Images) *shelf {
	return &shelf{
		axis:  render.Axis{Name: family.Name(), Unit: family.Unit(), Values: family.Values()},
		suite: suite, family: family.String(), images: images.String(),
	}
}

func (s *shelf) add(id, modality string, a store.Answer, steps int) {
	it := item{model: id, modality: modality, absent: a.Absent[modality], images: a.Chosen, skipped: a.Skipped}
	if m, ok := a.Matrices[modality]; ok {
		it.matrix = m.Centre(steps)
	}
	s.items = append(s.items, it)
}

// values are the sampling values of a matrix: all, or those around the identity.
func (s *shelf) values(n int) []float64 {
	from := (len(s.axis.Values) - n) / 2
	if from < 0 {
		return nil
	}
	return s.axis.Values[from : from+n]
}

// finite is nil for a number that is undefined.
func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

func (s *shelf) rows(whole bool) []matrixRow {
	rows := make([]matrixRow, 0, len(s.items))
	for _, it := range s.items {
		row := matrixRow{Model: it.model, Modality: it.modality, Images: it.images, Skipped: it.skipped, Absent: it.absent}
		if it.absent == "" {
			row.Max, row.MeanAll = finite(it.matrix.Max()), finite(it.matrix.Mean())
		}
		if whole && it.absent == "" {
			row.Values = s.values(it.matrix.N)
			for i := range it.matrix.N {
				var line []*float64
				for j := range it.matrix.N {
					line = append(line, finite(it.matrix.At(i, j)))
				}
				row.Matrix = append(row.Matrix, line)
			}
		}
		rows = append(rows, row)
	}
	return append(rows, s.left...)
}

// write makes the files of each format, all matrices in one npz or a file of another format for
// each, and returns their paths.
func (s *shelf) write(folder string, formats []string) ([]string, error) {
	var files []string
	for _, format := range formats {
		taken := map[string]bool{}
		if format == "npz" {
			path := filepath.Join(folder, "matrices.npz")
			if err := durable.WriteFile(path, s.npz); err != nil {
				return files, err
			}
			files = append(files, path)
			continue
		}
		ranges := s.ranges()
		for _, it := range s.items {
			if it.absent != "" {
				continue
			}
			path := filepath.Join(folder, unused(taken, fileName(it.model)+"_"+fileName(it.modality))+"."+format)
			if err := durable.WriteFile(path, func(w io.Writer) error { return s.writeOne(w, it, format, ranges[it.modality]) }); err != nil {
				return files, err
			}
			files = append(files, path)
		}
	}
	return files, nil
}

func (s *shelf) writeOne(w io.Writer, it item, format string, scale render.Scale) error {
	switch format {
	case "npy":
		return npyio.Write(w, mat.NewDense(it.matrix.N, it.matrix.N, it.matrix.Data))
	case "csv":
		return s.csv(w, it.matrix)
	}
	axis := s.axis
	axis.Values = s.values(it.matrix.N)
	note := strings.TrimSpace(fmt.Sprintf("%d images (%s) of %s", it.images, s.images, s.suite))
	if it.images == 0 {
		note = ""
	}
	figure := render.Figure{Title: it.model, Matrix: it.matrix, Axis: axis, Scale: scale, Caption: it.modality, Note: note}
	return figure.Write(w, format)
}

// csv writes V as header and first column, row i and column j in plain order.
func (s *shelf) csv(w io.Writer, m variance.Matrix) error {
	values := s.values(m.N)
	out := comma.NewWriter(w)
	row := []string{"V"}
	for _, v := range values {
		row = append(row, result.Number.Write(v))
	}
	err := out.Write(row)
	for i := range m.N {
		row = row[:0]
		row = append(row, result.Number.Write(values[i]))
		for j := range m.N {
			row = append(row, result.Number.Write(m.At(i, j)))
		}
		err = errors.Join(err, out.Write(row))
	}
	out.Flush()
	return errors.Join(err, out.Error())
}

func (s *shelf) npz(w io.Writer) error {
	view := export.View{Axis: export.Axis{Name: s.axis.Name, Unit: s.axis.Unit, Family: s.family, Values: s.axis.Values}}
	for _, it := range s.items {
		if !slices.Contains(view.Modalities, it.modality) {
			view.Modalities = append(view.Modalities, it.modality)
		}
		last := len(view.Items) - 1
		if last < 0 || view.Items[last].ID != it.model {
			view.Items = append(view.Items, export.Item{Model: model.Model{ID: it.model}, Matrices: map[string]variance.Matrix{}})
			last++
		}
		if it.absent == "" {
			view.Items[last].Matrices[it.modality] = it.matrix
			view.Axis.Values = s.values(it.matrix.N)
		}
	}
	return export.MatricesNPZ(w, view)
}

// ranges are one colour scale per modality over all models (DESIGN.md section 7).
func (s *shelf) ranges() map[string]render.Scale {
	values := map[string][]float64{}
	for _, it := range s.items {
		values[it.modality] = append(values[it.modality], it.matrix.Data...)
	}
	scales := map[string]render.Scale{}
	for modality, list := range values {
		low, high := render.DefaultRange(modality, list)
		scales[modality] = render.Scale{Low: low, High: high, Map: &render.Viridis}
	}
	return scales
}

// fileName keeps an id or modality usable as part of a file's name.
func fileName(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) || r < ' ' {
			return '_'
		}
		return r
	}, text)
}

// readShelf reads matrices.npz (ID/MODALITY and V) or a single matrix (.npy).
func readShelf(path string) (*shelf, error) { return readShelfUpTo(path, maxNumbers) }

// readShelfUpTo reads no more than so many numbers.
func readShelfUpTo(path string, most int) (*shelf, error) {
	s := &shelf{axis: render.Axis{Name: "V"}, images: variance.AllImages().String(), room: most}
	archive, err := npz.Open(path)
	if err != nil {
		return readSingle(s, path)
	}
	defer archive.Close()
	for _, key := range archive.Keys() {
		if err := s.read(archive, key); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", path, strings.TrimSuffix(key, ".npy"), err)
		}
	}
	if len(s.items) == 0 {
		return nil, fmt.Errorf("%s holds no matrices", path)
	}
	if err := s.index(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// read reads one array of matrices.npz.
func (s *shelf) read(archive *npz.Reader, key string) error {
	in, err := archive.Open(key)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	name := strings.TrimSuffix(key, ".npy")
	if name == "V" {
		s.axis.Values, err = readVector(in)
		return err
	}
	var it item
	it.model, it.modality, _ = splitName(name, "/")
	if it.matrix, err = readMatrix(in); err != nil {
		return err
	}
	if s.room -= len(it.matrix.Data); s.room < 0 {
		return errors.New("it has more numbers than can be read; write the matrices of fewer models into a file")
	}
	s.items = append(s.items, it)
	return nil
}

// take are the matrices of some models and modalities, all without any, as far from the identity
// as the interval says.
func (s *shelf) take(models, modalities []string, interval float64) (*shelf, error) {
	some := *s
	some.items = nil
	for _, it := range s.items {
		switch {
		case len(models) > 0 && !slices.Contains(models, it.model), len(modalities) > 0 && !slices.Contains(modalities, it.modality):
			continue
		case interval > 0 && it.matrix.N%2 == 0:
			return nil, fmt.Errorf("matrix %s/%s has %d transformations, and so none in the middle; leave --interval out", it.model, it.modality, it.matrix.N)
		case interval > 0:
			it.matrix = it.matrix.Centre(s.steps(interval))
		}
		some.items = append(some.items, it)
	}
	for _, name := range models {
		if !slices.ContainsFunc(s.items, func(it item) bool { return it.model == name }) {
			return nil, fmt.Errorf("it has no matrix of model %s", name)
		}
	}
	for _, name := range modalities {
		if !slices.ContainsFunc(some.items, func(it item) bool { return it.modality == name }) {
			return nil, fmt.Errorf("it has no matrix %s of the models", name)
		}
	}
	return &some, nil
}

// splitName parts a model's id from a modality. Both may hold what stands between them: ids as
// files' names do, modalities in the names of tensors.
func splitName(name, between string) (id, modality string, found bool) {
	for at := range len(name) {
		if rest, ok := strings.CutPrefix(name[at:], between); ok {
			if _, err := signal.ParseModality(rest); err == nil {
				return name[:at], rest, true
			}
		}
	}
	return strings.Cut(name, between)
}

func readSingle(s *shelf, path string) (*shelf, error) {
	file, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	matrix, err := readMatrix(file)
	if err != nil {
		return nil, fmt.Errorf("%s is no .npz or .npy file of matrices: %w", path, err)
	}
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	id, modality, found := splitName(name, "_")
	if !found {
		id, modality = name, "matrix"
	}
	s.items = []item{{model: id, modality: modality, matrix: matrix}}
	return s, s.index()
}

// index numbers the transformations where the file does not give their values, and refuses a
// matrix that has more of them than values are given.
func (s *shelf) index() error {
	given := len(s.axis.Values)
	for _, it := range s.items {
		if n := it.matrix.N; given > 0 && n > given {
			return fmt.Errorf("matrix %s/%s is %d x %d, but V has only %d values; write the matrices of each family into a file of their own",
				it.model, it.modality, n, n, given)
		}
		for i := len(s.axis.Values); i < it.matrix.N; i++ {
			s.axis.Values = append(s.axis.Values, float64(i))
		}
	}
	return nil
}
