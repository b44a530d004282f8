package command

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// The version stands in the code, in FyneApp.toml, in the newest entry of the change log and in
// what software centres read.
func TestTheVersionIsTheSameEverywhere(t *testing.T) {
	for file, pattern := range map[string]string{
		"FyneApp.toml":                           `(?m)^ *Version = "([^"]+)"`,
		"CHANGELOG.md":                           `(?m)^## \[?([0-9][^\] ]*)`,
		"scripts/package/variscope.metainfo.xml": `<release version="([^"]+)"`,
		"scripts/package/Info.plist":             `ShortVersionString</key>\s*<string>([^<]+)`,
	} {
		text := mustRead(t, file)
		found := regexp.MustCompile(pattern).FindSubmatch(text)
		if len(found) == 0 || string(found[1]) != Version {
			t.Errorf("%s says %q, the program %q", file, found, Version)
		}
	}
	if id := regexp.MustCompile(`ID = "([^"]+)"`).FindSubmatch(mustRead(t, "FyneApp.toml")); len(id) == 0 ||
		string(id[1]) != ID {
		t.Errorf("FyneApp.toml has the id %q, the program %q", id, ID)
	}
}

func mustRead(t *testing.T, name string) []byte {
	t.Helper()
	return testdata.Must(os.ReadFile(filepath.Join(testdata.Root(), filepath.FromSlash(name))))(t)
}

func TestTablesOfTheProgram(t *testing.T) {
	if err := errors.Join(parts.Check(), demos.Check()); err != nil {
		t.Error(err)
	}
}

func TestBuildOf(t *testing.T) {
	kept, keptDate := commit, committed
	t.Cleanup(func() { commit, committed = kept, keptDate })
	checkout := &debug.BuildInfo{Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "0123456789abcdef0123456789abcdef01234567"},
		{Key: "vcs.time", Value: "2026-11-23T05:36:07Z"},
		{Key: "vcs.modified", Value: "true"},
	}}
	for _, c := range []struct {
		commit, committed string
		info              *debug.BuildInfo
		want              string
	}{
		{"aaaabbbbcccc", "2025-01-02T03:04:05Z", checkout, "commit aaaabbbbcccc of 2025-01-02"},
		{"", "", checkout, "commit 0123456789ab+changes of 2026-11-23"},
		{"", "", &debug.BuildInfo{}, "unknown sources"},
		{"", "", nil, "unknown sources"},
	} {
		commit, committed = c.commit, c.committed
		if got := buildOf(c.info).String(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
