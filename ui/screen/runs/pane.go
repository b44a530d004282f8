package runs

import (
	"context"
	"fmt"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/store/remote"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	parts "github.com/variscope/variscope/ui/widget"
)

// Others are the other machines that may compute; *remote.Switch is one.
type Others interface {
	Remove(id string)
	Stop() error
}

// pane shows, while other machines are let in, how they join and who computes. It asks for no room
// otherwise.
type pane struct {
	*kit.Host
	ways     Ways
	layOut   func()   // after the pane asks for another height
	lines    []string // join lines
	rows     int      // machines
	busy     bool     // runs or workers are at work
	stopping bool

	fold      *widget.Button
	summary   *widget.Label
	stop      *widget.Button
	addresses *widget.Select
	line      *widget.Label
	trouble   *widget.Label
	list      *kit.Records[remote.Member]
	problem   *widget.Label
	remove    *widget.Button
	body      *fyne.Container
	object    *fyne.Container
}

func newPane(host *kit.Host, ways Ways, layOut func()) *pane {
	p := &pane{
		Host: host, ways: ways, layOut: layOut, summary: truncated(), line: truncated(),
		trouble: widget.NewLabel(""), problem: truncated(),
	}
	p.fold = widget.NewButtonWithIcon("Other machines", theme.MenuDropDownIcon(),
		func() { p.unfold(!p.body.Visible()) })
	p.fold.Importance = widget.LowImportance
	p.stop = widget.NewButtonWithIcon("Disconnect", theme.CancelIcon(), p.askToStop)
	p.addresses = widget.NewSelect(nil, func(string) { p.showLine() })
	p.line.TextStyle.Monospace = true
	p.line.Selectable = true
	p.trouble.Importance = widget.WarningImportance
	p.trouble.Wrapping = fyne.TextWrapWord
	p.remove = widget.NewButtonWithIcon("Remove worker", theme.DeleteIcon(), p.askToRemove)
	p.list = &kit.Records[remote.Member]{
		Host: host, Table: remote.Computing, Plain: true, OnSelect: func(remote.Member, bool) { p.showChosen() },
		Keys: parts.Keys{OnKey: func(ev *fyne.KeyEvent) bool {
			if ev.Name != fyne.KeyDelete || p.remove.Disabled() {
				return false
			}
			p.askToRemove()
			return true
		}},
	}
	copied := widget.NewButtonWithIcon("Copy", theme.ContentCopyIcon(), p.copyLine)
	hint := widget.NewLabel("It holds a secret: give it only to machines that you trust.")
	hint.Importance = widget.LowImportance
	join := container.NewBorder(nil, nil, container.NewHBox(widget.NewLabel("Join with"),
		container.New(leastWidth(addressWidth), p.addresses)), container.NewHBox(copied, hint), p.line)
	foot := container.NewBorder(nil, nil, nil, p.remove, p.problem)
	p.body = container.NewVBox(join, p.trouble, container.New(tableRoom{p}, p.list.Object()), foot)
	head := container.NewBorder(nil, nil, p.fold, p.stop, p.summary)
	p.object = container.New(layout.NewCustomPaddedVBoxLayout(0), widget.NewSeparator(), head, p.body)
	p.object.Hide()
	p.trouble.Hide()
	p.showChosen()
	return p
}

// set shows a state. It tells whether the room that the pane asks for has changed.
func (p *pane) set(now remote.State, statuses []engine.Status, at time.Time) (changed bool) {
	before, on := p.object.MinSize().Height, now.Phase == remote.Open || now.Phase == remote.Closing
	was := p.object.Visible()
	parts.Show(p.object, on)
	if !on {
		p.stopping = false
		return was
	}
	members := now.Members(statuses, at)
	p.rows = len(members)
	p.busy = Active(statuses) || slices.ContainsFunc(members, func(m remote.Member) bool { return m.Busy })
	p.summary.SetText(summary(now, statuses, members))
	p.setLines(now.Join)
	parts.Show(p.trouble, now.Trouble != nil)
	if now.Trouble != nil {
		p.trouble.SetText(present.Sentence(now.Trouble))
	}
	parts.Enable(p.stop, now.Phase == remote.Open && !p.stopping)
	p.list.Update(members)
	p.showChosen()
	return !was || before != p.object.MinSize().Height
}

