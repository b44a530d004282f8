// Package ratings reads tables in which people say what they think of items, as other programs
// write them: an item in a row and a rater in a column; an item, a rater and a label in a row; or
// the JSON of Label Studio. It finds out which words stand for which labels.
package ratings

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/variscope/variscope/engine/outside"
)

// The limits on what is read.
const (
	maxItems  = 1 << 20
	maxRaters = 256 // every pair of them is compared
	maxWords  = 64  // of one table, different ones
	maxCell   = 1 << 10
)

// Table is the ratings of one round, or of a table that names none.
type Table struct {
	Name   string // of the file, without its ending
	Round  string // id of a round that the file names; "" for none
	Items  []string
	Raters []string
	// Words are raters x items, as they stand in the file without spaces around them; "" where a
	// rater says nothing.
	Words [][]string
	// Notes say in words how the file was read and what of it is left out.
	Notes []string
}

// Read reads a table of ratings. It is JSON of Label Studio where it begins with a bracket, else
// CSV in any of the forms of comma.Foreign. Errors name the file, the line or task, and what is
// wrong. A Label Studio file that Variscope wrote has a table per round.
func Read(path string) ([]Table, error) {
	tables, err := read(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	for k := range tables {
		tables[k].Name = name
	}
	return tables, nil
}

func read(path string) ([]Table, error) {
	f, err := outside.Open(path, outside.Table)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	in := bufio.NewReader(f)
	start, _ := in.Peek(256) // an error comes again when it is read
	if start = bytes.TrimLeft(bytes.TrimPrefix(start, []byte("\ufeff")), " \t\r\n"); len(start) > 0 &&
		(start[0] == '[' || start[0] == '{') {
		return readStudio(in)
	}
	t, err := readTable(in)
	if err != nil {
		return nil, err
	}
	return []Table{t}, nil
}

// collect puts ratings together that come one by one.
type collect struct {
	items, raters map[string]int
	table         Table
	given         map[[2]int]string
}

func newCollect(round string) *collect {
	return &collect{
		items: map[string]int{}, raters: map[string]int{}, table: Table{Round: round}, given: map[[2]int]string{},
	}
}

// add adds a rating; a second one of the same rater and item must be the same word.
func (c *collect) add(item, rater, word string) error {
	switch {
	case item == "":
		return errors.New("the item has no name")
	case rater == "":
		return errors.New("the rater has no name")
	case len(item) > maxCell || len(rater) > maxCell || len(word) > maxCell:
		return fmt.Errorf("a text is longer than %d bytes; that is no table of ratings", maxCell)
	}
	i, r := place(c.items, &c.table.Items, item), place(c.raters, &c.table.Raters, rater)
	switch at := [2]int{r, i}; {
	case len(c.table.Items) > maxItems:
		return fmt.Errorf("there are more than %d items", maxItems)
	case len(c.table.Raters) > maxRaters:
		return fmt.Errorf("there are more than %d raters", maxRaters)
	case missing(word):
	case c.given[at] != "" && !strings.EqualFold(c.given[at], word):
		return fmt.Errorf("rater %s gives item %s two labels, %s and %s; keep one of them",
			rater, item, c.given[at], word)
	default:
		c.given[at] = strings.Clone(word)
	}
	return nil
}

// place is the number of a name, a new one where it is new.
func place(known map[string]int, list *[]string, name string) int {
	at, ok := known[name]
	if !ok {
		name = strings.Clone(name)
		at = len(*list)
		known[name], *list = at, append(*list, name)
	}
	return at
}

// done is the table of what was added.
func (c *collect) done() (Table, error) {
	t := c.table
	if len(c.given) == 0 {
		return t, errors.New("it holds no labels")
	}
	t.Words = make([][]string, len(t.Raters))
	for r := range t.Words {
		t.Words[r] = make([]string, len(t.Items))
	}
	for at, word := range c.given {
		t.Words[at[0]][at[1]] = word
	}
	return t, nil
}

// missing tells whether a cell says that there is no label.
func missing(word string) bool {
	switch strings.ToLower(word) {
	case "", "na", "n/a", "#n/a", "<na>", "nan", "null", "missing", "-", "--", ".", "?":
		return true
	}
	return false
}

// The names of columns (csvfile.Named), those that are preferred first.
var (
	itemNames = []string{
		"item", "model_id", "model", "item_id", "subject", "unit", "task", "task_id", "image",
		"filename", "file", "path", "name", "id",
	}
	raterNames = []string{
		"rater", "annotator", "coder", "judge", "labeler", "labeller", "reviewer", "user", "worker",
		"worker_id", "annotator_id", "rater_id", "completed_by",
	}
	labelNames = []string{
		"label", "labels", "rating", "choice", "choices", "class", "category", "answer", "verdict",
		"code", "score", "value", "annotation",
	}
	// besideNames are columns that are no raters.
	besideNames = []string{
		"note", "notes", "comment", "comments", "remark", "remarks", "majority", "final", "consensus", "date", "time",
		"timestamp", "round", "round_id", "hash", "model_hash", "sha256", "seconds", "lead_time", "created_at",
		"updated_at", "annotation_id",
	}
)
