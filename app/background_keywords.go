package app

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/store/durable"
)

type backgroundKeywordsCommand struct {
	Source       string `arg:"" help:"Workspace, or a keyword table (.csv)."`
	Targets      string `help:"Suite of the targets, by name or hash (default: the workspace's current one)." placeholder:"SUITE"`
	Backgrounds  string `help:"Suite of the backgrounds, by name or hash." placeholder:"SUITE"`
	Masks        string `help:"Folder with the masks of the targets' foregrounds, to import; found by the targets' names." type:"path" placeholder:"DIR"`
	Copy         bool   `help:"Copy the masks into the workspace."`
	Table        string `help:"Keyword table that was made elsewhere, to import." type:"path" placeholder:"FILE.csv"`
	Segmentation string `help:"Segmentation network (.onnx): a logit per element and pixel." type:"path" placeholder:"FILE.onnx"`
	Scene        string `help:"Scene network (.onnx): a logit per kind of scene." type:"path" placeholder:"FILE.onnx"`
	Elements     string `help:"Names of the elements, one per line (default: class_names of the network's metadata)." type:"path" placeholder:"FILE"`
	Scenes       string `help:"Names of the scenes, one per line (default: class_names of the network's metadata)." type:"path" placeholder:"FILE"`
	ruleFlags
	Name string `help:"Name of the table in the workspace (default: that of its file, or keywords)."`
	Each bool   `help:"A row per image in place of one per keyword."`
	Out  string `help:"File to write the keyword table to." type:"path" placeholder:"FILE.csv"`
}

// keywordsReport is what background keywords prints with --json.
type keywordsReport struct {
	Table    *tableReport    `json:"table"` // null for a file that is in no workspace
	Masks    string          `json:"masks,omitempty"`
	Rule     background.Rule `json:"rule"`
	Images   int             `json:"images"`
	Elements []string        `json:"elements"`
	Scenes   []string        `json:"scenes"`
	Keywords []keywordCount  `json:"keywords"`
	PerImage perImage        `json:"per_image"`
	Without  []string        `json:"without_keywords"`
	Each     []imageKeywords `json:"each"`
}

type tableReport struct {
	Hash string `json:"hash"`
	Name string `json:"name"`
	Made string `json:"made"`
}

// keywordCount is in how many images a keyword is present.
type keywordCount struct {
	Keyword     string  `json:"keyword"`
	Images      int     `json:"images"`
	Share       float64 `json:"share"`
	Targets     int     `json:"targets"`
	Backgrounds int     `json:"backgrounds"`
}

// perImage is how many keywords images have.
type perImage struct {
	Min  int     `json:"min"`
	Mean float64 `json:"mean"`
	Max  int     `json:"max"`
}

type imageKeywords struct {
	File     string   `json:"file"`
	Kind     string   `json:"kind"`
	Label    string   `json:"label,omitempty"`
	Keywords []string `json:"keywords"`
}

func (c *backgroundKeywordsCommand) Run(s *session) error {
	if err := c.check(); err != nil {
		return err
	}
	var table background.Table
	var report keywordsReport
	var err error
	if suffixOf(c.Source) == ".csv" {
		table, err = readTable(c.Source)
	} else {
		table, err = c.ofWorkspace(s, &report)
	}
	if err != nil {
		return err
	}
	if err := report.fill(table, c.rule(table.Classes())); err != nil {
		return err
	}
	if c.Out != "" {
		if err := durable.WriteFile(c.Out, table.WriteTable); err != nil {
			return err
		}
	}
	return s.print(report, report.rows(c.Each))
}

// check refuses flags that do not go together.
func (c *backgroundKeywordsCommand) check() error {
	networks := c.Segmentation != "" || c.Scene != ""
	switch {
	case suffixOf(c.Source) == ".csv" && (networks || c.Table != "" || c.Targets+c.Backgrounds+c.Masks != ""):
		return usageError("a table says what its images contain already; networks, suites and masks go with a workspace")
	case networks && c.Table != "":
		return usageError("--table and networks are two ways to the same numbers; give one")
	case networks && (c.Segmentation == "" || c.Scene == ""):
		return usageError("two networks say what an image contains: --segmentation FILE.onnx and --scene FILE.onnx")
	case networks && c.Backgrounds == "":
		return usageError("networks need images: name the suites with --targets and --backgrounds")
	case !networks && c.Elements+c.Scenes != "":
		return usageError("--elements and --scenes name what networks find; a table has its names in its header")
	}
	return needFile(c.Out)
}

// ofWorkspace brings masks and a table in, or lets the networks make one; without either it is the
// table that is there.
func (c *backgroundKeywordsCommand) ofWorkspace(s *session, r *keywordsReport) (background.Table, error) {
	ws, err := s.open(c.Source)
	if err != nil {
		return background.Table{}, err
	}
	if c.Masks != "" {
		targets, err := suiteNamed(ws, c.Targets)
		if err != nil {
			return background.Table{}, err
		}
		set, err := masksOf(s, ws, targets, c.Masks, c.Copy)
		if err != nil {
			return background.Table{}, err
		}
		r.Masks = set.Hash
	}
	var record store.KeywordTable
	var table background.Table
	switch {
	case c.Table != "":
		if table, err = readTable(c.Table); err != nil {
			return table, err
		}
		record, err = ws.AddKeywords(c.name(c.Table), "file", table)
	case c.Segmentation != "":
		if table, err = c.understand(s, ws); err != nil {
			return table, err
		}
		made := filepath.Base(c.Segmentation) + " and " + filepath.Base(c.Scene)
		record, err = ws.AddKeywords(c.name("keywords"), made, table)
	default:
		if record, err = findTable(ws, c.Name); err != nil {
			return table, err
		}
		table, err = ws.Keywords(record.Hash)
	}
	r.Table = &tableReport{Hash: record.Hash, Name: record.Name, Made: record.Made}
	return table, err
}

