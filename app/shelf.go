package app

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sbinet/npyio"
	"gonum.org/v1/gonum/mat"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/outside"
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
	items  []variance.Of
	left   []assess.LeftOut // models without signals
	of     *modelFile       // nil where it is none
	room   int              // numbers that may still be read from a file
}

func newShelf(family transform.Family, suite string, images variance.Images) *shelf {
	return &shelf{
		axis:  render.Axis{Name: family.Name(), Unit: family.Unit(), Values: family.Values()},
		suite: suite, family: family.String(), images: images.String(),
	}
}

// take adds a model's matrices as they are, or a reason for each where the choice leaves no images.
// Another error is returned.
func (s *shelf) take(id string, modalities []string, a store.Answer, err error, steps int) error {
	if err != nil && !errors.Is(err, variance.ErrNoImages) {
		return err
	}
	for _, name := range modalities {
		if err != nil {
			a.Absent = map[string]string{name: "no images left"}
		}
		s.add(id, name, a, steps)
	}
	return nil
}

func (s *shelf) add(id, modality string, a store.Answer, steps int) {
	it := variance.Of{Model: id, Modality: modality, Images: a.Chosen, Skipped: a.Skipped, Device: a.Device}
	if reason := a.Absent[modality]; reason != "" {
		it.Absent = result.Because(signal.Absent, "%s", reason)
	}
	if m, ok := a.Matrices[modality]; ok {
		it.Matrix = m.Centre(steps)
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

// write makes the files of each format, all matrices in one npz or a file of another format for
// each, and returns their paths. Where some are of a GPU, the table of matrices says which.
func (s *shelf) write(folder string, formats []string) ([]string, error) {
	var files []string
	if slices.ContainsFunc(s.items, func(it variance.Of) bool { return it.Device != "" }) {
		path := filepath.Join(folder, "matrices.csv")
		table := variance.Matrices.Sheet(s.items)
		if err := durable.WriteFile(path, func(w io.Writer) error { return table.CSV(w, false) }); err != nil {
			return files, err
		}
		files = append(files, path)
	}
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
			if !it.Absent.None() {
				continue
			}
			path := filepath.Join(folder, unused(taken, fileName(it.Model)+"_"+fileName(it.Modality))+"."+format)
			if err := durable.WriteFile(path, func(w io.Writer) error { return s.writeOne(w, it, format, ranges[it.Modality]) }); err != nil {
				return files, err
			}
			files = append(files, path)
		}
	}
	return files, nil
}

func (s *shelf) writeOne(w io.Writer, it variance.Of, format string, scale render.Scale) error {
	switch format {
	case "npy":
		return npyio.Write(w, mat.NewDense(it.Matrix.N, it.Matrix.N, it.Matrix.Data))
	case "csv":
		sheet := variance.Elements(s.values(it.Matrix.N)).Sheet(variance.RowsOf([]variance.Of{it}))
		columns := make([]int, len(sheet.Fields)-sheet.Field("V")) // V as header and first column
		for k := range columns {
			columns[k] = sheet.Field("V") + k
		}
		return sheet.With(columns).CSV(w, false)
	}
	axis := s.axis
	axis.Values = s.values(it.Matrix.N)
	note := strings.TrimSpace(fmt.Sprintf("%d images (%s) of %s", it.Images, s.images, s.suite))
	if it.Device != "" {
		note += ", computed on " + it.Device
	}
	if it.Images == 0 {
		note = ""
	}
	figure := render.Figure{Title: it.Model, Matrix: it.Matrix, Axis: axis, Scale: scale, Caption: it.Modality, Note: note}
	return figure.Write(w, format)
}

func (s *shelf) npz(w io.Writer) error {
	view := export.View{Axis: export.Axis{Name: s.axis.Name, Unit: s.axis.Unit, Family: s.family, Values: s.axis.Values}}
	for _, it := range s.items {
		if !slices.Contains(view.Modalities, it.Modality) {
			view.Modalities = append(view.Modalities, it.Modality)
		}
		last := len(view.Items) - 1
		if last < 0 || view.Items[last].ID != it.Model {
			view.Items = append(view.Items, export.Item{Model: model.Model{ID: it.Model}, Matrices: map[string]variance.Matrix{}})
			last++
		}
		if it.Absent.None() {
			view.Items[last].Matrices[it.Modality] = it.Matrix
			view.Axis.Values = s.values(it.Matrix.N)
		}
	}
	return export.MatricesNPZ(w, view)
}

// ranges are one colour scale per modality over all models (DESIGN.md section 7).
func (s *shelf) ranges() map[string]render.Scale {
	values := map[string][]float64{}
	for _, it := range s.items {
		values[it.Modality] = append(values[it.Modality], it.Matrix.Data...)
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
	archive, err := outside.OpenArchive(path, outside.Array)
	if err != nil {
		return readSingle(s, path)
	}
	defer func() { _ = archive.Close() }() // read only
	for _, entry := range archive.File {
		if err := s.read(entry); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", path, strings.TrimSuffix(entry.Name, ".npy"), err)
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
func (s *shelf) read(entry *zip.File) error {
	in, err := entry.Open()
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	name := strings.TrimSuffix(entry.Name, ".npy")
	if name == "V" {
		s.axis.Values, err = readVector(in)
		return err
	}
	it := variance.Of{FromFile: true}
	it.Model, it.Modality, _ = splitName(name, "/")
	if it.Matrix, err = readMatrix(in); err != nil {
		return err
	}
	if s.room -= len(it.Matrix.Data); s.room < 0 {
		return errors.New("it has more numbers than can be read; write the matrices of fewer models into a file")
	}
	s.items = append(s.items, it)
	return nil
}

// only are the matrices of some models and modalities, all without any, as far from the identity
// as the interval says.
func (s *shelf) only(models, modalities []string, interval float64) (*shelf, error) {
	some := *s
	some.items = nil
	for _, it := range s.items {
		switch {
		case len(models) > 0 && !slices.Contains(models, it.Model), len(modalities) > 0 && !slices.Contains(modalities, it.Modality):
			continue
		case interval > 0 && it.Matrix.N%2 == 0:
			return nil, fmt.Errorf("matrix %s/%s has %d transformations, and so none in the middle; leave --interval out", it.Model, it.Modality, it.Matrix.N)
		case interval > 0:
			it.Matrix = it.Matrix.Centre(s.steps(interval))
		}
		some.items = append(some.items, it)
	}
	for _, name := range models {
		if !slices.ContainsFunc(s.items, func(it variance.Of) bool { return it.Model == name }) {
			return nil, fmt.Errorf("it has no matrix of model %s", name)
		}
	}
	for _, name := range modalities {
		if !slices.ContainsFunc(some.items, func(it variance.Of) bool { return it.Modality == name }) {
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
	file, err := outside.Open(path, outside.Array)
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
	s.items = []variance.Of{{Model: id, Modality: modality, Matrix: matrix, FromFile: true}}
	return s, s.index()
}

// index numbers the transformations where the file does not give their values, and refuses a
// matrix that has more of them than values are given.
func (s *shelf) index() error {
	given := len(s.axis.Values)
	for _, it := range s.items {
		if n := it.Matrix.N; given > 0 && n > given {
			return fmt.Errorf("matrix %s/%s is %d x %d, but V has only %d values; write the matrices of each family into a file of their own",
				it.Model, it.Modality, n, n, given)
		}
		for i := len(s.axis.Values); i < it.Matrix.N; i++ {
			s.axis.Values = append(s.axis.Values, float64(i))
		}
	}
	return nil
}
