// Package traininglog reads what programs write down while they train a model: event files of
// TensorBoard, the CSV tables of Lightning and Keras, and trainer_state.json of transformers. Each
// becomes a Log: curves over epochs or steps, and fields of a training record.
package traininglog

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"gopkg.in/yaml.v3"

	"github.com/variscope/variscope/engine/csvfile"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/result"
)

// Log is what a log says of one training.
type Log struct {
	Form    Form
	Curves  []model.Epoch // ascending
	Steps   bool          // the numbers of Curves count steps of the training, not epochs
	Fields  []model.Field // of the training record, under the names that records usually have
	Remarks []string      // how the log was taken where it does not say
	LeftOut []string      // what was not taken, each with the reason
}

// Form is a kind of log, in words.
type Form string

// The forms. None is what is no log.
const (
	None         Form = ""
	TensorBoard  Form = "TensorBoard"
	Lightning    Form = "Lightning"
	Keras        Form = "Keras"
	Transformers Form = "transformers"
)

// stateFile, metricsFile and hparamsFile are the names that transformers and Lightning give.
const (
	stateFile   = "trainer_state.json"
	metricsFile = "metrics.csv"
	hparamsFile = "hparams.yaml"
)

// Recognise tells what kind of log lies at a path: a file, or a folder with one. With deep, event
// files may lie in any folder below it, else in it or in its folders for training and validation.
// It reads no more than a header. The event files of several trainings are TensorBoard, too: Read
// says what to do.
func Recognise(path string, deep bool) Form {
	form, _, _ := find(context.Background(), path, deep)
	return form
}

// find is the form of the log at a path, and its files.
func find(ctx context.Context, path string, deep bool) (Form, []string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return None, nil, err
	}
	if !info.IsDir() {
		return formOf(path), []string{path}, nil
	}
	events, err := eventFiles(ctx, path, deep)
	if len(events) > 0 {
		return TensorBoard, events, err
	}
	for _, name := range []string{stateFile, metricsFile} {
		inside := filepath.Join(path, name)
		if form := formOf(inside); form != None {
			return form, []string{inside}, nil
		}
	}
	return None, nil, err
}

// formOf is the form of a file, by its name and its first bytes.
func formOf(path string) Form {
	name := strings.ToLower(filepath.Base(path))
	in, err := outside.Open(path, outside.Log)
	if err != nil {
		return None
	}
	defer func() { _ = in.Close() }()
	switch {
	case strings.HasSuffix(name, stateFile):
		return Transformers
	case strings.HasSuffix(name, ".csv"):
		header, err := csvfile.Foreign(in).Read()
		if err != nil {
			return None
		}
		return formOfTable(header)
	case strings.Contains(name, "tfevents"):
		return TensorBoard
	}
	return None
}

// Read reads the log at a path: a file, or a folder that holds one.
func Read(ctx context.Context, path string) (Log, error) {
	b := builder{curves: map[curve][]point{}, again: map[string][]int64{}}
	form, files, err := find(ctx, path, true)
	if err != nil {
		return b.Log, err
	}
	b.Form = form
	switch form {
	case TensorBoard:
		err = b.events(ctx, path, files)
	case Lightning, Keras:
		err = b.table(ctx, files[0])
	case Transformers:
		err = b.state(ctx, files[0])
	default:
		return b.Log, fmt.Errorf("%s is no log of training; take an event file of TensorBoard (events.out.tfevents…) "+
			"or its folder, a table of Lightning or Keras with a column epoch or step and a loss or accuracy, or %s",
			filepath.Base(path), stateFile)
	}
	if err != nil {
		return Log{}, err
	}
	if len(files) > 0 && (form == TensorBoard || form == Lightning) {
		b.hparams(filepath.Join(filepath.Dir(files[0]), hparamsFile))
	}
	b.finish()
	if len(b.Curves) == 0 && len(b.Fields) == 0 {
		return Log{}, fmt.Errorf("%s has neither curves nor settings of a training yet", filepath.Base(path))
	}
	return b.Log, nil
}

// hparams reads Lightning's file of settings beside a log, where there is one.
func (b *builder) hparams(path string) {
	data, err := outside.Read(path, outside.Settings)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	var doc yaml.Node
	if err == nil && len(data) > mostTexts {
		err = fmt.Errorf("it is longer than %s bytes", result.Whole(mostTexts))
	} else if err == nil {
		err = yaml.Unmarshal(data, &doc)
	}
	if err != nil {
		b.leave(hparamsFile, "it cannot be read: "+strings.TrimPrefix(outside.Sentence(err), "yaml: "))
		return
	}
	b.settings("", &doc, true, 0)
}

// mostFields is how many settings of one log are taken, longestField how many letters one may
// have, mostDepth how deep they may be nested.
const (
	mostFields   = 300
	longestField = 400
	mostDepth    = 6
)

