package shards

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/variscope/variscope/engine/signal"
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
)

// The names of a model, of the images of a chunk, and of what became of a unit.
func modelName(hash string) string  { return modelsFolder + "/" + hash + ".onnx" }
func packName(hash string) string   { return imagesFolder + "/" + hash + ".pack" }
func resultName(unit string) string { return resultsFolder + "/" + unit + ".result" }
func failedName(unit string) string { return resultsFolder + "/" + unit + ".failed" }

// Folder is a plan's folder.
type Folder struct {
	*Plan
	dir string
}

// Open reads the manifest of a folder, which may be a link to one. The error names the folder and
// says what to do.
func Open(dir string) (*Folder, error) {
	f := &Folder{dir: dir}
	data, err := f.read(manifestFile, maxManifest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is no plan: there is no %s in it; "+
			"name the folder that variscope run --plan has made", dir, manifestFile)
	}
	if err == nil {
		f.Plan, err = readPlan(data)
	}
	if err != nil {
		return nil, fmt.Errorf("the plan's manifest %s cannot be used: %w", f.path(manifestFile), err)
	}
	return f, nil
}

// path is a place in the folder, of a name with slashes.
func (f *Folder) path(name string) string { return filepath.Join(f.dir, name) }

// open opens a regular file of the folder. It may be no link.
func (f *Folder) open(name string) (*os.File, error) {
	if err := f.around(name); err != nil {
		return nil, err
	}
	return durable.OpenRegular(f.path(name))
}

// around looks at the folder that a file lies in, which may be no link either: others may write
// where plans lie.
func (f *Folder) around(name string) error {
	folder, _, inside := strings.Cut(name, "/")
	if !inside {
		return nil
	}
	info, err := os.Lstat(f.path(folder))
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is no folder; put the folder itself there, no link", f.path(folder))
	}
	return err
}

// read reads a file of at most so many bytes.
func (f *Folder) read(name string, most int64) ([]byte, error) {
	file, err := f.open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // read only: nothing is lost
	info, err := file.Stat()
	if err == nil && info.Size() > most {
		err = fmt.Errorf("it is larger than it can be: %d bytes, and %d are the most", info.Size(), most)
	}
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(file, most)) // what has grown meanwhile is refused as damaged
}

// object opens a model or a pack that is what its name says; the error says what can be done.
func (f *Folder) object(name string, blob wire.Blob) (*os.File, error) {
	file, err := f.open(name)
	if err == nil {
		if err = blob.Check(file); err == nil {
			return file, nil
		}
		_ = file.Close() // read only: nothing is lost
	}
	return nil, fmt.Errorf("%s cannot be used: %w; plan the run again into the same folder, which brings the file back",
		filepath.FromSlash(name), err)
}

// head begins a result in the folder. Workers of other versions than the plan's are refused, so
// that it is the same whoever has computed the unit.
func (p *Plan) head() string { return "variscope " + p.Program }

// result reads and checks the result of a unit.
func (f *Folder) result(unit string, spec signal.Spec, chunk int) (*signal.Unit, error) {
	data, err := f.read(resultName(unit), int64(len(f.head())+1)+wire.ResultLimit(spec, chunk, f.count))
	if err != nil {
		return nil, err
	}
	head, rest, _ := bytes.Cut(data, []byte("\n"))
	if string(head) != f.head() {
		return nil, fmt.Errorf("it begins with %.40q in place of %q: it is no result, or another version has made "+
			"it, whose bits may be others", head, f.head())
	}
	return wire.DecodeResult(rest, spec, chunk, f.count)
}

// putting is how often a file is written whose draft another computer has removed.
const putting = 3

// put writes a file of the results through a draft beside it. A computer of the same name takes
// the draft for one that was left behind, and may remove it once, when it begins. A link that has
// come into the place of the folder meanwhile is not followed.
func (f *Folder) put(name string, pieces ...[]byte) (err error) {
	path := f.path(name)
	for range putting {
		// What durable says of a folder that is gone is better.
		if err := f.around(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		err = durable.Through(durable.DraftOf(path), path, func(w io.Writer) error {
			for _, piece := range pieces {
				if _, err := w.Write(piece); err != nil {
					return err
				}
			}
			return nil
		})
		if !errors.Is(err, fs.ErrNotExist) || errors.Is(err, durable.ErrGone) {
			break
		}
	}
	return err
}

// The bounds of a note about a failure.
const (
	maxNote   = 1 << 16 // bytes of the file
	maxReason = 4096    // bytes
)

// forget removes the note about a unit that has a result. One that stays says nothing: results are
// looked for first.
func (f *Folder) forget(unit string) {
	name := failedName(unit)
	if _, err := os.Lstat(f.path(name)); err == nil && f.around(name) == nil {
		_ = durable.Delete(f.path(name))
	}
}

// noted is the reason in the note about a unit, empty where there is none that can be read.
func (f *Folder) noted(unit string) string {
	var n Failure
	data, err := f.read(failedName(unit), maxNote)
	if err != nil || json.Unmarshal(data, &n) != nil || n.Unit != unit {
		return ""
	}
	return wire.Plain(n.Reason, maxReason)
}

// nameless cuts the paths in a text that begin with this machine's folders to what follows: notes
// travel with the folder, and what the folders are called, users among them, is nobody's business.
// Names of tensors, which look alike, stay.
func (f *Folder) nameless(text string) string {
	absolute, _ := filepath.Abs(f.dir)
	home, _ := os.UserHomeDir()
	for _, root := range []string{absolute, home, os.TempDir()} {
		resolved, _ := filepath.EvalSymlinks(root) // as systems name it in their errors
		for _, known := range []string{root, resolved} {
			if known = strings.TrimRight(known, `/\`); len(known) > 1 {
				text = strings.ReplaceAll(text, known+string(filepath.Separator), "")
			}
		}
	}
	return text
}