// setLines offers one address after the other; the one that was chosen stays.
func (p *pane) setLines(lines []string) {
	if len(lines) == 0 || slices.Equal(lines, p.lines) {
		return
	}
	p.lines = slices.Clone(lines)
	names := make([]string, len(lines))
	for i, line := range lines {
		names[i] = joinAddress(line)
	}
	p.addresses.Options = names
	if !slices.Contains(names, p.addresses.Selected) {
		p.addresses.Selected = names[0]
	}
	parts.Enable(p.addresses, len(names) > 1)
	p.addresses.Refresh()
	p.showLine()
}

// chosenLine is the join line of the chosen address, "" where there is none.
func (p *pane) chosenLine() string {
	if at := p.addresses.SelectedIndex(); at >= 0 && at < len(p.lines) {
		return p.lines[at]
	}
	return ""
}

func (p *pane) showLine() { p.line.SetText(joinCommand(p.chosenLine())) }

func (p *pane) copyLine() {
	p.ways.Copy(joinCommand(p.chosenLine()))
	p.Say("The line is copied. Run it on the other machine.")
}

// member is the selected worker.
func (p *pane) member() (m remote.Member, ok bool) {
	m, ok = p.list.Selected()
	return m, ok && m.ID != ""
}

// showChosen says in full what the line of the selected worker has no room for, why units failed
// there above all, and lets it be removed.
func (p *pane) showChosen() {
	m, ok := p.member()
	if !ok {
		m = remote.Member{}
	}
	parts.Enable(p.remove, ok)
	text, importance := "", widget.LowImportance
	switch {
	case m.Problem != "":
		text, importance = fmt.Sprintf("%s: %s", m.Name, m.Problem), widget.WarningImportance
	case m.Work != "":
		text = fmt.Sprintf("%s: %s", m.Name, m.Work)
	case ok:
		text = m.Name
	}
	if p.problem.Text != text || p.problem.Importance != importance {
		p.problem.Importance = importance
		p.problem.SetText(text)
	}
}

// askToRemove removes the selected worker, with a question where that costs work.
func (p *pane) askToRemove() {
	m, ok := p.member()
	if !ok {
		return
	}
	if !m.Busy {
		p.removed(m)
		return
	}
	p.ask(fmt.Sprintf("Remove %s?", m.Name), "It is working. What it has begun goes to others, who start it again.",
		"Remove", func() { p.removed(m) })
}

func (p *pane) removed(m remote.Member) {
	p.Work.Quiet("remove worker", func(context.Context) error {
		p.ways.Others.Remove(m.ID)
		return nil
	}, func(err error) {
		if err == nil {
			p.Say(fmt.Sprintf("%s was removed.", m.Name))
		}
	})
}

// askToStop turns other machines away, with a question while they may be at work.
func (p *pane) askToStop() {
	if !p.busy {
		p.stopped()
		return
	}
	p.ask("Turn other machines away?", "What they have begun comes back, and this computer goes on alone.",
		"Disconnect", p.stopped)
}

func (p *pane) stopped() {
	p.stopping = true
	p.stop.Disable()
	p.Work.StartWhole("Turn other machines away", p.ways.Others.Stop, func(err error) {
		p.stopping = false
		if err != nil {
			p.Fail(err)
			return
		}
		p.Say("Other machines are disconnected.")
	})
}

func (p *pane) ask(title, text, yes string, do func()) {
	p.Confirm(title, text, yes, widget.WarningImportance, do)
}

// unfold shows or hides all but the headline.
func (p *pane) unfold(open bool) {
	parts.Show(p.body, open)
	p.fold.SetIcon(theme.MenuDropDownIcon())
	if !open {
		p.fold.SetIcon(theme.MenuDropUpIcon())
	}
	p.layOut()
}

// addressWidth has room for most addresses with their ports.
const addressWidth = 220

// leastWidth is a layout of one object that is at least that wide.
type leastWidth float32

// Layout implements fyne.Layout.
func (leastWidth) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Move(fyne.NewPos(0, 0))
	objects[0].Resize(size)
}

// MinSize implements fyne.Layout.
func (w leastWidth) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return objects[0].MinSize().Max(fyne.NewSize(float32(w)*parts.Grown(), 0))
}

// tableRoom gives the list of who computes the height of its lines, up to a few; more of them
// scroll.
type tableRoom struct{ p *pane }

// The list's lines: at least that many fit, so that the pane does not grow with every worker that
// joins, and at most that many.
const fewestRows, mostRows = 3, 4

// Layout implements fyne.Layout.
func (tableRoom) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Move(fyne.NewPos(0, 0))
	objects[0].Resize(size)
}

// MinSize implements fyne.Layout.
func (t tableRoom) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(objects[0].MinSize().Width, t.p.list.Height(min(max(t.p.rows, fewestRows), mostRows)))
}
