package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/export"
	"github.com/variscope/variscope/store/training"
)

// dataFlags say which models an assess command works on and what their labels are.
type dataFlags struct {
	Source      string           `arg:"" help:"Workspace, or exported features: features.csv or features.parquet."`
	Suite       string           `help:"Suite of a workspace, by name or hash (default: the workspace's current one)."`
	Family      string           `help:"Family (default: that of the assessor, or the workspace's current one)."`
	Records     string           `help:"Training records of an exported table's models, models.csv." type:"existingfile" placeholder:"FILE"`
	Labels      string           `help:"Labels: labels_long.csv, labels_wide.csv, or a round of the workspace by name or id." placeholder:"FILE|ROUND"`
	Column      string           `help:"Labels: a column of the training records, such as rule_label."`
	Selection   string           `help:"Interpolated matrices of a selection of testing scenes, by name or hash, in place of variance matrices of a family." placeholder:"NAME"`
	Borderline  string           `help:"Borderline labels: keep (three classes; the default with --selection), leave (out; the default otherwise), or count them as invariant or variant." enum:",keep,leave,invariant,variant" default:""`
	Ties        bool             `help:"Ties of the annotators count as borderline."`
	SkipUnknown bool             `help:"Pass over labels of models that the source does not have."`
	opened      *store.Workspace `kong:"-"`
}

// want says what is measured and how models are marked.
type want struct {
	layout         feature.Layout
	chosen         bool   // the matrices of the layout were asked for; otherwise a table's own count
	images, family string // canonical texts; the family counts where no flag names another one
	holdout, group string // as in schemeFlags
}

// repository is what an assess command works on.
type repository struct {
	data   assess.Data
	left   []training.LeftOut
	ws     *store.Workspace // nil for a table
	family string           // canonical; empty for a table without --family
	images string
	scenes string // hash of the selection whose interpolated matrices are measured; empty for variance matrices
	suite  saved.Suite
	labels saved.Labels
}

// whole is what studies take parts of, in words.
func (r repository) whole() string {
	if r.scenes != "" {
		return "targets"
	}
	return "suite"
}

// gather measures the models of a workspace, or reads an exported table, and joins the labels. Rows without label stay in
// the data.
func (f dataFlags) gather(s *session, w want) (repository, error) {
	if f.Family == "" {
		f.Family = w.family
	}
	r := repository{images: w.images}
	if isWorkspace(f.Source) {
		f.Borderline = f.borderline(w.layout)
	}
	from, err := f.from(w)
	if err != nil {
		return r, err
	}
	r.labels = saved.Labels{Source: f.labelSource(), Borderline: f.Borderline, Counts: map[string]int{}}
	if isWorkspace(f.Source) {
		err = f.measure(s, &r, w.layout, from)
	} else {
		err = f.read(&r, w, from)
	}
	if err != nil {
		return r, err
	}
	r.labels.Borderline = f.borderline(r.data.Layout)
	for _, i := range r.data.Labelled() {
		r.labels.Counts[string(r.data.Rows[i].Label)]++
	}
	return r, f.refuseUnknown(r)
}

// from are the labels that the flags name, but for a round, which a workspace must resolve.
func (f dataFlags) from(w want) (training.Labels, error) {
	from := training.Labels{
		Column: f.Column, Ties: f.Ties, Borderline: training.Borderline(f.Borderline), Group: w.group, Researcher: true,
	}
	if f.Labels != "" && f.Column != "" {
		return from, usageError("labels come either from --labels or from --column")
	}
	if w.holdout != "" {
		column, value, ok := strings.Cut(w.holdout, "=")
		if !ok || column == "" || value == "" {
			return from, usageError("--holdout takes COLUMN=VALUE, such as fold=holdout")
		}
		from.HoldoutColumn, from.HoldoutValue = column, value
	}
	if f.labelFile() {
		from.File = f.Labels
	}
	return from, nil
}

// labelFile tells a file of labels from the name of a round.
func (f dataFlags) labelFile() bool {
	if f.Labels == "" {
		return false
	}
	info, err := os.Stat(f.Labels)
	return err == nil && !info.IsDir() || strings.EqualFold(filepath.Ext(f.Labels), ".csv")
}

