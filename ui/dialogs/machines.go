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
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/store/remote"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	own "github.com/variscope/variscope/ui/widget"
)

// MachinesAsk is what the dialog that lets other machines in works with.
type MachinesAsk struct {
	// Addresses of this computer, the likeliest first; the last one is for this computer alone.
	Addresses []string
	// Last is how it was asked for the last time.
	Last remote.Settings
	// Allow lets them in; it is called off the main goroutine.
	Allow func(ctx context.Context, how remote.Settings) error
	// Allowed is called on the main goroutine when they are let in.
	Allowed func()
}

// machinesAsk is what the dialog asks for.
type machinesAsk struct {
	Where   string `help:"Where other machines and this computer meet: this computer listens, or both connect to a NATS server that exists." label:"They connect to" enum:"here,server" names:"this computer|a NATS server that exists" default:"here"`
	Address string `help:"Address of this computer to listen on." source:"addresses" when:"where=here"`
	Port    *int   `help:"Port to listen on; without one that of the last time, or a free one." min:"1" max:"65535" placeholder:"that of the last time, or a free one" when:"where=here"`
	Server  string `help:"Address of the NATS server; without encryption for this computer alone." label:"NATS server" placeholder:"tls://USER:PASSWORD@HOST:PORT" when:"where=server"`
	Mixed   bool   `help:"Let machines with processors of other kinds in, too." label:"allow other kinds of processors"`
	Only    bool   `help:"Leave all of the work to other machines." label:"compute nothing on this computer"`
}

// Check implements the check of options.
func (o *machinesAsk) Check() error {
	if o.Where == "server" && strings.TrimSpace(o.Server) == "" {
		return errors.New("write the address of the NATS server: " +
			"tls://USER:PASSWORD@HOST:PORT, or nats://HOST:PORT on this computer")
	}
	return nil
}

// settings are the options as they are kept; last are those of the last time.
func (o machinesAsk) settings(last remote.Settings) remote.Settings {
	how := remote.Settings{Mixed: o.Mixed, Only: o.Only}
	if o.Where == "server" {
		how.On, how.Listen = strings.TrimSpace(o.Server), last.Listen // to listen again another time
		return how
	}
	port := 0
	if o.Port != nil {
		port = *o.Port
	}
	how.Listen = net.JoinHostPort(o.Address, strconv.Itoa(port))
	return how
}

// MachinesDialog asks how other machines may come, and lets them in.
func MachinesDialog(host *kit.Host, ask MachinesAsk) { ask.form(host).Open() }

func (ask MachinesAsk) form(host *kit.Host) *kit.Ask[machinesAsk] {
	last, port := listening(ask.Last.Listen)
	mixed := own.Wrapped("Other kinds of processors compute only runs that allow it too. Results then agree to 1e-4 " +
		"instead of to the last bit, and are marked.")
	mixed.Importance = widget.LowImportance
	return &kit.Ask[machinesAsk]{
		Title: "Allow other machines", Button: "Allow", Size: fyne.NewSize(700, 430),
		Above: own.Wrapped("While this workspace is open, other machines may compute parts of its runs. They need " +
			"Variscope and one line, which is shown then; they get models and images, and reach nothing else of this " +
			"computer."),
		Below: mixed,
		Form: &kit.Form[machinesAsk]{
			Host: host, Choices: func(string) ([]kit.Option, string) { return ask.addresses(last), "" },
		},
		Start: func(f *kit.Form[machinesAsk]) {
			put(f, "address", last)
			put(f, "port", port)
			put(f, "server", ask.Last.On)
			if ask.Last.On != "" {
				put(f, "where", "server")
			}
			put(f, "mixed", strconv.FormatBool(ask.Last.Mixed))
			put(f, "only", strconv.FormatBool(ask.Last.Only))
		},
		Stopped: "nobody was let in",
		Run: func(ctx context.Context, o machinesAsk, _ *jobs.Progress) (kit.Done, error) {
			return kit.Done{Then: ask.Allowed}, ask.Allow(ctx, o.settings(ask.Last))
		},
	}
}

// addresses are the choices for people: all of them, each, and that for this computer alone. That
// of the last time stays among them where it is none of them now: to listen on all of them instead
// is more than was asked for.
func (ask MachinesAsk) addresses(last string) []kit.Option {
	list := []kit.Option{{Name: "all addresses of this computer"}}
	for i, address := range ask.Addresses {
		name := address
		if i == len(ask.Addresses)-1 {
			name = fmt.Sprintf("%s (this computer only)", address)
		}
		list = append(list, kit.Option{Key: address, Name: name})
	}
	if last != "" && !slices.Contains(ask.Addresses, last) {
		list = append(list, kit.Option{Key: last, Name: fmt.Sprintf("%s (of the last time)", last)})
	}
	return list
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
