package predictions

import (
	"archive/zip"
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/numpy"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/result"
)

// readArray reads one .npy file with all models.
func readArray(path string, want expect) (Table, error) {
	models, err := readNames(strings.TrimSuffix(path, filepath.Ext(path))+".txt", "model")
	if err != nil {
		return Table{}, err
	}
	b := maker{expect: want}
	err = openFile(path, func(in io.Reader) error {
		a, err := numpy.Open(in, maxNumbers)
		if err != nil {
			return err
		}
		switch {
		case len(a.Shape) == 2 && !a.Floats():
			return b.classesOfAll(a, models)
		case len(a.Shape) == 3 && a.Floats():
			return b.probabilitiesOfAll(a, models)
		}
		return fmt.Errorf("it holds %s of shape %v; "+
			"it takes whole numbers, images x models, or floats, models x images x classes", a.Sort(), a.Shape)
	})
	return b.of(path, err)
}

// of is the table of a file, whose reading ended with err.
func (b *maker) of(path string, err error) (table Table, _ error) {
	if err == nil {
		table, err = b.finish()
	}
	if err != nil {
		return Table{}, fmt.Errorf("%s: %w", path, err)
	}
	return table, nil
}

// modelNames are the names that a text file gave, or m1, m2, ...
func modelNames(given []string, n int) ([]string, error) {
	if n > maxModels {
		return nil, fmt.Errorf("it has %d models; at most %d can be ranked", n, maxModels)
	}
	if given != nil && len(given) != n {
		return nil, fmt.Errorf("it has %d models, and the text file beside it %d names", n, len(given))
	}
	if given == nil {
		for j := range n {
			given = append(given, fmt.Sprintf("m%d", j+1))
		}
	}
	return given, nil
}

// classesOfAll adds the models of an array of images x models.
func (b *maker) classesOfAll(a numpy.Array, models []string) error {
	samples, n := a.Shape[0], a.Shape[1]
	models, err := modelNames(models, n)
	if err != nil {
		return err
	}
	values, err := a.ReadClasses()
	if err != nil {
		return err
	}
	for j, model := range models {
		labels := make([]int32, samples)
		for i := range labels {
			labels[i] = values[i*n+j]
		}
		if err := b.labels(model, labels); err != nil {
			return err
		}
	}
	return nil
}

// probabilitiesOfAll adds the models of an array of models x images x classes.
func (b *maker) probabilitiesOfAll(a numpy.Array, models []string) error {
	n, samples, classes := a.Shape[0], a.Shape[1], a.Shape[2]
	models, err := modelNames(models, n)
	if err != nil {
		return err
	}
	values, err := a.ReadFloats()
	if err != nil {
		return err
	}
	each := samples * classes
	for j, model := range models {
		if err := b.probabilities(model, values[j*each:(j+1)*each:(j+1)*each], samples, classes); err != nil {
			return err
		}
	}
	return nil
}

// one adds the array of one model.
func (b *maker) one(name string, in io.Reader) error {
	a, err := numpy.Open(in, maxNumbers)
	if err != nil {
		return err
	}
	if b.numbers += a.Count; b.numbers > maxNumbers {
		return fmt.Errorf("there are more than %d numbers; that is too large", maxNumbers)
	}
	switch {
	case len(a.Shape) == 1 && !a.Floats():
		labels, err := a.ReadClasses()
		if err != nil {
			return err
		}
		return b.labels(name, labels)
	case len(a.Shape) == 2 && a.Floats():
		rows, err := a.ReadFloats()
		if err != nil {
			return err
		}
		return b.probabilities(name, rows, a.Shape[0], a.Shape[1])
	}
	return fmt.Errorf("its shape is %v; a model has floats, images x classes, or whole numbers, one per image", a.Shape)
}

// trueClasses reads an array of true classes: whole numbers, one per image, also as a column.
func (b *maker) trueClasses(in io.Reader) error {
	a, err := numpy.Open(in, maxNumbers)
	if err != nil {
		return err
	}
	if one := len(a.Shape) == 1 || len(a.Shape) == 2 && a.Shape[1] == 1; !one || a.Floats() {
		return fmt.Errorf("its shape is %v; true classes are whole numbers, one per image", a.Shape)
	}
	b.table.Truth, err = a.ReadClasses()
	for i, class := range b.table.Truth {
		b.table.Truth[i] = max(class, -1)
	}
	return err
}

