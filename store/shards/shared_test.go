//go:build unix

package shards

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/durable"
)

// soon fails the test when something waits for ever.
func soon(t *testing.T, what string, do func()) {
	t.Helper()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		do()
	}()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Fatalf("%s: it waits", what)
	}
}

// TestPipesAndLinksInAPlan are refused like damaged files, in the place of each: nothing waits for
// them, and nothing that they lead to is read.
func TestPipesAndLinksInAPlan(t *testing.T) {
	b, f, want := whole(t)
	victim := f.all()[0]
	for what, put := range map[string]func(path string) error{
		"a pipe": func(path string) error { return syscall.Mkfifo(path, 0o600) },
		// to the very content that belongs there
		"a link":   func(path string) error { return os.Symlink(path+".kept", path) },
		"a device": func(path string) error { return os.Symlink("/dev/zero", path) },
	} {
		for _, name := range []string{
			manifestFile, modelName(victim.Model.SHA256), packName(victim.Images.SHA256),
			resultName(victim.Unit), failedName(victim.Unit),
		} {
			path := f.path(name)
			_, lstat := os.Lstat(path)
			there := lstat == nil
			if there {
				must(b, os.Rename(path, path+".kept"))
			}
			must(b, put(path))
			soon(t, what+" as "+name, func() {
				switch {
				case name == manifestFile:
					if _, err := Open(f.dir); err == nil || !strings.Contains(err.Error(), path) {
						t.Errorf("%s as manifest: %v", what, err)
					}
				case strings.HasPrefix(name, resultsFolder):
					if report := b.work(f, 1); report.Failed > 0 || name == resultName(victim.Unit) &&
						report.Computed != 1 {
						t.Errorf("%s as %s: %+v", what, name, report)
					}
				default:
					must(b, os.Rename(f.path(resultName(victim.Unit)), f.path(resultName(victim.Unit))+".kept"))
					if report := b.work(f, 1); report.Failed != 1 ||
						!strings.Contains(report.Failures[0].Reason, filepath.FromSlash(name)) {
						t.Errorf("%s as %s: %+v", what, name, report)
					}
					must(b, os.Rename(f.path(resultName(victim.Unit))+".kept", f.path(resultName(victim.Unit))))
				}
			})
			if there {
				must(b, os.Rename(path+".kept", path))
			}
		}
	}
	b.work(f, 1)
	b.same(f, want)
}

// TestAPlanBehindALink: a link as the plan's folder, as to a disk for scratch, stays and is
// followed; links in the place of folders of the plan are refused, and nothing is written to where
// they lead.
func TestAPlanBehindALink(t *testing.T) {
	b := newFixture(t, 5, "a")
	home := t.TempDir()
	link, scratch := filepath.Join(home, "plan"), filepath.Join(t.TempDir(), "scratch")
	must(b, os.Symlink(scratch, link))
	isLink := func() {
		t.Helper()
		if to, err := os.Readlink(link); err != nil || to != scratch {
			t.Errorf("the link leads to %q, %v", to, err)
		}
	}
	says(t, testdata.Err(b.write(link, b.request(), 1)), "leads nowhere")
	isLink()
	must(b, os.Mkdir(scratch, 0o755))
	for range 2 { // an empty folder, and the plan
		must(t, testdata.Err(b.write(link, b.request(), 1)))
		isLink()
	}
	if entries, err := os.ReadDir(home); err != nil || len(entries) != 1 {
		t.Errorf("%v %v", entries, err)
	}
	f := b.open(link)
	elsewhere := t.TempDir()
	must(b, os.Remove(f.path(resultsFolder)))
	must(b, os.Symlink(elsewhere, f.path(resultsFolder)))
	says(t, testdata.Err(f.Work(t.Context(), 1, b.by(1), engine.NoProgress{})), "a link lies in its place")
	says(t, testdata.Err(b.write(link, b.request(), 1)), "a link lies in its place")
	must(b, os.Remove(f.path(resultsFolder)))
	must(b, os.Rename(f.path(modelsFolder), filepath.Join(elsewhere, modelsFolder)))
	must(b, os.Symlink(filepath.Join(elsewhere, modelsFolder), f.path(modelsFolder)))
	if report := b.work(f, 1); report.Failed != 1 || !strings.Contains(report.Failures[0].Reason, "no link") {
		t.Errorf("%+v", report)
	}
	must(b, os.Remove(f.path(modelsFolder)))
	kept := filepath.Join(elsewhere, scriptFile)
	must(b, os.Rename(f.path(scriptFile), kept))
	must(b, os.Symlink(kept, f.path(scriptFile)))
	if out, err := b.write(link, b.request(), 1); err != nil || !slices.Contains(out.Brought, scriptFile) {
		t.Errorf("%+v %v", out, err)
	}
	if info, err := os.Lstat(f.path(scriptFile)); err != nil || !info.Mode().IsRegular() {
		t.Errorf("the script is %v, %v", info, err)
	}
	if report := b.work(f, 1); report.Computed != 1 {
		t.Errorf("%+v", report)
	}
	if status, _ := b.collect(f); status.Failed > 0 {
		t.Errorf("%+v", status)
	}
	isLink()
}

