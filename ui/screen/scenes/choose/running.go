package choose

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/job"
	"github.com/variscope/variscope/ui/kit"
)

// running is which models run in the scenes.
type running struct {
	Which  string   `help:"Which models run: those without signals in these scenes, all, or some." enum:"missing,all,some" default:"missing" label:"Models"`
	Models []string `help:"The models that run." when:"which=some" label:"These"`
}

// askRun opens the form and starts what it says.
func (p *Page) askRun() *kit.Ask[running] {
	v := p.view
	if v.Record.Hash == "" {
		return nil
	}
	ask := &kit.Ask[running]{
		Title: fmt.Sprintf("Run models in the scenes of %s", v.Record.Name), Button: "Start",
		Size: fyne.NewSize(560, 340),
		Form: &kit.Form[running]{
			Host: p.Host, Forget: true, Own: v.someModels,
			Named: func(_, choice string) string {
				return map[string]string{
					"missing": fmt.Sprintf("without signals in these scenes (%d)", len(v.Models)-v.Ran()),
					"all":     fmt.Sprintf("all (%d)", len(v.Models)), "some": "these",
				}[choice]
			},
		},
		Start: func(f *kit.Form[running]) {
			if v.Ran() == len(v.Models) {
				_ = f.Put("which", "all")
			}
		},
		Line: func(o running) kit.Work[string] {
			text, err := p.cost(o)
			return func(context.Context, engine.Progress) (string, error) { return text, err }
		},
		Do: func(d *kit.Dialog, o running) {
			d.Close()
			if req, err := v.request(o); err != nil {
				p.Fail(err)
			} else {
				p.site.Compute(req)
			}
		},
	}
	ask.Open()
	return ask
}

// someModels asks for models, those that have run among them.
func (v *View) someModels(name string, take func(string)) kit.Part {
	if name != "models" {
		return kit.Part{}
	}
	field := option.Fields(&running{})[1]
	group := fynewidget.NewCheckGroup(nil, func(chosen []string) { take(field.Join(chosen)) })
	for _, m := range v.Models {
		group.Append(m.label())
	}
	list := container.NewVScroll(group)
	list.SetMinSize(fyne.NewSize(0, 5*group.MinSize().Height/float32(max(5, len(v.Models)))))
	return kit.Part{Object: list, Show: func(string) {}}
}

// label is a model in the list; ids are unique.
func (m Runnable) label() string {
	if m.Ready() {
		return m.ID + " (has run)"
	}
	return m.ID
}

// request is the run that is asked for.
func (v *View) request(o running) (job.Request, error) {
	family, err := v.Record.Family()
	req := job.Request{Suite: v.Record.Targets, Family: family} // without positions: CONF and HEAD
	for _, m := range v.Models {
		if o.Which == "all" || o.Which == "missing" && !m.Ready() || slices.Contains(o.Models, m.label()) {
			req.Models = append(req.Models, m.Hash)
		}
	}
	if err == nil && len(req.Models) == 0 {
		err = errors.New("choose at least one model")
	}
	return req, err
}

// cost says how much there is to run; the error is why nothing can be.
func (p *Page) cost(o running) (string, error) {
	if p.site.Runtime == nil {
		return "", errors.New(cmp.Or(p.site.Problem, "ONNX Runtime was not found"))
	}
	req, err := p.view.request(o)
	n, targets, scenes := len(req.Models), len(p.view.Record.Selection.Chosen), p.view.Record.N
	return fmt.Sprintf("%s on %s with %s each: %s. Signals of the softmax vector and of what the last layer sees; "+
		"what was computed before is not computed again.",
		result.Counted(n, "model"), result.Counted(targets, "target"), result.Counted(scenes, "composite"),
		result.Counted(int64(n)*int64(targets)*int64(scenes+1), "inference")), err
}
