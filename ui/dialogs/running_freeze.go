package dialogs

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/model"
	own "github.com/variscope/variscope/ui/widget"
)

// freeze holds the form as it is while its run is being prepared: what is asked for is what is
// seen, and it is asked for once.
func (d *runDialog) freeze() {
	d.frozen = true
	d.start.Disable()
	d.allow(false)
}

// thaw gives the form back: the run could not be prepared.
func (d *runDialog) thaw() {
	d.frozen = false
	d.allow(true)
	d.check()
}

// allow lets everything be changed that the form asks for, or nothing.
func (d *runDialog) allow(on bool) {
	fields := []fyne.Disableable{
		d.which, d.suites.menu, d.shifted, d.family.menu, d.family.entry, d.tensors, d.vectors, d.table, d.browse, d.mixed,
	}
	for position, check := range d.positions {
		if position != model.CONF { // never to be changed
			fields = append(fields, check)
		}
	}
	for _, field := range fields {
		own.Enable(field, on)
	}
}

// askTable makes the line for the table of classes.
func (d *runDialog) askTable() fyne.CanvasObject {
	d.table = widget.NewEntry()
	d.table.SetPlaceHolder("CSV of suite class, model class: only where their names differ")
	d.browse = d.host.BrowseFile(d.table.SetText, ".csv")
	return container.NewBorder(nil, nil, nil, d.browse, d.table)
}
