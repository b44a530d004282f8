package dialogs

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/store/others"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/kit"
	own "github.com/variscope/variscope/ui/widget"
)

// MachinesAsk is what the dialog that lets other machines in works with.
type MachinesAsk struct {
	// Addresses of this computer, the likeliest first; the last one is for this computer alone.
	Addresses []string
	// Last is how it was asked for the last time.
	Last others.Settings
	// Allow lets them in; it is called off the main goroutine.
	Allow func(ctx context.Context, how others.Settings) error
	// Allowed is called on the main goroutine when they are let in.
	Allowed func()
}

// MachinesDialog asks how other machines may come, and lets them in.
func MachinesDialog(host *kit.Host, ask MachinesAsk) {
	d := &machinesDialog{host: host, ask: ask}
	d.open()
}

type machinesDialog struct {
	host    *kit.Host
	ask     MachinesAsk
	sheet   *kit.Dialog
	hosts   []string // to choose from: the addresses, and that of the last time where it is none of them
	ways    *widget.RadioGroup
	address *widget.Select
	port    *widget.Entry
	server  *widget.Entry
	mixed   *widget.Check
	only    *widget.Check
	problem *widget.Label
	start   *widget.Button
	form    *widget.Form
	job     *background.Job
}

func (d *machinesDialog) open() {
	d.sheet = d.host.NewDialog("Allow other machines", fyne.NewSize(700, 430))
	d.problem = widget.NewLabel("")
	d.problem.Wrapping, d.problem.Importance = fyne.TextWrapWord, widget.DangerImportance
	d.problem.Hide()
	d.start = widget.NewButton("Allow", d.submit)
	d.start.Importance = widget.HighImportance
	d.askWhere()
	d.mixed = widget.NewCheck("allow other kinds of processors", nil)
	d.mixed.Checked = d.ask.Last.Mixed
	d.only = widget.NewCheck("compute nothing on this computer", nil)
	d.only.Checked = d.ask.Last.Only
	intro := wrapped("While this workspace is open, other machines may compute parts of its runs. They need Variscope and one line, which is shown then; they get models and images, and reach nothing else of this computer.")
	mixed := wrapped("They compute only runs that allow it too. Results then agree to 1e-4 instead of to the last bit, and are marked.")
	mixed.Importance = widget.LowImportance
	d.form = widget.NewForm(
		widget.NewFormItem("They connect to", d.ways),
		widget.NewFormItem("Address", d.address),
		widget.NewFormItem("Port", d.port),
		widget.NewFormItem("NATS server", d.server),
		widget.NewFormItem("Processors", container.NewVBox(d.mixed, mixed)),
		widget.NewFormItem("This computer", d.only),
	)
	cancel := widget.NewButton("Cancel", d.leave)
	d.sheet.Show(container.NewVScroll(container.NewVBox(intro, d.form, d.problem)), cancel, d.start)
	d.chose()
	d.sheet.Present(nil)
}

// ways are where workers and this computer meet.
func ways() []string { return []string{"this computer", "a NATS server that exists"} }

// askWhere makes the lines for the place, with what was there the last time in them.
func (d *machinesDialog) askWhere() {
	host, port := listening(d.ask.Last.Listen)
	d.hosts = slices.Clone(d.ask.Addresses)
	if host != "" && !slices.Contains(d.hosts, host) { // to listen on all of them instead is more than was asked for
		d.hosts = append(d.hosts, host)
	}
	names := d.names()
	d.address = widget.NewSelect(names, nil)
	d.address.Selected = names[1+slices.Index(d.hosts, host)] // none is all of them
	d.port = widget.NewEntry()
	d.port.SetPlaceHolder("that of the last time, or a free one")
	d.port.SetText(port)
	d.server = widget.NewEntry()
	d.server.SetPlaceHolder("tls://USER:PASSWORD@HOST:PORT")
	d.server.SetText(d.ask.Last.On)
	for _, entry := range []*widget.Entry{d.port, d.server} {
		entry.OnSubmitted = func(string) { d.submit() }
	}
	d.ways = widget.NewRadioGroup(ways(), nil)
	d.ways.Horizontal, d.ways.Required = true, true
	d.ways.Selected = ways()[0]
	if d.ask.Last.On != "" {
		d.ways.Selected = ways()[1]
	}
	d.ways.OnChanged = func(string) { d.chose() }
}

