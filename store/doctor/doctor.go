// Package doctor examines workspaces, also those that do not open, and repairs them.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/journal"
	"github.com/variscope/variscope/store/pages"
)

// Finding is one thing that Examine found wrong with a workspace. What, Means and Remedy are
// clauses; Sentence joins them.
type Finding struct {
	Kind   string // for programs, such as "signal-file"
	Where  string // a file inside the workspace, or a record
	What   string // what is wrong
	Means  string // what follows from it
	Remedy string // what can be done
	// Litter does no harm: files that nothing names, what a killed process has left.
	Litter bool
	// Repairable says that Repair mends it.
	Repairable bool

	fix func(*repair) error
}

// Sentence is the finding for people.
func (f Finding) Sentence() string {
	return fmt.Sprintf("%s %s: %s; %s", f.Where, f.What, f.Means, f.Remedy)
}

// Checked is how many things of one kind were looked at, and how many findings there are about
// them.
type Checked struct {
	What         string
	Count, Found int
}

// Examination is what Examine says of a workspace.
type Examination struct {
	Path     string // of the folder
	Checked  []Checked
	Findings []Finding

	transaction int // the database's last one; a later one may have changed what was found
}

// Problems are the findings without the litter.
func (e Examination) Problems() []Finding {
	return slices.DeleteFunc(slices.Clone(e.Findings), func(f Finding) bool { return f.Litter })
}

// Litter are the findings that do no harm.
func (e Examination) Litter() []Finding {
	return slices.DeleteFunc(slices.Clone(e.Findings), func(f Finding) bool { return !f.Litter })
}

// exam is an examination under way.
type exam struct {
	Examination
	ctx context.Context
	db  *database.DB
	// source is the file in the folder that is read; live says that it is a copy, of a workspace
	// that is open.
	source   string
	live     bool
	tx       *database.Tx
	progress engine.Progress
	// files are those of the folder with their sizes; claimed are those that something names.
	files   map[string]int64
	claimed map[string]bool
	archive *archive
	// bad are the records that cannot be read, by bucket and key: nothing else is said of them.
	bad map[string]map[string]bool
}

// Examine checks everything of a workspace that can be checked, also of one that Open refuses, and
// changes nothing: the pages of the database, every record and what it refers to, every file that
// the database names with its hash, and files that nothing names. Nobody may have it open
// (*OpenElsewhereError). Progress counts the bytes of the folder's files. An error says that the
// examination itself failed; what is wrong with the workspace is in its result.
func Examine(ctx context.Context, path string, p engine.Progress) (Examination, error) {
	path, err := findFolder(path)
	if err != nil {
		return Examination{}, err
	}
	return newExam(ctx, path, p).examine()
}

func newExam(ctx context.Context, path string, p engine.Progress) *exam {
	return &exam{
		Examination: Examination{Path: path}, ctx: ctx, progress: p, source: database.File,
		claimed: map[string]bool{}, bad: map[string]map[string]bool{}, archive: newArchive(ctx, path),
	}
}

func (e *exam) examine() (Examination, error) {
	defer e.archive.close()
	if err := e.run(); err != nil {
		return e.Examination, fmt.Errorf("examine workspace %s: %w", database.NameOf(e.Path), err)
	}
	return e.Examination, nil
}

// findFolder finds the folder to examine. A workspace whose database is gone is one as long as it
// has any of the folders that go with it.
func findFolder(path string) (string, error) {
	found, err := database.Locate(path)
	if err == nil {
		return found, nil
	}
	for _, folder := range []string{found, database.WithSuffix(found)} {
		for _, inside := range []string{database.BackupsFolder, database.SignalsFolder, database.ModelsFolder} {
			if info, err := os.Stat(filepath.Join(folder, inside)); err == nil && info.IsDir() {
				return folder, nil
			}
		}
	}
	return found, err
}

func (e *exam) run() error {
	sound, err := e.openDatabase() // before the files are listed: whoever has it open may add some
	if err != nil {
		return err
	}
	if sound {
		defer func() { _ = e.db.Close() }()
	}
	if err := e.list(); err != nil {
		return err
	}
	e.claim(database.File)
	e.claim(journal.File)
	if e.live {
		e.claim(e.source)
		e.claim(database.OwnerFile)
	}
	if sound {
		if err := database.View(e.db, e.records); err != nil {
			return err
		}
	}
	e.assessors()
	e.thumbs()
	e.backups()
	if sound {
		e.loose()
	}
	return e.ctx.Err()
}

