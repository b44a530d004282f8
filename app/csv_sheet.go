package app

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/variscope/variscope/engine/comma"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/durable"
)

// sheet is a CSV file: its columns, and what writes its rows.
type sheet struct {
	name string
	head []string
	fill func(row func(cells ...string) error) error
}

// save writes a sheet into a folder.
func (t sheet) save(folder string) error { return t.saveAs(filepath.Join(folder, t.name)) }

// saveAs writes a sheet as a file.
func (t sheet) saveAs(path string) error {
	return durable.WriteFile(path, func(w io.Writer) error {
		out := comma.NewWriter(w)
		if err := out.Write(t.head); err != nil {
			return err
		}
		if err := t.fill(func(cells ...string) error { return out.Write(cells) }); err != nil {
			return err
		}
		out.Flush()
		return out.Error()
	})
}

// digits writes a number with all its digits; an empty cell stands for what is undefined.
func digits(v *float64) string {
	if v == nil {
		return ""
	}
	return result.Number.Write(*v)
}

// unused is a name that no file has yet, also where capitals do not tell files apart: families
// that differ by their range alone share a name, and models that differ in what no file's name can
// hold.
func unused(taken map[string]bool, name string) string {
	free := name
	for n := 2; taken[strings.ToLower(free)]; n++ {
		free = fmt.Sprintf("%s_%d", name, n)
	}
	taken[strings.ToLower(free)] = true
	return free
}

// suffixOf is a path's ending.
func suffixOf(path string) string { return filepath.Ext(filepath.Clean(path)) }

func decimals4(v float64) string {
	return result.Number.Say(v, 4)
}