// labelSource says in words where the labels come from.
func (f dataFlags) labelSource() string {
	switch {
	case f.Column != "":
		return "column " + f.Column
	case f.labelFile():
		return "file " + filepath.Base(f.Labels)
	case f.Labels != "":
		return "round " + f.Labels
	case !isWorkspace(f.Source):
		return "column final of " + filepath.Base(f.Source)
	}
	return ""
}

// measure fills the repository from a workspace.
func (f dataFlags) measure(s *session, r *repository, layout feature.Layout, from training.Labels) error {
	var err error
	if r.scenes, err = f.resolve(s, r, layout, &from); err != nil {
		return err
	}
	images, err := variance.ParseImages(r.images)
	if err != nil {
		return err
	}
	bar := newBar(s.stderr, "features")
	defer bar.done()
	ask := training.Ask{Suite: r.suite.Hash, Family: r.family, Selection: r.scenes, Layout: layout, Images: images}
	measured, left, err := training.Measure(s.ctx, r.ws, ask, nil, bar)
	if err != nil {
		return err
	}
	if len(measured) == 0 {
		return errors.Join(fmt.Errorf("no model of %s has features for suite %s and family %s", r.ws.Path(), r.suite.Name, r.family), leftError(left))
	}
	var unlabelled []training.LeftOut
	r.data, unlabelled, err = training.Label(r.ws, measured, layout, from)
	r.left = append(left, unlabelled...)
	return f.ownTable(err)
}

// ownTable says how labels come in whose table is none that Variscope writes.
func (f dataFlags) ownTable(err error) error {
	var table *export.TableError
	if errors.As(err, &table) && table.Line == 1 && f.labelFile() && table.File == filepath.Base(f.Labels) {
		return fmt.Errorf("%w; a table of your own with a column of labels is a table of records: variscope import WORKSPACE TABLE.csv, then --column NAME", err)
	}
	return err
}

// resolve finds workspace, suite, family and round that the flags name, and for interpolated matrices the selection of scenes.
func (f dataFlags) resolve(s *session, r *repository, layout feature.Layout, from *training.Labels) (selection string, err error) {
	if f.Records != "" {
		return "", usageError("--records goes with an exported table; a workspace has the records of its models")
	}
	if r.ws, err = f.workspace(s); err != nil {
		return "", err
	}
	if layout.OfBackground() {
		selection, err = f.resolveScenes(r.ws, r)
	} else {
		err = f.resolveFamily(r.ws, r)
	}
	if err != nil || f.Labels == "" || from.File != "" {
		return selection, err
	}
	round, err := findRound(r.ws, f.Labels)
	if err != nil {
		return "", err
	}
	s.warnSecret(round)
	from.Round, r.labels.Round, r.labels.Source = round.ID, round.ID, "round "+round.Name
	return selection, nil
}

// resolveFamily finds the suite and family whose variance matrices are measured.
func (f dataFlags) resolveFamily(ws *store.Workspace, r *repository) error {
	manifest, family, err := suiteAndFamily(ws, f.Suite, f.Family)
	if err != nil {
		return err
	}
	r.family, r.suite = family.String(), saved.Suite{Name: manifest.Name, Hash: manifest.Hash, Images: manifest.Images}
	return nil
}

// workspace is the source, opened once.
func (f dataFlags) workspace(s *session) (*store.Workspace, error) {
	if f.opened != nil {
		return f.opened, nil
	}
	return s.open(f.Source)
}

// leftError is the reasons why models were left out, nil without any.
func leftError(left []training.LeftOut) error {
	lines := leftLines(left)
	if len(lines) == 0 {
		return nil
	}
	return errors.New(strings.Join(lines, "\n"))
}

// read fills the repository from an exported table.
func (f dataFlags) read(r *repository, w want, from training.Labels) (err error) {
	if info, err := os.Stat(f.Source); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder, and neither a workspace (NAME.variscope) nor a table of features", f.Source)
	}
	if f.Suite != "" {
		return usageError("--suite goes with a workspace; an exported table has its features already")
	}
	if f.Selection != "" {
		return usageError("--selection goes with a workspace; an exported table has its features already")
	}
	if f.Labels != "" && from.File == "" {
		return fmt.Errorf("labels %s: there is no such file, and rounds are those of a workspace", f.Labels)
	}
	if f.Family != "" {
		family, err := transform.Parse(f.Family)
		if err != nil {
			return err
		}
		r.family = family.String()
	}
	if r.data, r.left, err = training.FromFile(f.Source, f.Records, from); err != nil {
		return f.ownTable(err)
	}
	wanted := r.data.Layout
	if w.chosen {
		wanted = w.layout
	}
	if err := selectMatrices(&r.data, wanted); err != nil {
		hint := "name the matrices that it has with --modalities"
		if w.chosen {
			hint = "the matrices " + strings.Join(wanted.Modalities, ", ") + " are needed"
		}
		return fmt.Errorf("%s %w; %s", f.Source, err, hint)
	}
	return nil
}

