package command

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/variscope/variscope/internal/testdata"
)

// TestTheReferenceIsFresh compares docs/commands.md and the manual page with the command line
// itself. With VARISCOPE_WRITE_COMMANDS (make docs) it writes them.
func TestTheReferenceIsFresh(t *testing.T) {
	root := grammar(t)
	for name, want := range map[string]string{"commands.md": markdown(root), "variscope.1": manual(root)} {
		path := filepath.Join(testdata.Root(), "docs", name)
		if os.Getenv("VARISCOPE_WRITE_COMMANDS") != "" {
			testdata.OK(t, os.WriteFile(path, []byte(want), 0o644))
		}
		got := testdata.Must(os.ReadFile(path))(t)
		if string(got) != want {
			t.Errorf("docs/%s is not what the command line says; make docs writes it anew", name)
		}
	}
}

// TestTheGuideKnowsEveryCommand: the page of the guide names each command of the program, and none
// that is not there.
func TestTheGuideKnowsEveryCommand(t *testing.T) {
	page := string(mustRead(t, "docs/guide/command-line.md"))
	known := map[string]bool{}
	for _, c := range grammar(t).Children {
		known[c.Name] = true
		if !c.Hidden && !strings.Contains(page, "variscope "+c.Name) {
			t.Errorf("command-line.md does not name %s", c.Name)
		}
	}
	for _, found := range regexp.MustCompile("`variscope ([a-z]+)").FindAllStringSubmatch(page, -1) {
		if !known[found[1]] {
			t.Errorf("command-line.md names %s, which is no command", found[1])
		}
	}
}

func grammar(t *testing.T) *kong.Node {
	t.Helper()
	var commands cli
	s := &Session{ctx: t.Context(), stdout: io.Discard, stderr: io.Discard, common: &commands.Common}
	parser := testdata.Must(newParser(&commands, s, func(int) {}))(t)
	return parser.Model.Node
}

// leaves are the commands that can be called, in their order, without hidden ones.
func leaves(n *kong.Node) (list []*kong.Node) {
	for _, c := range n.Children {
		if c.Hidden || c.Type == kong.ArgumentNode {
			continue
		}
		below := leaves(c)
		if len(below) == 0 {
			below = []*kong.Node{c}
		}
		list = append(list, below...)
	}
	return list
}

// line is how a command is called.
func line(n *kong.Node) string {
	words := []string{n.FullPath()}
	for _, p := range n.Positional {
		words = append(words, p.Summary())
	}
	return strings.Join(words, " ")
}

// helpOf is what a command does, in its own words or in those of the one that it belongs to.
func helpOf(n *kong.Node) string {
	if n.Help == "" && n.Parent != nil {
		return n.Parent.Help
	}
	return n.Help
}

// entry is a flag or an argument: how it is written, and what it means.
type entry struct{ usage, help string }

func entries(n *kong.Node) (list []entry) {
	for _, p := range n.Positional {
		list = append(list, entry{p.Summary(), p.Help})
	}
	for at := n; at.Type == kong.CommandNode; at = at.Parent {
		for _, f := range at.Flags {
			if !f.Hidden {
				list = append(list, flagEntry(f))
			}
		}
	}
	return list
}

func flagEntry(f *kong.Flag) entry {
	usage := "--" + f.Name
	if f.Short != 0 {
		usage = fmt.Sprintf("-%c, %s", f.Short, usage)
	}
	if !f.IsBool() {
		usage += "=" + f.FormatPlaceHolder()
	}
	help := f.Help
	if f.Tag.Negatable != "" {
		usage = strings.Replace(usage, "--", "--[no-]", 1)
		help = fmt.Sprintf("%s (default: --%s)", strings.TrimSuffix(help, "."), negated(f))
	}
	return entry{usage, help}
}

// negated is a flag that has a negated form, as its default stands for.
func negated(f *kong.Flag) string {
	if f.Default == "true" {
		return f.Name
	}
	return "no-" + f.Name
}

// everywhere are the flags of all commands.
func everywhere(root *kong.Node) (list []entry) {
	for _, f := range root.Flags {
		list = append(list, flagEntry(f))
	}
	return list
}

const exits = "0 success, 1 bad input, 2 wrong usage, 3 a gate that is not met, 130 interrupted"

func markdown(root *kong.Node) string {
	var b strings.Builder
	b.WriteString("# Commands\n\nEvery command with its arguments and flags, written from the program's own help by " +
		"`make docs`. ")
	b.WriteString("[The page of the guide](guide/command-line.md)\nsays what they are for, with examples.\n\n")
	b.WriteString("`variscope` alone opens the window on the last workspace, the first time on the demo; `variscope " +
		"WORKSPACE` on that one.\n\n")
	b.WriteString("Flags of every command:\n\n")
	list := func(entries []entry) {
		for _, e := range entries {
			fmt.Fprintf(&b, "- `%s`", e.usage)
			if e.help != "" {
				b.WriteString(": " + e.help)
			}
			b.WriteString("\n")
		}
	}
	list(everywhere(root))
	b.WriteString("\nExit codes: " + exits + ".\n")
	for _, n := range leaves(root) {
		fmt.Fprintf(&b, "\n## %s\n\n    %s\n\n%s\n", n.FullPath(), line(n), helpOf(n))
		if n.Detail != "" {
			b.WriteString("\n" + strings.ReplaceAll(n.Detail, "\n  ", "\n    ") + "\n")
		}
		if all := entries(n); len(all) > 0 {
			b.WriteString("\n")
			list(all)
		}
	}
	return b.String()
}

func manual(root *kong.Node) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH VARISCOPE 1 \"\" \"variscope %s\" \"User commands\"\n", Version)
	b.WriteString(".SH NAME\nvariscope \\- see how invariant image classifiers are, and agree on it\n")
	b.WriteString(".SH SYNOPSIS\n.B variscope\n[\\fIWORKSPACE\\fR | \\fICOMMAND\\fR ...]\n")
	b.WriteString(".SH DESCRIPTION\nWithout a command the window opens on the last workspace, the first time on the " +
		"demo.\n")
	b.WriteString("The user guide is in the window under Help.\n.SH OPTIONS\nFlags of every command:\n")
	list := func(entries []entry) {
		for _, e := range entries {
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(e.usage), roff(e.help))
		}
	}
	list(everywhere(root))
	b.WriteString(".SH COMMANDS\n")
	for _, n := range leaves(root) {
		fmt.Fprintf(&b, ".SS %s\n%s\n", roff(line(n)), roff(helpOf(n)))
		for _, line := range strings.Split(n.Detail, "\n") {
			if line != "" {
				b.WriteString(".br\n" + roff(line) + "\n")
			}
		}
		list(entries(n))
	}
	b.WriteString(".SH EXIT STATUS\n" + roff(exits) + ".\n")
	b.WriteString(".SH ENVIRONMENT\n.TP\n.B VARISCOPE_ONNXRUNTIME\nThe ONNX Runtime library, or the folder that " +
		"holds it.\n")
	b.WriteString(".SH FILES\n.TP\n.I ~/.config/variscope/preferences.json\nWhat the window remembers.\n")
	b.WriteString(".TP\n.I ~/.local/share/variscope/demo.variscope\nThe demo.\n")
	b.WriteString(".TP\n.I ~/.local/state/variscope/variscope.log\nThe window's log.\n")
	return b.String()
}

// roff writes a text so that man shows it as it stands.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(strings.Join(strings.Fields(text), " "))
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}