// names are the addresses for people: all of them, each, and that for this computer alone.
func (d *machinesDialog) names() []string {
	list := []string{"all addresses of this computer"}
	for i, address := range d.hosts {
		switch {
		case i == len(d.ask.Addresses)-1:
			address = fmt.Sprintf("%s (this computer only)", address)
		case i == len(d.ask.Addresses):
			address = fmt.Sprintf("%s (of the last time)", address)
		}
		list = append(list, address)
	}
	return list
}

// chose shows what belongs to the chosen place.
func (d *machinesDialog) chose() {
	here := d.ways.Selected == ways()[0]
	own.Enable(d.address, here)
	own.Enable(d.port, here)
	own.Enable(d.server, !here)
}

// listening takes HOST:PORT apart; a port that is open is "".
func listening(text string) (host, port string) {
	host, port, err := net.SplitHostPort(text)
	if err != nil {
		return text, ""
	}
	if port == "0" {
		port = ""
	}
	return host, port
}

// settings is what the form says.
func (d *machinesDialog) settings() (how others.Settings, err error) {
	how = others.Settings{Mixed: d.mixed.Checked, Only: d.only.Checked}
	if d.ways.Selected != ways()[0] {
		how.On = strings.TrimSpace(d.server.Text)
		if how.On == "" {
			return how, errors.New("write the address of the NATS server: tls://USER:PASSWORD@HOST:PORT, or nats://HOST:PORT on this computer")
		}
		how.Listen = d.ask.Last.Listen // for another time
		return how, nil
	}
	host, port := "", strings.TrimSpace(d.port.Text)
	if at := d.address.SelectedIndex(); at > 0 {
		host = d.hosts[at-1]
	}
	if port == "" {
		port = "0"
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return how, fmt.Errorf("%s is no port: write a number from 1 to 65535, or nothing", port)
	}
	how.Listen = net.JoinHostPort(host, port)
	return how, nil
}

func (d *machinesDialog) submit() {
	if d.job != nil {
		return
	}
	how, err := d.settings()
	if err != nil {
		d.fail(err)
		return
	}
	d.hold(true)
	d.say("One moment: it is being set up …", widget.MediumImportance)
	d.job = d.host.Work.Start("Allow other machines", func(ctx context.Context, _ *background.Progress) error {
		return d.ask.Allow(ctx, how)
	}, func(err error) {
		d.job = nil
		switch {
		case err == nil:
			d.sheet.Close()
			d.ask.Allowed()
		case d.sheet.Closed():
			d.host.Fail(err)
		default:
			d.hold(false)
			d.fail(err)
		}
	})
}

// leave closes the dialog; what is being set up is given up.
func (d *machinesDialog) leave() {
	if d.job != nil {
		d.job.Cancel()
	}
	d.sheet.Close()
}

// hold keeps the form as it is while what it asks for is being set up.
func (d *machinesDialog) hold(on bool) {
	for _, field := range []fyne.Disableable{d.ways, d.address, d.port, d.server, d.mixed, d.only, d.start} {
		own.Enable(field, !on)
	}
	if !on {
		d.chose()
	}
}

func (d *machinesDialog) fail(err error) {
	if cancelled(err) {
		d.problem.Hide()
		return
	}
	d.say(sentence(err), widget.DangerImportance)
}

func (d *machinesDialog) say(text string, importance widget.Importance) {
	d.problem.Importance = importance
	d.problem.SetText(text)
	d.problem.Show()
}
