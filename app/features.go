package app

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/variance"
)

type featuresCommand struct {
	Source     string   `arg:"" help:"Matrix (.npy), matrices (.npz), or workspace."`
	Reduced    string   `help:"The same matrix, or matrices, from 90 % of the images, for ssty." type:"path" placeholder:"FILE"`
	Tau        float64  `help:"Threshold of asv." default:"0.15" above:"0"`
	Profile    string   `help:"paper: the formulas as printed in ${ml4ml}; refcode: the arithmetic of its published code." enum:"paper,refcode" default:"paper"`
	Model      []string `name:"models" aliases:"model" help:"Models of the workspace, by id (default: all with signals)." placeholder:"ID"`
	Suite      string   `help:"Suite of the workspace, by name or hash (default: its current one)."`
	Family     string   `help:"Family, such as rotation:-15:15:1 (default: the workspace's current one)."`
	Modality   []string `name:"modalities" aliases:"modality" help:"Modalities, such as max@CONF (default: the five of ${ml4ml})." placeholder:"M"`
	Images     string   `help:"all, correct or wrong." enum:"all,correct,wrong" default:"all"`
	Class      int      `help:"Only images of this class (its number in the suite); -1 for all." default:"-1" min:"-1"`
	Share      float64  `help:"Share of the suite, drawn once from --seed." default:"1" above:"0" max:"1"`
	Seed       uint64   `help:"Seed of the share." default:"1"`
	Exclude    []int    `help:"Images to leave out, by number." placeholder:"N" min:"0"`
	Labels     string   `help:"Labels beside the features: labels_long.csv, labels_wide.csv, or a round of the workspace by name or id." placeholder:"FILE|ROUND"`
	Column     string   `help:"Labels beside the features: a column of the training records, such as rule_label."`
	Borderline string   `help:"Borderline labels: keep, leave (out), or count them as invariant or variant." enum:"keep,leave,invariant,variant" default:"keep"`
	Ties       bool     `help:"Ties of the annotators count as borderline."`
	Format     []string `help:"Tables to write: csv, parquet." default:"csv" enum:"csv,parquet"`
	Out        string   `help:"Folder for the tables." type:"path"`
}

func (c *featuresCommand) Run(s *session) error {
	if err := needFolder(c.Out); err != nil {
		return err
	}
	switch strings.ToLower(filepath.Ext(filepath.Clean(c.Source))) {
	case ".npy", ".npz":
		return c.ofMatrices(s)
	}
	if _, err := os.Stat(c.Source); err == nil && !meansWorkspace(c.Source) {
		return fmt.Errorf("%s is neither a matrix (.npy), matrices (.npz), nor a workspace (.variscope)", c.Source)
	}
	if c.Reduced != "" {
		return usageError("--reduced goes with a matrix; for a workspace the sub-sample is drawn from its signals")
	}
	return c.ofWorkspace(s)
}

// ofMatrices measures the matrices of a file.
func (c *featuresCommand) ofMatrices(s *session) error {
	if err := c.checkFile(); err != nil {
		return err
	}
	shelf, err := readShelf(c.Source)
	if err != nil {
		return err
	}
	reduced, err := c.readReduced(shelf)
	if err != nil {
		return err
	}
	list := make([]matrixFeatures, len(shelf.items))
	for i, it := range shelf.items {
		list[i].Model, list[i].Modality = it.model, it.modality
		m, err := feature.Measure(it.matrix, reduced[i], feature.Options{Tau: c.Tau, Profile: feature.Profile(c.Profile)})
		if err != nil {
			return fmt.Errorf("%s%s: %w", c.Source, inside(c.Source, it), err)
		}
		list[i].describe(m, feature.Profile(c.Profile), c.Tau)
	}
	if strings.EqualFold(filepath.Ext(c.Source), ".npz") {
		return s.print(list, matrixTable(list))
	}
	list[0].Model, list[0].Modality = "", "" // the file's name says nothing that is sure
	return s.print(list[0], list[0].table())
}

// checkFile refuses flags that choose what is computed, or labels: the matrices of a file are made
// already.
func (c *featuresCommand) checkFile() error {
	of := matrixCommand{Images: c.Images, Class: c.Class, Share: c.Share, Seed: c.Seed, Exclude: c.Exclude}
	switch {
	case c.Labels != "" || c.Column != "" || c.Out != "":
		return usageError("--labels, --column and --out go with a workspace")
	case c.Borderline != "keep" || c.Ties:
		return usageError("--borderline and --ties go with labels, and those with a workspace")
	case c.Suite+c.Family != "" || len(c.Model)+len(c.Modality) > 0 || !of.everyImage():
		return usageError("--models, --suite, --family, --modalities and the choice of images go with a workspace; a file is measured as it is")
	}
	return nil
}