// selectMatrices keeps the columns of some matrices, in their order. How they were measured is for the table to say, but for the
// interpolants and measurements that an assessor needs.
func selectMatrices(d *assess.Data, wanted feature.Layout) error {
	layout := d.Layout
	layout.Modalities = wanted.Modalities
	if wanted.OfBackground() && layout.OfBackground() {
		layout.Background.Interpolants, layout.Background.Set = wanted.Background.Interpolants, wanted.Background.Set
	}
	var missing string
	for _, name := range layout.Names() {
		if !slices.Contains(d.Names, name) {
			missing = name
			break
		}
	}
	if missing != "" {
		return fmt.Errorf("has no column %s", missing)
	}
	var err error
	*d, err = d.Select(layout)
	return err
}

// refuseUnknown is an error when a source of labels speaks of models that nobody knows.
func (f dataFlags) refuseUnknown(r repository) error {
	if f.SkipUnknown {
		return nil
	}
	var unknown []string
	for _, l := range r.left {
		if !r.knows(l) {
			unknown = append(unknown, l.ID)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	return fmt.Errorf("%s has labels of models that are not in %s: %s; bring those models, take them out of the labels, "+
		"or pass over them with --skip-unknown", r.labels.Source, f.Source, few(unknown))
}

// knows tells whether a model that was left out is in the data or in the workspace.
func (r repository) knows(l training.LeftOut) bool {
	if slices.ContainsFunc(r.data.Rows, func(row assess.Row) bool {
		return l.Hash != "" && row.Hash == l.Hash || (l.Hash == "" || row.Hash == "") && row.ID == l.ID
	}) {
		return true
	}
	if r.ws == nil {
		return false
	}
	if l.Hash != "" {
		_, err := r.ws.Model(l.Hash)
		return err == nil
	}
	_, err := r.ws.FindModel(l.ID)
	return err == nil
}

// few lists names, the first ones and how many more there are.
func few(names []string) string {
	const most = 5
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// leftLines say which models take no part, one line per reason.
func leftLines(left []training.LeftOut) []string {
	var reasons []string
	ids := map[string][]string{}
	for _, l := range left {
		if ids[l.Reason] == nil {
			reasons = append(reasons, l.Reason)
		}
		ids[l.Reason] = append(ids[l.Reason], l.ID)
	}
	lines := make([]string, len(reasons))
	for i, reason := range reasons {
		lines[i] = fmt.Sprintf("%d of the models take no part: %s (%s)", len(ids[reason]), reason, few(ids[reason]))
	}
	return lines
}

// needLabels refuses data of which nothing can be learned.
func (f dataFlags) needLabels() error {
	if f.Labels == "" && f.Column == "" && isWorkspace(f.Source) {
		return usageError("say where the labels come from: --labels FILE|ROUND or --column NAME")
	}
	return nil
}

// refuseUnlabelled is an error when a table was to bring its own labels and has none.
func (f dataFlags) refuseUnlabelled(r repository) error {
	if f.Labels != "" || f.Column != "" || len(r.data.Labelled()) > 0 {
		return nil
	}
	return fmt.Errorf("column final of %s is empty; say where the labels come from: --labels FILE, or --records models.csv and --column NAME", f.Source)
}

// leftReport is a model that takes no part, as --json shows it.
type leftReport struct {
	ID     string `json:"id"`
	Hash   string `json:"hash,omitempty"`
	Reason string `json:"reason"`
}

func leftReports(left []training.LeftOut) []leftReport {
	list := make([]leftReport, len(left))
	for i, l := range left {
		list[i] = leftReport{l.ID, l.Hash, l.Reason}
	}
	return list
}
