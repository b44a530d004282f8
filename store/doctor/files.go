package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/backup"
	"github.com/variscope/variscope/store/database"
)

// ownFolders are those in which the workspace itself writes.
var ownFolders = []string{
	database.ModelsFolder, database.SignalsFolder, database.SuitesFolder, database.MasksFolder,
	database.PredictionsFolder, database.AssessorsFolder, database.BackupsFolder, database.ThumbsFolder,
	database.QueueFolder,
}

// inFolder are the files of a folder of the workspace, by name.
func (e *exam) inFolder(folder string) []string {
	var list []string
	for name := range e.files {
		if strings.HasPrefix(name, folder+"/") && !strings.HasSuffix(name, database.PartSuffix) {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// assessors reads every saved assessor.
func (e *exam) assessors() {
	for _, file := range e.inFolder(database.AssessorsFolder) {
		name, ours := strings.CutSuffix(path.Base(file), saved.Extension)
		e.claim(file)
		if !ours || e.ctx.Err() != nil {
			continue
		}
		e.count("assessors", 1)
		data, err := store.ReadAssessor(e.Path, name)
		if err == nil {
			_, err = saved.Decode(name, data)
		}
		if err == nil {
			continue
		}
		f := Finding{
			Kind: "assessor", Where: file, What: unreadable(err), Means: "it judges no model",
			Remedy: "repair sets it aside; train it again", fix: func(t *repair) error { return t.aside(file) },
		}
		if isReading(err) {
			f.Remedy, f.fix = untouched, nil
		}
		e.found("assessors", f)
	}
}

// thumbs decodes the thumbnails, which are a cache.
func (e *exam) thumbs() {
	for _, file := range e.inFolder(database.ThumbsFolder) {
		e.claim(file)
		if !strings.HasSuffix(file, database.ThumbSuffix) || e.ctx.Err() != nil {
			continue
		}
		e.count("thumbnails", 1)
		if _, err := store.ReadThumb(filepath.Join(e.Path, filepath.FromSlash(file))); err != nil {
			e.found("thumbnails", Finding{
				Kind: "thumbnail", Where: file, What: fmt.Sprintf("cannot be read (%v)", err),
				Means: "it is drawn anew each time", Litter: true, Remedy: "repair removes it",
				fix: func(t *repair) error { return t.remove(file) },
			})
		}
	}
}

// backups walks the pages of every backup, and of what migrations kept.
func (e *exam) backups() {
	files := e.inFolder(database.BackupsFolder)
	for name := range e.files {
		if strings.HasPrefix(name, database.File+".v") && !strings.HasSuffix(name, database.PartSuffix) {
			files = append(files, name)
		}
	}
	slices.Sort(files)
	for _, file := range files {
		e.claim(file)
		if e.ctx.Err() != nil || strings.HasSuffix(file, "-"+backup.ReplacedMark+backup.Suffix) {
			continue // what a restore put aside may be damaged: that is why
		}
		e.count("backups", 1)
		err := backup.Check(e.ctx, filepath.Join(e.Path, filepath.FromSlash(file)))
		if err == nil || e.live && errors.Is(err, fs.ErrNotExist) { // this process may have made room for a newer one
			continue
		}
		if e.ctx.Err() != nil {
			return
		}
		f := Finding{
			Kind: "backup", Where: file, What: "cannot be read", Means: "it cannot be restored",
			Remedy: "repair sets it aside", fix: func(t *repair) error { return t.aside(file) },
		}
		if isReading(err) {
			f.Remedy, f.fix = untouched, nil
		}
		e.found("backups", f)
	}
}

// loose finds files of the workspace's own folders that nothing names, and what killed writers
// have left.
func (e *exam) loose() {
	for _, file := range slices.Sorted(maps.Keys(e.files)) {
		if e.claimed[file] {
			continue
		}
		e.progress.Add(e.files[file])
		folder, _, _ := strings.Cut(file, "/")
		_, ours := database.FileKeyOf(file)
		f := Finding{
			Kind: "loose", Where: file, Means: "it takes " + store.SizeText(e.files[file]), Litter: true,
			Remedy: "repair sets it aside",
		}
		switch {
		case folder == database.AsideFolder:
			e.count("files set aside", 1)
			continue
		case file == database.OwnerFile:
			f.Kind, f.What, f.Means, f.Remedy = "owner", "was left by a process that was killed",
				"nobody has the workspace open", "repair removes it"
			f.fix = (*repair).nothing // closing the workspace takes it
		case strings.HasPrefix(folder, database.DraftPackage), strings.HasSuffix(file, database.PartSuffix) &&
			(folder == file || slices.Contains(ownFolders, folder)):
			if e.live { // this process may be writing it
				e.count("other files", 1)
				continue
			}
			f.Kind, f.What = "leftover", "was being written when a process was killed"
			f.fix = func(t *repair) error { return t.aside(file) }
		case ours:
			f.What = "is named by nothing"
			f.fix = func(t *repair) error { return t.aside(file) }
		default:
			e.count("other files", 1)
			continue
		}
		e.count("loose files", 1)
		e.found("loose files", f)
	}
}