// inside names a matrix of an archive.
func inside(source string, it item) string {
	if strings.EqualFold(filepath.Ext(source), ".npz") {
		return ": " + it.model + "/" + it.modality
	}
	return ""
}

// readReduced reads the reduced matrix of each item: the one of a .npy file, or that of the same
// name in an archive; nil where there is none.
func (c *featuresCommand) readReduced(of *shelf) ([]*variance.Matrix, error) {
	list := make([]*variance.Matrix, len(of.items))
	if c.Reduced == "" {
		return list, nil
	}
	reduced, err := readShelf(c.Reduced)
	if err != nil {
		return nil, err
	}
	single := len(reduced.items) == 1 && len(of.items) == 1
	found := false
	for i, it := range of.items {
		for _, r := range reduced.items {
			if !single && (r.model != it.model || r.modality != it.modality) {
				continue
			}
			if r.matrix.N != it.matrix.N {
				return nil, fmt.Errorf("%s is %d x %d, %s %d x %d; they must be of the same transformations",
					c.Reduced, r.matrix.N, r.matrix.N, c.Source, it.matrix.N, it.matrix.N)
			}
			list[i], found = &r.matrix, true
		}
	}
	if !found {
		return nil, errors.New(c.Reduced + " has none of the matrices of " + c.Source)
	}
	return list, nil
}

// matrixFeatures is what is printed of one matrix.
type matrixFeatures struct {
	Model    string          `json:"model,omitempty"`
	Modality string          `json:"modality,omitempty"`
	Profile  feature.Profile `json:"profile"`
	Tau      float64         `json:"tau"`
	Features named           `json:"features"`
	Extra    named           `json:"extra"`
	Flags    []feature.Flag  `json:"flags"`
}

func (f *matrixFeatures) describe(m feature.Measurement, profile feature.Profile, tau float64) {
	f.Profile, f.Tau, f.Flags = profile, tau, append([]feature.Flag{}, m.Flags...)
	for k, v := range m.Values {
		one := namedNumber{name: feature.Feature(k).String(), value: &v}
		if slices.Contains(m.Undefined, feature.Feature(k)) {
			one.value = nil
		}
		f.Features = append(f.Features, one)
	}
	if profile == feature.Paper {
		f.Extra = named{{"dctny_scale_free", &m.DctnyScaleFree}, {"asymm_mean", &m.AsymmMean}}
	}
}

// table is one row per feature.
func (f matrixFeatures) table() [][]string {
	rows := [][]string{{"feature", "value"}}
	for _, one := range slices.Concat(f.Features, f.Extra) {
		rows = append(rows, []string{one.name, one.text()})
	}
	for _, flag := range f.Flags {
		rows = append(rows, []string{"flag", string(flag)})
	}
	return rows
}

// matrixTable is one row per matrix.
func matrixTable(list []matrixFeatures) [][]string {
	header := []string{"model", "modality"}
	for _, one := range slices.Concat(list[0].Features, list[0].Extra) {
		header = append(header, one.name)
	}
	rows := [][]string{append(header, "flags")}
	for _, f := range list {
		row := []string{f.Model, f.Modality}
		for _, one := range slices.Concat(f.Features, f.Extra) {
			row = append(row, one.text())
		}
		rows = append(rows, append(row, flagTexts(f.Flags)))
	}
	return rows
}

func flagTexts(flags []feature.Flag) string {
	texts := make([]string, len(flags))
	for i, f := range flags {
		texts[i] = string(f)
	}
	return strings.Join(texts, " ")
}

// named are numbers by name, in an order of their own; in JSON an object, with null for a number
// that is undefined.
type named []namedNumber

type namedNumber struct {
	name  string
	value *float64
}

// MarshalJSON keeps the order.
func (n named) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, one := range n {
		if i > 0 {
			out.WriteByte(',')
		}
		text, err := json.Marshal(one.value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", one.name, err)
		}
		out.WriteString(strconv.Quote(one.name) + ":")
		out.Write(text)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// text is a number for people.
func (n namedNumber) text() string {
	if n.value == nil {
		return "-"
	}
	return strconv.FormatFloat(*n.value, 'g', 6, 64)
}
