package intake

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/inventory"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/traininglog"
)

// LogOptions say how logs of training are taken in, as the command import takes them.
type LogOptions struct {
	Model   string `help:"Model that a log of training is of, by id (default: the one that the log's file or folder is named after, or lies beside)." placeholder:"ID" source:"models"`
	Replace bool   `help:"Let a log's curves and settings take the place of those in the model's record that differ." label:"replace what differs in the record"`
}

// holdsLog tells whether a log of training lies at a path: a file, or a folder with one. A suite,
// or a data set in parts, with event files somewhere in its folders is none.
func holdsLog(path string) bool {
	if traininglog.Recognise(path, false) != traininglog.None {
		return true
	}
	_, err := suite.Recognise(path)
	var parts *suite.PartsError
	images := !errors.Is(err, suite.ErrUnknown) || errors.As(err, &parts)
	return !images && traininglog.Recognise(path, true) != traininglog.None
}

// LogPlan says what the import of a log of training changes.
type LogPlan struct {
	Path   string
	Model  model.Model
	Log    traininglog.Log
	Change *store.Record // the record as it becomes, nil where nothing changes
	New    []string      // fields that the model did not have, each with its value
	Differ []string      // what the log says otherwise than the record, in words
}

// Details say what the log holds and what becomes of it, part by part.
func (p LogPlan) Details(replace bool) []string {
	list := []string{fmt.Sprintf("log of %s: %s", p.Log.Form, inventory.CurveText(p.Log.Curves, p.Log.Steps))}
	list = append(list, p.Log.Remarks...)
	if len(p.New) > 0 {
		list = append(list, "new in its record: "+strings.Join(p.New, ", "))
	}
	switch {
	case len(p.Differ) > 0 && replace:
		list = append(list, "replaced: "+strings.Join(p.Differ, ", "))
	case len(p.Differ) > 0:
		list = append(list, "kept as it was, unless what differs is to be replaced: "+strings.Join(p.Differ, ", "))
	case p.Change == nil:
		list = append(list, "nothing in it is new")
	}
	if len(p.Log.LeftOut) > 0 {
		list = append(list, "left out: "+strings.Join(p.Log.LeftOut, ", "))
	}
	return list
}

// PlanLog reads a log of training and works out what it changes of its model's record: curves and
// fields that the model lacks come in, others only with Replace. Nothing is stored.
func PlanLog(ctx context.Context, ws *store.Workspace, path string, o LogOptions) (LogPlan, error) {
	p := LogPlan{Path: path}
	var err error
	if p.Log, err = traininglog.Read(ctx, path); err != nil {
		return p, err
	}
	if p.Model, err = modelOf(ctx, ws, path, o.Model); err != nil {
		return p, err
	}
	record, changes := store.RecordOf(p.Model), false
	for _, f := range p.Log.Fields {
		have := p.Model.Value(f.Name)
		a, isA := result.Decimal(have)
		b, isB := result.Decimal(f.Value)
		switch {
		case have == f.Value || isA && isB && a == b:
			continue
		case have == "":
			p.New = append(p.New, f.Name+" "+f.Value)
		default:
			p.Differ = append(p.Differ, fmt.Sprintf("%s is %s, in the log %s", f.Name, have, f.Value))
		}
		if have == "" || o.Replace {
			record.Set(f.Name, f.Value)
			changes = true
		}
	}
	same := p.Model.Steps == p.Log.Steps && slices.EqualFunc(p.Model.Curves, p.Log.Curves,
		func(a, b model.Epoch) bool { return a.Epoch == b.Epoch && maps.Equal(a.Values, b.Values) })
	if len(p.Log.Curves) > 0 && !same {
		if len(p.Model.Curves) > 0 {
			p.Differ = append(p.Differ, "curves: there are "+inventory.CurveText(p.Model.Curves, p.Model.Steps))
		}
		if len(p.Model.Curves) == 0 || o.Replace {
			record.Curves = &model.Curves{Epochs: p.Log.Curves, Steps: p.Log.Steps}
			changes = true
		}
	}
	if changes {
		p.Change = &record
	}
	return p, nil
}

// Log imports a log of training, see PlanLog.
func Log(ctx context.Context, ws *store.Workspace, path string, o LogOptions) (Outcome, error) {
	p, err := PlanLog(ctx, ws, path, o)
	out := Outcome{What: "log", Name: p.Model.ID, Path: path, Details: p.Details(o.Replace), LeftOut: p.Log.LeftOut}
	if err != nil || p.Change == nil {
		return out, err
	}
	out.Changed, out.After = []string{p.Model.ID}, []store.Record{*p.Change}
	if out.Before, err = ws.PutRecords(out.After); err != nil {
		err = fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return out, err
}

// modelOf is the model that a log is of: the one that was named, that the log or its folder is
// named after, or whose file lies beside the log.
func modelOf(ctx context.Context, ws *store.Workspace, path, id string) (model.Model, error) {
	if id != "" {
		return ws.FindModel(id)
	}
	names, folders := traininglog.Names(path)
	for _, name := range names {
		m, err := ws.FindModel(name)
		if err == nil && m.ID == name {
			return m, nil
		}
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return m, err
		}
	}
	for _, folder := range folders {
		found := map[string]model.Model{}
		for _, file := range modelFiles(folder) {
			hash, err := Hash(ctx, func() (io.ReadCloser, error) { return outside.Open(file, outside.Model) })
			if err != nil {
				return model.Model{}, err
			}
			if m, err := ws.Model(hash); err == nil {
				found[hash] = m
			} else if !errors.Is(err, store.ErrNotFound) {
				return m, err
			}
		}
		for _, m := range found {
			if len(found) == 1 {
				return m, nil
			}
		}
	}
	return model.Model{},
		fmt.Errorf("%s: no model of this workspace has the name of this log or of its folder, nor does "+
			"the file of one alone lie beside it; name the model that it is of, or import the model first",
			filepath.Base(path))
}