// TestNotesNameNoFolderBehindALink: errors of the system may name the folder that a link leads to.
func TestNotesNameNoFolderBehindALink(t *testing.T) {
	scratch := testdata.Must(filepath.EvalSymlinks(t.TempDir()))(t)
	scratch = filepath.Join(scratch, "a disk of jane doe")
	f := &Folder{dir: filepath.Join(t.TempDir(), "plan")}
	must(t, errors.Join(os.Mkdir(scratch, 0o755), os.Symlink(scratch, f.dir)))
	for _, dir := range []string{scratch, f.dir} {
		got := f.nameless("read " + filepath.Join(dir, "models", "aa.onnx") + ": no")
		if got != "read models/aa.onnx: no" {
			t.Errorf("%s: %q", dir, got)
		}
	}
}

// TestALinkThatComesMeanwhile into the place of the results is not followed: neither is a result
// or a note written to where it leads, nor is one removed there.
func TestALinkThatComesMeanwhile(t *testing.T) {
	for name, fails := range map[string]error{"a result": nil, "a note": errors.New("out of paper")} {
		b := newFixture(t, 5, "a")
		f := b.plan(b.request(), 1)
		elsewhere := t.TempDir()
		foreign := filepath.Join(elsewhere, filepath.Base(failedName(f.all()[0].Unit)))
		must(b, os.WriteFile(foreign, []byte("foreign"), 0o644))
		b.rt.OnRun = func(context.Context, engine.Feed, int64) error {
			path := f.path(resultsFolder)
			if info, err := os.Lstat(path); err == nil && info.IsDir() {
				must(b, errors.Join(os.Rename(path, path+".kept"), os.Symlink(elsewhere, path)))
			}
			return fails
		}
		report, err := f.Work(t.Context(), 1, b.by(1), engine.NoProgress{})
		if err == nil || !strings.Contains(err.Error(), "put the folder itself there, no link") ||
			report.Computed+report.Failed > 0 {
			t.Errorf("%s: %+v %v", name, report, err)
		}
		f.forget(f.all()[0].Unit)
		if got := files(t, elsewhere); len(got) != 1 || got[filepath.Base(foreign)] != "foreign" {
			t.Errorf("%s: %q lie where the link leads", name, got)
		}
	}
}

// TestADraftThatAnotherComputerRemoves is written again.
func TestADraftThatAnotherComputerRemoves(t *testing.T) {
	b := newFixture(t, 300, "a")
	f := b.plan(b.request(), 1)
	var renames atomic.Int64
	stop := durable.Watch(func(s durable.Step) error {
		if s.Op != durable.Rename || renames.Add(1) != 1 {
			return nil
		}
		drafts, err := filepath.Glob(filepath.Join(filepath.Dir(s.Path), ".*"+durable.PartSuffix))
		if err != nil || len(drafts) == 0 {
			t.Errorf("%v %v", drafts, err)
		}
		for _, draft := range drafts {
			must(b, os.Remove(draft))
		}
		return nil
	})
	defer stop()
	report, err := f.Work(context.Background(), 1, b.by(1), engine.NoProgress{})
	if err != nil || report.Computed != 2 || renames.Load() != 3 {
		t.Errorf("%+v %v after %d renames", report, err, renames.Load())
	}
}
