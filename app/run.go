package app

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/job"
)

type runCommand struct {
	Workspace     string   `arg:"" help:"Workspace folder."`
	Suite         string   `help:"Suite, by name or hash (default: the workspace's current one)."`
	Family        string   `help:"Family, such as rotation:-15:15:1 (default: the workspace's current one)."`
	Interpolation string   `help:"nearest, bilinear or bicubic; the same as ;interpolation=... in the family." enum:",nearest,bilinear,bicubic" default:""`
	Models        []string `help:"Models by id (default: all)." placeholder:"ID"`
	Positions     []string `help:"Positions inside the models." default:"CONF,CONV-1,CONV-2"`
	Modalities    []string `help:"Modalities; their positions are added, and vector ones (L2@CONV-1) keep pair distances." placeholder:"M"`
	Classes       string   `help:"Table of suite class and model class, where one holds only part of the other's." type:"existingfile" placeholder:"map.csv"`
	Batch         int      `help:"Images per inference (default: 32)."`
	Workers       int      `help:"Goroutines (default: one per processor)."`
	Out           string   `help:"Folder to write the report to, run.json and run.csv." type:"path"`
}

// runReport is what run prints with --json.
type runReport struct {
	Run       string        `json:"run"`
	Suite     string        `json:"suite"`
	Family    string        `json:"family"`
	Phase     engine.Phase  `json:"phase"`
	Skipped   int           `json:"skipped_images"`
	PerSecond float64       `json:"images_per_s"`
	Models    []modelReport `json:"models"`
}

type modelReport struct {
	ID       string       `json:"id"`
	Hash     string       `json:"hash"`
	Phase    engine.Phase `json:"phase"`
	Computed int64        `json:"computed"`
	Reused   int64        `json:"reused"`
	Accuracy *float64     `json:"accuracy"`
	Robust   *float64     `json:"robust_accuracy"`
	Error    string       `json:"error,omitempty"`
}

func (c *runCommand) Run(s *session) error {
	ws, err := s.open(c.Workspace)
	if err != nil {
		return err
	}
	req, err := c.request(ws)
	if err != nil {
		return err
	}
	report, err := runAndWait(s, ws, req, engine.Limits{Workers: c.Workers, Batch: c.Batch})
	if err != nil {
		return err
	}
	if err := s.report(c.Out, "run", report, report.rows()); err != nil {
		return err
	}
	return report.err()
}

func (c *runCommand) request(ws *store.Workspace) (job.Request, error) {
	req := job.Request{Batch: c.Batch}
	manifest, family, err := suiteAndFamily(ws, c.Suite, c.Family)
	if err != nil {
		return req, err
	}
	if c.Interpolation != "" {
		if family, err = transform.Parse(c.Family + ";interpolation=" + c.Interpolation); err != nil {
			return req, err
		}
	}
	req.Suite, req.Family = manifest.Hash, family.String()
	if req.Models, err = hashes(ws, c.Models); err != nil {
		return req, err
	}
	if req.Positions, req.Vectors, err = positions(c.Positions, c.Modalities); err != nil {
		return req, err
	}
	if c.Classes != "" {
		req.ClassMap, err = readClassMap(c.Classes)
	}
	return req, err
}

// positions adds the positions of the modalities to those asked for, CONF first, and picks the vector modalities.
func positions(asked, modalities []string) (names, vectors []string, err error) {
	names = []string{model.CONF}
	add := func(name string) {
		for _, n := range names {
			if n == name {
				return
			}
		}
		names = append(names, name)
	}
	for _, name := range asked {
		add(name)
	}
	for _, text := range modalities {
		m, err := signal.ParseModality(text)
		if err != nil {
			return nil, nil, err
		}
		add(m.Position)
		if m.Order != 0 {
			vectors = append(vectors, m.String())
		}
	}
	return names, vectors, nil
}

