package shards

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/variscope/variscope/engine/wire"
	"github.com/variscope/variscope/store/durable"
)

// The names in a plan's folder.
const (
	manifestFile  = "manifest.json"
	modelsFolder  = "models"
	imagesFolder  = "images"
	resultsFolder = "results"
	scriptFile    = "job.sh"
	readmeFile    = "README.txt"

	modelSuffix  = ".onnx"
	packSuffix   = ".pack"
	resultSuffix = ".result"
	failedSuffix = ".failed"
)

func modelName(hash string) string { return modelsFolder + "/" + hash + modelSuffix }
func packName(hash string) string  { return imagesFolder + "/" + hash + packSuffix }

// Folder is a plan's folder.
type Folder struct {
	*Plan
	dir string
}

// Open reads the manifest of a folder, which may be a link to one. The error names the folder and says what to do.
func Open(dir string) (*Folder, error) {
	f := &Folder{dir: dir}
	data, err := f.readLimited(manifestFile, maxManifest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is no plan: there is no %s in it; name the folder that variscope run --plan has made", dir, manifestFile)
	}
	if err != nil {
		return nil, fmt.Errorf("read plan %s: %w", f.path(manifestFile), err)
	}
	if f.Plan, err = ReadPlan(data); err != nil {
		return nil, fmt.Errorf("%s: %w", f.path(manifestFile), err)
	}
	return f, nil
}

// path is a place in the folder, of a name with slashes.
func (f *Folder) path(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

// The names of what became of a unit.
func resultName(unit string) string { return resultsFolder + "/" + unit + resultSuffix }
func failedName(unit string) string { return resultsFolder + "/" + unit + failedSuffix }

// open opens a regular file of the folder. It may be no link.
func (f *Folder) open(name string) (*os.File, error) {
	if err := f.around(name); err != nil {
		return nil, err
	}
	return durable.OpenRegular(f.path(name))
}

// around looks at the folder that a file lies in, which may be no link either: others may write where plans lie.
func (f *Folder) around(name string) error {
	folder := path.Dir(name)
	if folder == "." {
		return nil
	}
	info, err := os.Lstat(f.path(folder))
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is no folder; put the folder itself there, no link", f.path(folder))
	}
	return nil
}

// errTooLarge says that a file is larger than what belongs in its place.
var errTooLarge = errors.New("it is larger than it can be")

// readLimited reads a file of at most so many bytes.
func (f *Folder) readLimited(name string, most int64) ([]byte, error) {
	file, err := f.open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // read only: nothing is lost
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, err
	case info.Size() > most:
		return nil, fmt.Errorf("%w: %d bytes, and %d are the most", errTooLarge, info.Size(), most)
	}
	data, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && int64(len(data)) > most {
		err = errTooLarge
	}
	return data, err
}

// check holds a file against its name.
func (f *Folder) check(name string, blob wire.Blob) error {
	file, err := f.open(name)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // read only: nothing is lost
	return blob.Check(file)
}
