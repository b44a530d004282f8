package dialogs

import (
	"context"
	"errors"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/variscope/variscope/store/others"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/stage"
)

// machinesDesk is a window with the dialog that lets other machines in.
type machinesDesk struct {
	*testing.T
	stage   *stage.Stage
	window  fyne.Window
	work    *background.Group
	dialog  *machinesDialog
	asked   []others.Settings // off the main goroutine, one after the other
	err     error
	wait    bool // until it is cancelled
	allowed int
	failed  []error
}

func openMachines(t *testing.T, last others.Settings) *machinesDesk {
	t.Helper()
	d := &machinesDesk{T: t, stage: stage.New(t), work: background.New(fyne.Do)}
	d.window = d.stage.Window(nil, fyne.NewSize(1100, 700))
	t.Cleanup(func() { d.work.Stop(); d.work.Wait(); d.stage.Pump() })
	host := &kit.Host{Window: d.window, Work: d.work, ShowError: func(err error) { d.failed = append(d.failed, err) }, Status: func(string) {}}
	d.dialog = &machinesDialog{host: host, ask: MachinesAsk{
		Addresses: []string{"192.168.1.20", "10.0.0.7", "127.0.0.1"}, Last: last,
		Allow: func(ctx context.Context, how others.Settings) error {
			d.asked = append(d.asked, how)
			if d.wait {
				<-ctx.Done()
				return ctx.Err()
			}
			return d.err
		},
		Allowed: func() { d.allowed++ },
	}}
	d.dialog.open()
	return d
}

func (d *machinesDesk) idle() {
	d.work.Wait()
	d.stage.Pump()
}

// open tells how many dialogs lie over the window.
func (d *machinesDesk) open() int { return len(d.window.Canvas().Overlays().List()) }

func TestMachinesDialogAsksForSettings(t *testing.T) {
	all, alone := "all addresses of this computer", "127.0.0.1 (this computer only)"
	for name, tt := range map[string]struct {
		last   others.Settings
		change func(*machinesDialog)
		want   others.Settings
		wrong  string
	}{
		"at first":          {want: others.Settings{Listen: ":0"}},
		"as the last time":  {last: others.Settings{Listen: "10.0.0.7:4222", Mixed: true, Only: true}, want: others.Settings{Listen: "10.0.0.7:4222", Mixed: true, Only: true}},
		"the last one gone": {last: others.Settings{Listen: "10.9.9.9:4222"}, want: others.Settings{Listen: "10.9.9.9:4222"}},
		"this computer only": {
			change: func(d *machinesDialog) { d.address.SetSelected(alone); d.port.SetText(" 5000 ") },
			want:   others.Settings{Listen: "127.0.0.1:5000"},
		},
		"all again": {
			last: others.Settings{Listen: "10.0.0.7:0"}, change: func(d *machinesDialog) { d.address.SetSelected(all) },
			want: others.Settings{Listen: ":0"},
		},
		"no port":      {change: func(d *machinesDialog) { d.port.SetText("http") }, wrong: "Http is no port: write a number from 1 to 65535, or nothing."},
		"too large":    {change: func(d *machinesDialog) { d.port.SetText("70000") }, wrong: "70000 is no port: write a number from 1 to 65535, or nothing."},
		"another kind": {change: func(d *machinesDialog) { d.mixed.SetChecked(true) }, want: others.Settings{Listen: ":0", Mixed: true}},
		"a server": {
			last: others.Settings{Listen: "10.0.0.7:4222"}, want: others.Settings{Listen: "10.0.0.7:4222", On: "tls://u:p@house:4222"},
			change: func(d *machinesDialog) { d.ways.SetSelected(ways()[1]); d.server.SetText(" tls://u:p@house:4222 ") },
		},
		"the server of the last time": {last: others.Settings{On: "nats://localhost"}, want: others.Settings{On: "nats://localhost"}},
		"no server": {
			change: func(d *machinesDialog) { d.ways.SetSelected(ways()[1]) },
			wrong:  "Write the address of the NATS server: tls://USER:PASSWORD@HOST:PORT, or nats://HOST:PORT on this computer.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := openMachines(t, tt.last)
			if tt.change != nil {
				tt.change(d.dialog)
			}
			here := d.dialog.ways.Selected == ways()[0]
			if d.dialog.address.Disabled() == here || d.dialog.port.Disabled() == here || d.dialog.server.Disabled() != here {
				t.Error("fields of the other place can be written in")
			}
			d.stage.Press(d.window, "Allow")
			d.idle()
			if tt.wrong != "" {
				if d.dialog.problem.Text != tt.wrong || !d.dialog.problem.Visible() || len(d.asked) != 0 || d.open() != 1 {
					t.Errorf("%q, asked %+v", d.dialog.problem.Text, d.asked)
				}
				return
			}
			if len(d.asked) != 1 || d.asked[0] != tt.want || d.allowed != 1 || d.open() != 0 {
				t.Errorf("asked %+v, want %+v; %d dialogs", d.asked, tt.want, d.open())
			}
		})
	}
}

// TestMachinesDialogStaysWhereItFails: the reason stands in it, and another attempt can be made.
func TestMachinesDialogStaysWhereItFails(t *testing.T) {
	d := openMachines(t, others.Settings{})
	d.err = errors.New("listen on 0.0.0.0:4222: address already in use; choose another address or port")
	d.stage.Press(d.window, "Allow")
	if !d.dialog.start.Disabled() || !d.dialog.port.Disabled() {
		t.Error("the form can be changed meanwhile")
	}
	d.idle()
	if d.dialog.problem.Text != "Listen on 0.0.0.0:4222: address already in use; choose another address or port." || d.open() != 1 || d.dialog.port.Disabled() {
		t.Errorf("%q", d.dialog.problem.Text)
	}
	d.err = nil
	test.Tap(d.dialog.start)
	d.idle()
	if d.allowed != 1 || d.open() != 0 || len(d.failed) != 0 {
		t.Errorf("allowed %d times, failed %v", d.allowed, d.failed)
	}
}

// TestMachinesDialogIsGivenUp while it is being set up: nothing is left of it.
func TestMachinesDialogIsGivenUp(t *testing.T) {
	d := openMachines(t, others.Settings{})
	d.wait = true
	d.stage.Press(d.window, "Allow")
	d.stage.Press(d.window, "Cancel")
	d.idle()
	if d.allowed != 0 || d.open() != 0 || len(d.asked) != 1 {
		t.Errorf("allowed %d times, asked %v", d.allowed, d.asked)
	}
	for _, err := range d.failed { // the window shows no cancels
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}
