// Package matrixfile holds variance matrices for files: it reads those that were exported, and
// writes matrices, computed or read, as numbers and pictures.
package matrixfile

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sbinet/npyio"
	"gonum.org/v1/gonum/mat"

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

// Set are matrices of one family, computed or read from a file.
type Set struct {
	Axis  render.Axis
	Items []variance.Of
	// Judged are matrices that Judge has judged, in the order of Items; nil for none.
	Judged []variance.JudgedOf
	suite  string
	family string
	images string // the choice of images, canonical text
	bands  variance.Bootstrap
	room   int // numbers that may still be read from a file
}

// New is a set without matrices, of a family on a suite of this name.
func New(family transform.Family, suite string, images variance.Images) *Set {
	return &Set{
		Axis:  render.Axis{Name: family.Name(), Unit: family.Unit(), Values: family.Values()},
		suite: suite, family: family.String(), images: images.String(),
	}
}

// Banded says by which resamples bands are made.
func (s *Set) Banded(by variance.Bootstrap) { s.bands = by }

// Take adds a model's matrices, as far from the identity as the interval says, all for 0. err is
// what was said of them: where the choice leaves no images, each has this reason; another error is
// returned.
func (s *Set) Take(id string, modalities []string, a store.Answer, err error, interval float64) error {
	if err != nil && !errors.Is(err, variance.ErrNoImages) {
		return err
	}
	for _, name := range modalities {
		it := variance.Of{Model: id, Modality: name, Images: a.Chosen, Skipped: a.Skipped, Device: a.Device}
		if reason := a.Absent[name]; err != nil || reason != "" {
			if err != nil {
				reason = "no images left"
			}
			it.Absent = result.Because(signal.Absent, "%s", reason)
		}
		if m, ok := a.Matrices[name]; ok && err == nil {
			it.Matrix = m.Centre(s.steps(interval))
			it.Band = a.Bands[name].Centre(s.steps(interval))
		}
		s.Items = append(s.Items, it)
	}
	return nil
}

// steps is how many values to either side of the identity lie within the interval; all of them for
// 0.
func (s *Set) steps(interval float64) int {
	middle := (len(s.Axis.Values) - 1) / 2
	if interval <= 0 {
		return middle
	}
	steps := 0
	for i := 1; i <= middle; i++ {
		if math.Abs(s.Axis.Values[middle+i]-s.Axis.Values[middle]) <= interval*(1+1e-12) {
			steps = i
		}
	}
	return max(1, steps)
}

// values are the sampling values of a matrix: all, or those around the identity.
func (s *Set) values(n int) []float64 {
	from := (len(s.Axis.Values) - n) / 2
	if from < 0 {
		return nil
	}
	return s.Axis.Values[from : from+n]
}

// Write makes the files of each format, all matrices in one npz, the figures, or a file of another
// format for each matrix, and returns their paths; of bands there are the ends as numbers, and
// figures of the widths. Where some are of a GPU, the table of matrices says which.
func (s *Set) Write(folder string, formats []string) (files []string, err error) {
	write := func(name string, fill func(w io.Writer) error) {
		if err == nil {
			path := filepath.Join(folder, name)
			if err = durable.WriteFile(path, fill); err == nil {
				files = append(files, path)
			}
		}
	}
	if slices.ContainsFunc(s.Items, func(it variance.Of) bool { return it.Device != "" }) {
		table := variance.Matrices.Sheet(s.Items)
		write("matrices.csv", func(w io.Writer) error { return table.CSV(w, false) })
	}
	for _, format := range formats {
		if slices.Contains(render.Formats(), format) {
			for _, d := range s.Figures() {
				write(d.Name+"."+format, func(w io.Writer) error {
					return render.Draw(w, d.Figure, render.Part{}, format)
				})
			}
			continue
		}
		for _, part := range s.parts() {
			if format == "npz" {
				write("matrices"+part.suffix+".npz", part.npz)
				continue
			}
			for k, name := range part.names() {
				if name != "" {
					write(name+part.suffix+"."+format,
						func(w io.Writer) error { return part.writeOne(w, part.Items[k], format) })
				}
			}
		}
	}
	return files, err
}

// names are those of the files of the matrices that are there, "" for others.
func (s *Set) names() []string {
	list, taken := make([]string, len(s.Items)), map[string]bool{gridName: true}
	for k, it := range s.Items {
		if it.Absent.None() {
			list[k] = durable.Unused(taken, durable.FileName(it.Model)+"_"+durable.FileName(it.Modality))
		}
	}
	return list
}