// list notes the files of the folder.
func (e *exam) list() error {
	list, err := database.ListFiles(e.ctx, e.Path, "")
	if err != nil {
		return err
	}
	e.files = make(map[string]int64, len(list))
	total := int64(0)
	for _, f := range list {
		e.files[f.Name] = f.Size
		total += f.Size
	}
	e.progress.SetTotal(total)
	return nil
}

// claim notes that something names a file; it is counted as done.
func (e *exam) claim(name string) {
	if !e.claimed[name] {
		e.claimed[name] = true
		e.progress.Add(e.files[name])
	}
}

// claimFolder notes that something names all files of a folder, as RemoveUnusedFiles has it.
func (e *exam) claimFolder(inside string) {
	for name := range e.files {
		if strings.HasPrefix(name, inside+"/") && !strings.HasSuffix(name, database.PartSuffix) {
			e.claim(name)
		}
	}
}

// count adds to what was looked at.
func (e *exam) count(what string, n int) {
	i := slices.IndexFunc(e.Checked, func(c Checked) bool { return c.What == what })
	if i < 0 {
		e.Checked = append(e.Checked, Checked{What: what})
		i = len(e.Checked) - 1
	}
	e.Checked[i].Count += n
}

// found reports a finding about things of a kind.
func (e *exam) found(what string, f Finding) {
	e.count(what, 0)
	for i := range e.Checked {
		if e.Checked[i].What == what {
			e.Checked[i].Found++
		}
	}
	f.Repairable = f.fix != nil
	e.Findings = append(e.Findings, f)
}

// openDatabase locks the database, walks its pages and opens it for reading. sound is false where
// there is no reading it; that is a finding.
func (e *exam) openDatabase() (sound bool, err error) {
	const what = "database pages"
	name := filepath.Join(e.Path, e.source)
	f, err := os.OpenFile(name, os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		e.damaged(what, "is not there")
		return false, e.ctx.Err()
	}
	if err != nil {
		return false, database.Classify(err)
	}
	if err := database.Lock(f, database.LockPatience); err != nil {
		_ = f.Close()
		if errors.Is(err, database.ErrLocked) {
			return false, database.OpenElsewhere(e.Path)
		}
		return false, err
	}
	var contradictions []error
	if err := pages.Check(e.ctx, f, func(problem error) {
		contradictions = append(contradictions, problem)
	}); err != nil {
		defer func() { _ = f.Close() }()
		e.damaged(what, "cannot be read ("+err.Error()+")")
		return false, e.ctx.Err()
	}
	for _, problem := range contradictions {
		e.contradicted(problem)
	}
	e.count(what, pages.Count(f))
	e.db, err = database.OpenReadOnly(f)
	if errors.Is(err, database.ErrLocked) {
		return false, database.OpenElsewhere(e.Path)
	}
	if err != nil {
		_ = f.Close()
		e.damaged(what, "cannot be opened ("+err.Error()+")")
		return false, e.ctx.Err()
	}
	return true, nil
}

// contradicted reports pages that say different things. bbolt reads the database all the same.
func (e *exam) contradicted(problem error) {
	e.found("database pages", Finding{
		Kind: "database", Where: database.File, What: fmt.Sprintf("contradicts itself (%v)", problem),
		Means: "later changes may overwrite what is in use", Remedy: "repair writes it anew",
		fix: (*repair).nothing, // every repair begins with it
	})
}

// damaged reports a database that cannot be read, with what Repair makes a new one of.
func (e *exam) damaged(what, how string) {
	c, ok := e.readJournal()
	backups, labels := e.archive.open(), countText(len(c.Rounds), len(c.Events))
	if !ok || e.ctx.Err() != nil {
		return
	}
	f := Finding{
		Kind: "database", Where: database.File, What: how, Means: "the workspace does not open",
		fix: (*repair).nothing, // every repair begins with it
	}
	switch {
	case len(backups) > 0:
		f.Remedy = fmt.Sprintf("repair takes the newest backup that can be read, and what it lacks of %s in %s",
			labels, journal.File)
	case len(c.Rounds)+len(c.Events) > 0:
		f.Remedy = fmt.Sprintf("there is no backup: "+
			"repair makes a new one of %s in %s, then import models and suites again", labels, journal.File)
	default:
		f.fix = nil
		f.Remedy = "no backup can be read, and " + journal.File +
			" has no label: take the folder from a backup of your own"
	}
	e.found(what, f)
}

// countText says how many rounds and label events there are.
func countText(rounds, events int) string {
	return result.Counted(rounds, "round") + " and " + result.Counted(events, "label event")
}