// runAndWait starts a run and shows its course until it has ended. An interrupt cancels the run; its finished units stay.
func runAndWait(s *session, ws *store.Workspace, req job.Request, limits engine.Limits) (runReport, error) {
	runtime, err := s.runtime()
	if err != nil {
		return runReport{}, err
	}
	eng := engine.New(runtime, ws, limits)
	bar := newBar(s.stderr, "run")
	defer bar.done()
	id, refused, err := job.Start(s.ctx, ws, eng, runtime, req, engine.NoProgress{})
	if err != nil {
		return runReport{}, errors.Join(err, eng.Close())
	}
	status, err := follow(s.ctx, eng, id, func(now engine.Status) { bar.show(now.Done, now.Total, now.Left) })
	if err = errors.Join(err, eng.Close()); err != nil {
		return runReport{}, err
	}
	return newRunReport(ws, status, refused), nil
}

// follow waits for a run to end and shows its course five times a second.
func follow(ctx context.Context, eng *engine.Engine, id string, show func(engine.Status)) (engine.Status, error) {
	ended := make(chan struct{})
	drawn := make(chan struct{})
	go func() {
		defer close(drawn)
		ticker := time.NewTicker(200 * time.Millisecond)
		defer ticker.Stop()
		for {
			select {
			case <-ended:
				return
			case <-ticker.C:
			}
			for _, status := range eng.Snapshot() {
				if status.ID == id {
					show(status)
				}
			}
		}
	}()
	status, err := eng.Wait(ctx, id)
	close(ended)
	<-drawn
	return status, err
}

func newRunReport(ws *store.Workspace, status engine.Status, refused []job.Refused) runReport {
	report := runReport{
		Run: status.ID, Suite: status.Suite, Family: status.Family, Phase: status.Phase, Skipped: status.Skipped, PerSecond: status.PerSecond,
	}
	for _, t := range status.Tasks {
		row := modelReport{ID: t.ID, Hash: t.Model, Phase: t.Phase, Computed: t.Done - t.Reused, Reused: t.Reused}
		if t.Err != nil {
			row.Error = t.Err.Error()
		}
		row.Accuracy, row.Robust = accuracies(ws, t.Model, status)
		report.Models = append(report.Models, row)
	}
	for _, r := range refused {
		report.Models = append(report.Models, modelReport{ID: r.ID, Hash: r.Model, Phase: engine.Failed, Error: r.Err.Error()})
	}
	return report
}

// accuracies are nil where nothing was computed or the suite has no labels.
func accuracies(ws *store.Workspace, hash string, status engine.Status) (plain, robust *float64) {
	m, err := ws.Model(hash)
	if err != nil {
		return nil, nil
	}
	manifest, err := ws.FindSuite(status.Suite)
	if err != nil {
		return nil, nil
	}
	summary, ok, err := ws.Summary(m, manifest.Hash, status.Family)
	if err != nil || !ok || len(summary.Accuracy) == 0 {
		return nil, nil
	}
	identity := summary.Accuracy[len(summary.Accuracy)/2]
	return &identity, &summary.Robust
}

func (r runReport) rows() [][]string {
	rows := [][]string{{"model", "state", "computed", "reused", "accuracy", "robust accuracy"}}
	for _, m := range r.Models {
		rows = append(rows, []string{m.ID, string(m.Phase), fmt.Sprint(m.Computed), fmt.Sprint(m.Reused), number(m.Accuracy), number(m.Robust)})
	}
	if r.Skipped > 0 {
		rows = append(rows, []string{fmt.Sprintf("%d corrupt images were left out of the suite", r.Skipped)})
	}
	return rows
}

func (r runReport) err() error {
	var reasons []string
	for _, m := range r.Models {
		if m.Error != "" {
			reasons = append(reasons, m.Error)
		}
	}
	if len(reasons) == 0 {
		return nil
	}
	return errors.New(strings.Join(reasons, "\n"))
}

func number(v *float64) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf("%.4f", *v)
}

// readClassMap reads a CSV of suite class and model class; a header of those words is passed over.
func readClassMap(path string) (map[string]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("class map %s: %w", path, err)
	}
	defer file.Close()
	reader := csv.NewReader(file)
	reader.FieldsPerRecord = 2
	rows, err := reader.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("class map %s: %w; it needs two columns, suite class and model class", path, err)
	}
	table := map[string]string{}
	for i, row := range rows {
		if i == 0 && strings.EqualFold(row[0], "suite") && strings.EqualFold(row[1], "model") {
			continue
		}
		table[row[0]] = row[1]
	}
	return table, nil
}