func (c *backgroundKeywordsCommand) name(path string) string {
	if c.Name != "" {
		return c.Name
	}
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
}

// understand asks the two networks. What they said before an interrupt is kept, so that the same
// line goes on.
func (c *backgroundKeywordsCommand) understand(s *session, ws *store.Workspace) (background.Table, error) {
	var table background.Table
	targets, err := suiteNamed(ws, c.Targets)
	if err != nil {
		return table, err
	}
	backgrounds, err := suiteNamed(ws, c.Backgrounds)
	if err != nil {
		return table, err
	}
	n := scenes.Networks{Segmentation: c.Segmentation, Scene: c.Scene}
	if n.Elements, err = namesIn(c.Elements); err != nil {
		return table, err
	}
	if n.Scenes, err = namesIn(c.Scenes); err != nil {
		return table, err
	}
	masks, err := c.openMasks(s, ws, targets)
	if err != nil {
		return table, err
	}
	runtime, err := s.runtime()
	if err != nil {
		return table, err
	}
	err = withBar(s, "keywords", func(p engine.Progress) error {
		table, err = scenes.Understand(s.ctx, ws, runtime, n, targets, backgrounds, masks, p)
		return err
	})
	return table, err
}

// openMasks opens the targets' newest masks. Targets without masks have their foregrounds counted,
// which is said.
func (c *backgroundKeywordsCommand) openMasks(s *session, ws *store.Workspace, targets suite.Manifest) (*scenes.Masks, error) {
	list, err := ws.MaskSets(targets.Hash)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		fmt.Fprintf(s.stderr, "variscope: suite %s has no masks: the pixels of its foregrounds are counted, too\n", targets.Name)
		return nil, nil
	}
	return scenes.OpenMasks(s.ctx, ws, list[len(list)-1])
}

// namesIn are the lines of a file; none for "".
func namesIn(path string) ([]string, error) {
	if path == "" {
		return nil, nil
	}
	return scenes.ReadNames(path)
}

// fill counts keywords under a rule.
func (r *keywordsReport) fill(t background.Table, rule background.Rule) error {
	found, err := t.Keywords(rule)
	if err != nil {
		return err
	}
	r.Rule, r.Images, r.Elements, r.Scenes, r.Without = rule, len(t.Rows), t.Elements, t.Scenes, []string{}
	r.Keywords = make([]keywordCount, len(found.Items))
	counts := found.Count(t)
	for i, present := range found.Present {
		row := t.Rows[i]
		one := imageKeywords{File: row.File, Kind: row.Kind, Label: row.Label, Keywords: []string{}}
		for _, item := range present {
			one.Keywords = append(one.Keywords, found.Items[item])
		}
		r.Each = append(r.Each, one)
	}
	for _, i := range counts.Without {
		r.Without = append(r.Without, t.Rows[i].File)
	}
	r.PerImage = perImage{Min: counts.Min, Mean: counts.Mean, Max: counts.Max}
	for i, n := range counts.Items {
		r.Keywords[i] = keywordCount{
			Keyword: found.Items[i], Images: n.Images, Share: float64(n.Images) / float64(len(t.Rows)), Targets: n.Targets, Backgrounds: n.Backgrounds,
		}
	}
	return nil
}

func (r keywordsReport) rows(each bool) [][]string {
	rows := r.countRows()
	if each {
		rows = r.imageRows()
	}
	rows = append(rows, []string{fmt.Sprintf("%d images; keywords per image %d to %d, on average %.2f",
		r.Images, r.PerImage.Min, r.PerImage.Max, r.PerImage.Mean)})
	if len(r.Without) > 0 {
		rows = append(rows, []string{fmt.Sprintf("%d images without any keyword: %s", len(r.Without), result.Some(r.Without))})
	}
	if r.Table != nil {
		rows = append(rows, []string{fmt.Sprintf("table %s (%s), %s", r.Table.Name, r.Table.Made, r.Table.Hash)})
	}
	return rows
}

func (r keywordsReport) countRows() [][]string {
	rows := [][]string{{"keyword", "images", "share", "targets", "backgrounds"}}
	for _, k := range r.Keywords {
		rows = append(rows, []string{k.Keyword, fmt.Sprint(k.Images), decimals4(k.Share), fmt.Sprint(k.Targets), fmt.Sprint(k.Backgrounds)})
	}
	return rows
}

func (r keywordsReport) imageRows() [][]string {
	rows := [][]string{{"image", "kind", "label", "keywords"}}
	for _, one := range r.Each {
		words := make([]string, len(one.Keywords))
		for i, item := range one.Keywords {
			words[i] = scenes.PlainWord(item)
		}
		rows = append(rows, []string{one.File, one.Kind, orDash(one.Label), orDash(strings.Join(words, " "))})
	}
	return rows
}
