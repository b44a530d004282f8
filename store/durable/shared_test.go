//go:build unix

package durable_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/durable"
)

// TestOpenRegular opens files, and nothing that would have to be waited for or leads elsewhere.
func TestOpenRegular(t *testing.T) {
	root := t.TempDir()
	at := func(name string) string { return filepath.Join(root, name) }
	for _, err := range []error{
		os.WriteFile(at("file"), []byte("content"), 0o600), os.Mkdir(at("folder"), 0o700),
		syscall.Mkfifo(at("pipe"), 0o600), os.Symlink(at("file"), at("link")),
		os.Symlink(at("nothing"), at("dangling")), os.Symlink("/dev/zero", at("device")),
	} {
		must(t, err)
	}
	for name, want := range map[string]string{
		"file": "", "folder": "it is no file", "pipe": "it is no file", "link": "a link lies in its place",
		"dangling": "a link lies in its place", "device": "a link lies in its place", "absent": "no such file",
	} {
		file, err := durable.OpenRegular(at(name))
		if want != "" {
			if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), at(name)) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		must(t, err)
		data, err := io.ReadAll(file)
		if string(data) != "content" || errors.Join(err, file.Close()) != nil {
			t.Errorf("%s: %q %v", name, data, err)
		}
	}
	testdata.Refused(t, "a device is opened", testdata.Err(durable.OpenRegular("/dev/zero")))
}

// TestWithinRefusesLinks, which Below follows.
func TestWithinRefusesLinks(t *testing.T) {
	root, elsewhere := t.TempDir(), t.TempDir()
	must(t, os.Symlink(elsewhere, filepath.Join(root, "link")))
	testdata.Refused(t, "Within", testdata.Err(durable.Within(root, "link", "in")), "a link lies in its place")
	if left, err := os.ReadDir(elsewhere); err != nil || len(left) > 0 {
		t.Errorf("%v %v", left, err)
	}
	testdata.Is(t, "Within", testdata.Must(durable.Within(root, "a", "b"))(t), filepath.Join(root, "a", "b"))
	must(t, testdata.Err(durable.Below(root, "link", "in")))
	must(t, os.WriteFile(filepath.Join(root, "file"), nil, 0o600))
	testdata.Refused(t, "Within", testdata.Err(durable.Within(root, "file")), "a file of this name")
}

// TestALinkInThePlaceOfADraft goes, and what it leads to stays as it is.
func TestALinkInThePlaceOfADraft(t *testing.T) {
	root := t.TempDir()
	victim, draft, path := filepath.Join(root, "victim"), filepath.Join(root, "draft"), filepath.Join(root, "file")
	must(t, os.WriteFile(victim, []byte("mine"), 0o600))
	must(t, os.Symlink(victim, draft))
	must(t, durable.Through(draft, path, text("content")))
	if data, err := os.ReadFile(victim); string(data) != "mine" {
		t.Errorf("the victim has %q, %v", data, err)
	}
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		t.Error(info, err)
	}
	if data, err := os.ReadFile(path); string(data) != "content" {
		t.Error(data, err)
	}
}