// readArchive reads a .npz file with an array per model.
func readArchive(path string, want expect) (Table, error) {
	archive, err := outside.OpenArchive(path, outside.Array)
	if err != nil {
		return Table{}, err
	}
	defer func() { _ = archive.Close() }()
	if len(archive.File) > maxModels+1 {
		return Table{}, fmt.Errorf("%s has %d arrays; at most %d models can be ranked",
			path, len(archive.File), maxModels)
	}
	var names []string
	for _, entry := range archive.File {
		name, ok := strings.CutSuffix(entry.Name, ".npy")
		if !ok {
			return Table{}, fmt.Errorf("%s holds %s, which is no array", path, entry.Name)
		}
		names = append(names, name)
	}
	b := maker{expect: want}
	aside := b.sortOut(names, arrayKind)
	for k, name := range names {
		read := func(in io.Reader) error { return b.one(name, in) }
		switch {
		case k == aside.truth:
			read = b.trueClasses
		case slices.Contains(aside.all, k):
			continue
		}
		if err := entry(archive.File[k], read); err != nil {
			return Table{}, fmt.Errorf("%s, array %s: %w", path, name, err)
		}
	}
	table, err := b.finish()
	if err != nil {
		return Table{}, fmt.Errorf("%s: %w", path, err)
	}
	return table, nil
}

func entry(entry *zip.File, read func(in io.Reader) error) error {
	in, err := entry.Open()
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	return read(bufio.NewReader(in))
}

// readFolder reads a folder with a file per model, in natural order of their names.
func readFolder(path string, want expect) (Table, error) {
	if want.names == nil {
		names, err := readNames(filepath.Join(path, "classes.txt"), "class")
		if err != nil {
			return Table{}, err
		}
		want.names = names
		if err := want.check(); err != nil {
			return Table{}, fmt.Errorf("%s: %w", path, err)
		}
	}
	files, err := tablesIn(path)
	if err != nil {
		return Table{}, err
	}
	b := maker{expect: want}
	names := make([]string, len(files))
	for k, file := range files {
		names[k] = strings.TrimSuffix(file, filepath.Ext(file))
	}
	aside := b.sortOut(names, fileKind)
	for k, file := range files {
		if k != aside.truth && slices.Contains(aside.all, k) {
			continue
		}
		if err := b.file(filepath.Join(path, file), names[k], k == aside.truth); err != nil {
			return Table{}, fmt.Errorf("%s: %w", filepath.Join(path, file), err)
		}
	}
	table, err := b.finish()
	if err != nil {
		return Table{}, fmt.Errorf("%s: %w", path, err)
	}
	return table, nil
}

// tablesIn lists the .npy and .csv files of a folder.
func tablesIn(path string) ([]string, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, fmt.Errorf("read predictions: %w", err)
	}
	var files []string
	for _, e := range entries {
		extension := strings.ToLower(filepath.Ext(e.Name()))
		if !e.IsDir() && !strings.HasPrefix(e.Name(), ".") && (extension == ".npy" || extension == ".csv") {
			files = append(files, e.Name())
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s holds no predictions: it needs a file MODEL.npy or MODEL.csv per model", path)
	}
	if len(files) > maxModels+1 {
		return nil, fmt.Errorf("%s holds %d files; at most %d models can be ranked", path, len(files), maxModels)
	}
	slices.SortStableFunc(files, result.Natural)
	return files, nil
}

// file adds one file of a folder: a model's, or the true classes.
func (b *maker) file(path, name string, truth bool) error {
	array := strings.EqualFold(filepath.Ext(path), ".npy")
	return openFile(path, func(in io.Reader) error {
		switch {
		case truth && array:
			return b.trueClasses(in)
		case truth:
			return b.truthCSV(in)
		case array:
			return b.one(name, in)
		}
		return b.probabilitiesCSV(name, in)
	})
}

func openFile(path string, read func(in io.Reader) error) error {
	in, err := outside.Open(path, outside.LargeTable)
	if err != nil {
		return err
	}
	return errors.Join(read(bufio.NewReader(in)), in.Close())
}
