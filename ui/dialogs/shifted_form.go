package dialogs

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/region"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/ui/background"
)

// ShiftForm is what is chosen of corruptions and of padded translation.
type ShiftForm struct {
	Corruptions []string // names, in the order of the list
	Severities  []int
	Seed        string
	Truncate    bool // to steps of 1/255
	Shift       bool // padded translation as well
	N           int  // n x n regions
	T           string
	Regions     string // numbers with commas between them; empty for all
}

// Changes are all corruptions in all severities, then the shifts; without any it is none. The
// error is for a seed, t or region that is no number or does not exist.
func (f ShiftForm) Changes() ([]derive.Change, error) {
	var list []derive.Change
	if len(f.Corruptions) > 0 {
		seed, err := strconv.ParseUint(strings.TrimSpace(f.Seed), 10, 64)
		if err != nil {
			return nil, fmt.Errorf("seed %q is not a whole number from 0 on", f.Seed)
		}
		for _, name := range f.Corruptions {
			for _, severity := range f.Severities {
				list = append(list, corrupt.Setting{Name: name, Severity: severity, Seed: seed, Truncate: f.Truncate})
			}
		}
	}
	if !f.Shift {
		return list, nil
	}
	shifts, err := f.shifts()
	for _, s := range shifts {
		list = append(list, s)
	}
	return list, err
}

// shifts are the ones that are chosen, by region.
func (f ShiftForm) shifts() ([]derive.Shift, error) {
	t, err := strconv.Atoi(strings.TrimSpace(f.T))
	if err != nil {
		return nil, fmt.Errorf("t %q is not a whole number from 1 on", f.T)
	}
	all, err := derive.Shifts(f.N, t)
	if err != nil || strings.TrimSpace(f.Regions) == "" {
		return all, err
	}
	chosen := make([]bool, len(all))
	for text := range strings.SplitSeq(f.Regions, ",") {
		number, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || number < 1 || number > len(all) {
			return nil, fmt.Errorf("region %q is not a number from 1 to %d", strings.TrimSpace(text), len(all))
		}
		chosen[number-1] = true
	}
	return slices.DeleteFunc(all, func(s derive.Shift) bool { return !chosen[s.Region-1] }), nil
}

// SuiteDeriver knows suites and adds changed ones; *store.Workspace is one.
type SuiteDeriver interface {
	DeriveSuite(of string, change derive.Change, name string) (suite.Manifest, error)
}

// deriveAll adds the suites of all changes and counts those that were added and those that were
// there.
func deriveAll(ctx context.Context, ws SuiteDeriver, there map[string]bool, of string, changes []derive.Change, p *background.Progress) (added int, err error) {
	p.SetTotal(int64(len(changes)))
	for _, c := range changes {
		if err := ctx.Err(); err != nil {
			return added, err
		}
		m, err := ws.DeriveSuite(of, c, "")
		if err != nil {
			return added, err
		}
		if !there[m.Hash] {
			added++
		}
		p.Add(1)
	}
	return added, nil
}

// shiftFields ask for padded translation: n, t and the regions.
type shiftFields struct {
	on      *widget.Check
	n       *widget.Select
	t       *widget.Entry
	regions *widget.Entry
	object  *fyne.Container // of n, t and regions; hidden until padded translation is chosen
}

// newShiftFields begins with the usual n and t, and all regions.
func newShiftFields(changed func()) *shiftFields {
	f := &shiftFields{on: widget.NewCheck("padded translation", nil), t: widget.NewEntry(), regions: widget.NewEntry()}
	var sizes []string
	for n := 2; n <= region.MaxGrid; n++ { // n = 1 moves nothing
		sizes = append(sizes, strconv.Itoa(n))
	}
	f.n = widget.NewSelect(sizes, func(string) { changed() })
	f.n.PlaceHolder = " " // the usual one is wide, and something is always chosen
	f.n.Selected = strconv.Itoa(transform.UsualGrid)
	f.t.SetText(strconv.Itoa(transform.UsualT))
	f.t.OnChanged = func(string) { changed() }
	f.regions.SetPlaceHolder("all; or 1, 3, 7")
	f.regions.OnChanged = func(string) { changed() }
	row := container.NewGridWithColumns(2,
		container.NewBorder(nil, nil, widget.NewLabel("n × n, n ="), nil, f.n),
		container.NewBorder(nil, nil, widget.NewLabel("t ="), nil, f.t))
	f.object = container.NewVBox(row, container.NewBorder(nil, nil, widget.NewLabel("Regions"), nil, f.regions))
	f.object.Hide()
	return f
}

// grid is n; 0 where nothing is chosen.
func (f *shiftFields) grid() int {
	n, err := strconv.Atoi(f.n.Selected)
	if err != nil {
		return 0
	}
	return n
}

// into writes what is chosen into a form.
func (f *shiftFields) into(form *ShiftForm) {
	form.Shift, form.N, form.T, form.Regions = f.on.Checked, f.grid(), f.t.Text, f.regions.Text
}

// preview is the n and t to show; a t that is half written is the usual one.
func (f *shiftFields) preview() (n, t int) {
	t, err := strconv.Atoi(strings.TrimSpace(f.t.Text))
	if _, wrong := transform.Shift(f.grid(), t); err != nil || wrong != nil {
		t = transform.UsualT
	}
	return f.grid(), t
}

// show tells whether the fields can be seen.
func (f *shiftFields) show(on bool) {
	if on {
		f.object.Show()
	} else {
		f.object.Hide()
	}
}