// readJournal reads the journal; one that cannot be read at all is a finding.
func (e *exam) readJournal() (c journal.Content, ok bool) {
	c, err := e.archive.journal()
	switch {
	case errors.Is(err, journal.ErrNewer):
		e.found("label events", Finding{
			Kind: "newer", Where: journal.File, What: "is of a newer form",
			Means: "a newer Variscope made it, and the workspace does not open here", Remedy: "update Variscope",
		})
	case err != nil && e.ctx.Err() == nil:
		e.found("label events", Finding{
			Kind: "journal", Where: journal.File, What: unreadable(err), Means: "the workspace may not open",
			Remedy: untouched,
		})
	}
	return c, err == nil
}

// journal finds what journal and database do not have in common.
func (e *exam) journal() {
	if e.live {
		e.archive.journalBytes = database.StoredEnd(e.tx) // it has grown since
	}
	c, ok := e.readJournal()
	if !ok || c.End == 0 && database.StoredEnd(e.tx) == 0 { // opening makes one
		return
	}
	d := database.Compare(e.tx, c)
	var what []string
	means := "it does not keep every label safe"
	if events := len(d.Records) - d.States; len(d.Records) > 0 {
		what = append(what, "has "+countText(d.States, events)+" that the database lacks")
		means = "labels are missing"
	}
	if d.Absent() {
		what = append(what, "lacks "+countText(d.Rounds, d.Events)+" of the database")
	}
	if c.Bad > 0 {
		what = append(what, fmt.Sprintf("has %s that cannot be read", result.Counted(c.Bad, "line")))
	}
	if len(what) > 0 {
		e.found("label events", Finding{
			Kind: "journal", Where: journal.File, What: strings.Join(what, " and "), Means: means,
			Remedy: "repair adds to each what it lacks", fix: func(t *repair) error { return t.w.SyncJournal(t.tx) },
		})
	}
}

// records checks what is in the database within one transaction.
func (e *exam) records(tx *database.Tx) error {
	e.tx, e.transaction = tx, tx.ID()
	if !e.schema() {
		return nil
	}
	e.forms()
	for _, part := range []func(){
		e.models, e.suites, e.signals, e.runs, e.journal, e.rounds, e.events, e.evidence, e.imageLabels, e.predictions,
		e.masks, e.keywords, e.selections, e.settings, e.counters,
	} {
		if err := e.ctx.Err(); err != nil {
			return err
		}
		part()
	}
	return nil
}

// schema checks the version and that every bucket is there; false says that the records cannot be
// judged.
func (e *exam) schema() bool {
	const what = "schema"
	e.count(what, 1)
	meta := database.Meta.In(e.tx)
	version := 0
	if meta != nil {
		version, _ = strconv.Atoi(string(meta.Get(database.KeySchema)))
	}
	switch {
	case version > database.SchemaVersion:
		e.found(what, Finding{
			Kind: "newer", Where: database.File, What: fmt.Sprintf("is of schema %d, this program reads up to %d",
				version, database.SchemaVersion),
			Means: "a newer Variscope made it, and its records cannot be judged here", Remedy: "update Variscope",
		})
		return false
	case version < 1:
		e.found(what, Finding{
			Kind: "schema", Where: database.File, What: "does not say its schema", Means: "the workspace does not open",
			Remedy: "repair tells it from the buckets that are there", fix: (*repair).basics,
		})
	case version < database.SchemaVersion:
		e.found(what, Finding{
			Kind: "older", Where: database.File, What: fmt.Sprintf("is of schema %d", version),
			Means:  "an older Variscope made it",
			Remedy: fmt.Sprintf("opening it brings it to schema %d and keeps a copy", database.SchemaVersion),
			Litter: true,
			fix:    (*repair).nothing, // every repair begins with it
		})
	}
	if meta == nil || len(meta.Get(database.KeyDesk)) == 0 {
		e.found(what, Finding{
			Kind: "desk", Where: database.File, What: "does not say which desk it is",
			Means:  "the workspace does not open",
			Remedy: "repair gives it a new one; labels keep the desk that made them", fix: (*repair).basics,
		})
	}
	if version == database.SchemaVersion {
		e.buckets()
	}
	return true
}

// buckets finds those that are missing.
func (e *exam) buckets() {
	for _, b := range database.AllBuckets() {
		if b.In(e.tx) != nil {
			continue
		}
		e.found("schema", Finding{
			Kind: "bucket", Where: database.File, What: fmt.Sprintf("has no %s", b.Name),
			Means: "the workspace does not open", Remedy: "repair makes an empty one and takes what backups have of it",
			fix: (*repair).basics,
		})
	}
}
