package background

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/testdata"
)

func tableOf(files ...string) background.Table {
	var t background.Table
	for _, file := range files {
		t.Rows = append(t.Rows, background.Row{File: file, Kind: background.TargetKind})
	}
	return t
}

func suiteOf(files ...string) suite.Manifest {
	m := suite.Manifest{Name: "s", Format: suite.Folder, Images: len(files)}
	for _, file := range files {
		m.Files = append(m.Files, suite.File{Path: file})
	}
	return m
}

func TestMatch(t *testing.T) {
	for _, tt := range []struct {
		name          string
		table, images []string
		rows          []int
	}{
		{"equal", []string{"a/1.png", "a/2.png"}, []string{"a/2.png", "a/1.png"}, []int{1, 0}},
		{
			"folders more in the table",
			[]string{"targets/a/1.png", "targets/b/1.png"},
			[]string{"b/1.png", "a/1.png"},
			[]int{1, 0},
		},
		{"folders more in the suite", []string{"1.png", "b/2.png"}, []string{"x/y/b/2.png", "x/1.png"}, []int{1, 0}},
		{"the nearer of two", []string{"1.png", "a/1.png", "c/a/1.png"}, []string{"a/1.png"}, []int{1}},
		{"other slashes and dots", []string{`.\a\1.png`, "/b/./2.png"}, []string{"a/1.png", "b/2.png"}, []int{0, 1}},
	} {
		rows, err := match(tableOf(tt.table...), background.TargetKind, suiteOf(tt.images...))
		if err != nil || !slices.Equal(rows, tt.rows) {
			t.Errorf("%s: %v, %v; want %v", tt.name, rows, err, tt.rows)
		}
	}
	for _, tt := range []struct {
		table, images []string
		want          string
	}{
		{[]string{"a/1.png"}, []string{"b/1.png"}, "image b/1.png is not in the keyword table"},
		{[]string{"a/1.png"}, []string{"1.jpg"}, "image 1.jpg is not in"},
		{[]string{"a/11.png"}, []string{"1.png"}, "is not in"},
		{[]string{"a/1.png", "b/1.png"}, []string{"1.png"}, "fits several rows"},
		{[]string{"1.png"}, []string{"a/1.png", "b/1.png"}, "images a/1.png and b/1.png are both the row 1.png"},
	} {
		if rows, err := match(tableOf(tt.table...), background.TargetKind, suiteOf(tt.images...)); err == nil ||
			!strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v in %v: %v, %v; want %s", tt.images, tt.table, rows, err, tt.want)
		}
	}
	if _, err := match(tableOf("1.png"), background.BackgroundKind, suiteOf("1.png")); err == nil {
		t.Error("a target is matched as a background")
	}
}

var must = testdata.OK

// Editors put a byte order mark in front of a file; it is no part of the first name, nor does it
// hide a remark.
func TestReadLines(t *testing.T) {
	for name, text := range map[string]string{
		"plain": "sky\nsea\n", "remark": "# elements\n\n sky \r\nsea", "mark": "\ufeffsky\nsea\n",
		"mark and remark": "\ufeff# elements\nsky\nsea\n",
	} {
		path := filepath.Join(t.TempDir(), "names.txt")
		must(t, os.WriteFile(path, []byte(text), 0o600))
		if got, err := ReadNames(path); err != nil || !slices.Equal(got, []string{"sky", "sea"}) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}
