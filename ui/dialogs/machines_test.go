package dialogs

import (
	"context"
	"errors"
	"testing"

	"github.com/variscope/variscope/store/remote"
	"github.com/variscope/variscope/ui/kit"
)

// machinesDesk is a window with the dialog that lets other machines in.
type machinesDesk struct {
	*rig
	ask     *kit.Ask[machinesAsk]
	asked   []remote.Settings // off the main goroutine, one after the other
	err     error
	wait    bool // until it is cancelled
	allowed int
}

func newMachinesDesk(t *testing.T, last remote.Settings) *machinesDesk {
	d := &machinesDesk{rig: newRig(t, 0)}
	d.ask = MachinesAsk{
		Addresses: []string{"192.168.1.20", "10.0.0.7", "127.0.0.1"}, Last: last,
		Allow: func(ctx context.Context, how remote.Settings) error {
			d.asked = append(d.asked, how)
			if d.wait {
				<-ctx.Done()
				return ctx.Err()
			}
			return d.err
		},
		Allowed: func() { d.allowed++ },
	}.form(d.host)
	d.ask.Open()
	return d
}

func (d *machinesDesk) idle() {
	d.host.Work.Wait()
	d.stage.Pump()
}

func TestMachinesDialogAsksForSettings(t *testing.T) {
	for name, tt := range map[string]struct {
		last  remote.Settings
		put   [][2]string
		want  remote.Settings
		wrong string
	}{
		"at first": {want: remote.Settings{Listen: ":0"}},
		"as the last time": {
			last: remote.Settings{Listen: "10.0.0.7:4222", Mixed: true, Only: true},
			want: remote.Settings{Listen: "10.0.0.7:4222", Mixed: true, Only: true},
		},
		"the last one gone": {
			last: remote.Settings{Listen: "10.9.9.9:4222"}, want: remote.Settings{Listen: "10.9.9.9:4222"},
		},
		"this computer only": {
			put:  [][2]string{{"address", "127.0.0.1"}, {"port", " 5000 "}},
			want: remote.Settings{Listen: "127.0.0.1:5000"},
		},
		"all again": {
			last: remote.Settings{Listen: "10.0.0.7:0"}, put: [][2]string{{"address", ""}},
			want: remote.Settings{Listen: ":0"},
		},
		"another kind": {put: [][2]string{{"mixed", "true"}}, want: remote.Settings{Listen: ":0", Mixed: true}},
		"a server": {
			last: remote.Settings{Listen: "10.0.0.7:4222"},
			want: remote.Settings{Listen: "10.0.0.7:4222", On: "tls://u:p@house:4222"},
			put:  [][2]string{{"where", "server"}, {"server", " tls://u:p@house:4222 "}},
		},
		"the server of the last time": {
			last: remote.Settings{On: "nats://localhost"},
			want: remote.Settings{On: "nats://localhost"},
		},
		"no server": {
			put: [][2]string{{"where", "server"}},
			wrong: "Write the address of the NATS server: " +
				"tls://USER:PASSWORD@HOST:PORT, or nats://HOST:PORT on this computer.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newMachinesDesk(t, tt.last)
			for _, change := range tt.put {
				if err := d.ask.Form.Put(change[0], change[1]); err != nil {
					t.Fatal(err)
				}
			}
			if tt.wrong != "" {
				if err := d.ask.Form.Err(); err == nil || err.Error() != tt.wrong || !d.button("Allow").Disabled() {
					t.Errorf("%v", err)
				}
				return
			}
			d.press("Allow")
			d.idle()
			if len(d.asked) != 1 || d.asked[0] != tt.want || d.allowed != 1 || d.open() {
				t.Errorf("asked %+v, want %+v", d.asked, tt.want)
			}
		})
	}
}

// TestMachinesDialogIsGivenUp while it is being set up: nothing is left of it, and where it fails
// it says why; another attempt can be made.
func TestMachinesDialogIsGivenUp(t *testing.T) {
	d := newMachinesDesk(t, remote.Settings{})
	d.wait = true
	d.press("Allow")
	d.press("Cancel")
	d.idle()
	if d.allowed != 0 || !d.open() || len(d.asked) != 1 {
		t.Errorf("allowed %d times, asked %v", d.allowed, d.asked)
	}
	d.wait, d.err = false, errors.New("listen on 0.0.0.0:4222: address already in use; choose another address or port")
	d.press("Allow")
	d.saying("Listen on 0.0.0.0:4222: address already in use; choose another address or port.")
	d.err = nil
	d.press("Allow")
	d.idle()
	if d.allowed != 1 || d.open() || len(d.failed) > 0 {
		t.Errorf("allowed %d times, failed %v", d.allowed, d.failed)
	}
}