// settings takes the settings of a YAML or JSON document as fields: nested ones with their path
// as name, lists of single values as one text. Without all only those with a well-known name
// are taken.
func (b *builder) settings(name string, node *yaml.Node, all bool, depth int) {
	switch {
	case depth > mostDepth:
		b.leave(name, "it is nested too deep")
	case node.Kind == yaml.DocumentNode && len(node.Content) > 0:
		b.settings(name, node.Content[0], all, depth)
	case node.Kind == yaml.MappingNode:
		for k := 0; k+1 < len(node.Content); k += 2 {
			key := node.Content[k].Value
			if name != "" {
				key = name + "." + key
			}
			b.settings(key, node.Content[k+1], all, depth+1)
		}
	case node.Kind == yaml.ScalarNode && node.ShortTag() != "!!null":
		b.field(name, node.Value, all)
	case node.Kind == yaml.SequenceNode:
		var texts []string
		for _, one := range node.Content {
			if one.Kind != yaml.ScalarNode {
				b.leave(name, "it is a list of more than single values")
				return
			}
			texts = append(texts, one.Value)
		}
		b.field(name, strings.Join(texts, ";"), all)
	}
}

// field takes a setting as a field of the record. One that would change how the model is run, or
// that a record has a column of its own for, is left out.
func (b *builder) field(name, value string, all bool) {
	name = strings.ToValidUTF8(strings.TrimSpace(name), "\ufffd")
	value = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(value, "\ufffd")))
	last := name[strings.LastIndexAny(name, "./")+1:]
	usual := usualFields[strings.ReplaceAll(strings.ToLower(last), "-", "_")]
	has := func(name string) bool {
		return slices.ContainsFunc(b.Fields, func(f model.Field) bool { return f.Name == name })
	}
	if usual == "" || has(usual) {
		if !all {
			return
		}
		usual = name
	}
	switch {
	case value == "" || usual == "" || has(usual):
	case model.IsSetting(usual):
		b.leave(name, "a record's field of this name says how the model is run")
	case slices.Contains([]string{"id", "file", "model_hash"}, usual):
		b.leave(name, "a record has no field of this name")
	case len(usual) > longestField || len(value) > longestField:
		b.leave(name, fmt.Sprintf("it has more than %d letters", longestField))
	case outside.Visible(usual) != usual:
		b.leave(name, "its name holds what is not seen")
	case len(b.Fields) == mostFields:
		b.leave(name, fmt.Sprintf("more than %d settings are not taken", mostFields))
	default:
		b.Fields = append(b.Fields, model.Field{Name: usual, Value: value})
	}
}

// remark notes how the log was taken.
func (b *builder) remark(text string) { b.Remarks = append(b.Remarks, text) }

// leave notes what is left out, up to a number of them. Of a long name it is the beginning.
func (b *builder) leave(what, why string) {
	const most, longest = 50, 60
	what = outside.Visible(what[:min(len(what), 4*longest)])
	if letters := []rune(what); len(letters) > longest {
		what = string(letters[:longest-1]) + "…"
	}
	text := fmt.Sprintf("%s (%s)", what, why)
	switch {
	case slices.Contains(b.LeftOut, text) || len(b.LeftOut) > most:
	case len(b.LeftOut) == most:
		b.LeftOut = append(b.LeftOut, "and more")
	default:
		b.LeftOut = append(b.LeftOut, text)
	}
}

// passing are folders that programs make within the folder of a training: they bear no name of
// their own.
var passing = regexp.MustCompile(`(?i)^(version_\d+|checkpoint-\d+|[\d.]+|[a-z]{3}\d\d_\d\d-\d\d-\d\d.*|` +
	`lightning_logs|tb_logs|csv_logs|logs?|runs|tensorboard|train|training|val|valid|validation|eval|test)$`)

// Names are what the model of the log at a path may be called by: the names of its file, without
// one ending after the other, and of its folder; folders that programs name themselves are passed.
// Folders are those of which a model's file may lie beside the log.
func Names(path string) (names, folders []string) {
	full, err := filepath.Abs(path)
	if err != nil {
		full = path
	}
	folder := full
	if info, err := os.Stat(full); err == nil && !info.IsDir() {
		for name := filepath.Base(full); name != ""; {
			names = append(names, name)
			short := strings.TrimSuffix(name, filepath.Ext(name))
			if short == name {
				break
			}
			name = short
		}
		folder = filepath.Dir(full)
	}
	for {
		names, folders = append(names, filepath.Base(folder)), append(folders, folder)
		above := filepath.Dir(folder)
		if above == folder || !passing.MatchString(filepath.Base(folder)) {
			return names, folders
		}
		folder = above
	}
}