func (s *Set) writeOne(w io.Writer, it variance.Of, format string) error {
	if format == "npy" {
		return npyio.Write(w, mat.NewDense(it.Matrix.N, it.Matrix.N, it.Matrix.Data))
	}
	it.Band = variance.Band{}
	sheet := variance.Elements(s.values(it.Matrix.N)).Sheet(variance.RowsOf([]variance.Of{it}))
	columns := make([]int, len(sheet.Fields)-sheet.Field("V")) // V as header and first column
	for k := range columns {
		columns[k] = sheet.Field("V") + k
	}
	return sheet.With(columns).CSV(w, false)
}

func (s *Set) npz(w io.Writer) error {
	var list []export.Array
	v := s.Axis.Values
	for _, it := range s.Items {
		if it.Absent.None() {
			list, v = append(list, export.Array{Name: it.Model + "/" + it.Modality, Matrix: it.Matrix}),
				s.values(it.Matrix.N)
		}
	}
	return export.WriteNPZ(w, list, v)
}

// ranges are one colour scale per modality over all models (DESIGN.md section 7).
func (s *Set) ranges() map[string]render.Scale {
	values := map[string][]float64{}
	for _, it := range s.Items {
		values[it.Modality] = append(values[it.Modality], it.Matrix.Data...)
	}
	scales := map[string]render.Scale{}
	for modality, list := range values {
		low, high := render.DefaultRange(modality, list)
		scales[modality] = render.Scale{Low: low, High: high, Map: &render.Viridis}
	}
	return scales
}

// Read reads matrices.npz (ID/MODALITY and V) or a single matrix (.npy).
func Read(path string) (*Set, error) { return readUpTo(path, maxNumbers) }

// readUpTo reads no more than so many numbers.
func readUpTo(path string, most int) (*Set, error) {
	s := &Set{Axis: render.Axis{Name: "V"}, images: variance.AllImages().String(), room: most}
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
	if len(s.Items) == 0 {
		return nil, fmt.Errorf("%s holds no matrices", path)
	}
	if err := s.index(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// read reads one array of matrices.npz.
func (s *Set) read(entry *zip.File) error {
	in, err := entry.Open()
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	name := strings.TrimSuffix(entry.Name, ".npy")
	if name == "V" {
		s.Axis.Values, err = readVector(in)
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
	s.Items = append(s.Items, it)
	return nil
}

// Only are the matrices of some models and modalities, all without any, as far from the identity
// as the interval says.
func (s *Set) Only(models, modalities []string, interval float64) (*Set, error) {
	some := *s
	some.Items = nil
	for _, it := range s.Items {
		switch {
		case len(models) > 0 && !slices.Contains(models, it.Model),
			len(modalities) > 0 && !slices.Contains(modalities, it.Modality):
			continue
		case interval > 0 && it.Matrix.N%2 == 0:
			return nil,
				fmt.Errorf("matrix %s/%s has %d transformations, and so none in the middle; leave --interval out",
					it.Model, it.Modality, it.Matrix.N)
		case interval > 0:
			it.Matrix = it.Matrix.Centre(s.steps(interval))
		}
		some.Items = append(some.Items, it)
	}
	for _, name := range models {
		if !slices.ContainsFunc(s.Items, func(it variance.Of) bool { return it.Model == name }) {
			return nil, fmt.Errorf("it has no matrix of model %s", name)
		}
	}
	for _, name := range modalities {
		if !slices.ContainsFunc(some.Items, func(it variance.Of) bool { return it.Modality == name }) {
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

func readSingle(s *Set, path string) (*Set, error) {
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
	s.Items = []variance.Of{{Model: id, Modality: modality, Matrix: matrix, FromFile: true}}
	return s, s.index()
}

// index numbers the transformations where the file does not give their values, and refuses a
// matrix that has more of them than values are given.
func (s *Set) index() error {
	given := len(s.Axis.Values)
	for _, it := range s.Items {
		if n := it.Matrix.N; given > 0 && n > given {
			return fmt.Errorf("matrix %s/%s is %d x %d, but V has only %d values; write the matrices of each family "+
				"into a file of their own", it.Model, it.Modality, n, n, given)
		}
		for i := len(s.Axis.Values); i < it.Matrix.N; i++ {
			s.Axis.Values = append(s.Axis.Values, float64(i))
		}
	}
	return nil
}
