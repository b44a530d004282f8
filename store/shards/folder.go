package shards

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/variscope/variscope/engine/wire"
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

// Open reads the manifest of a folder. The error names the folder and says what to do.
func Open(dir string) (*Folder, error) {
	path := filepath.Join(dir, manifestFile)
	data, err := readLimited(path, maxManifest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is no plan: there is no %s in it; name the folder that variscope run --plan has made", dir, manifestFile)
	}
	if err != nil {
		return nil, fmt.Errorf("read plan %s: %w", path, err)
	}
	plan, err := ReadPlan(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &Folder{plan, dir}, nil
}

// path is a place in the folder, of a name with slashes.
func (f *Folder) path(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

func (f *Folder) result(unit string) string {
	return filepath.Join(f.dir, resultsFolder, unit+resultSuffix)
}

func (f *Folder) failed(unit string) string {
	return filepath.Join(f.dir, resultsFolder, unit+failedSuffix)
}

// errTooLarge says that a file is larger than what belongs in its place.
var errTooLarge = errors.New("it is larger than it can be")

// readLimited reads a regular file of at most so many bytes.
func readLimited(path string, most int64) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // read only: nothing is lost
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is no file")
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
func check(path string, blob wire.Blob) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // read only: nothing is lost
	return blob.Check(file)
}
