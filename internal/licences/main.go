// Licences writes docs/licences.md: the licence of every module that the program is built from,
// with the texts of the module cache. Run it after go.mod changed: go run ./internal/licences >
// docs/licences.md
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// systems are those whose packages are looked at, since the modules differ between them.
var systems = []string{"linux", "windows", "darwin"}

type module struct {
	Path, Version, Dir string
	Main, Indirect     bool
}

func main() {
	if err := write(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

func write(out io.Writer) error {
	head, err := os.ReadFile(filepath.Join("internal", "licences", "head.md"))
	if err != nil {
		return err
	}
	modules, err := gather()
	if err != nil {
		return err
	}
	if _, err := out.Write(head); err != nil {
		return err
	}
	for _, m := range modules {
		text, err := licence(m.Dir)
		if err != nil {
			return fmt.Errorf("%s: %w", m.Path, err)
		}
		if _, err := fmt.Fprintf(out, "\n## %s %s\n\n```\n%s\n```\n", m.Path, m.Version, text); err != nil {
			return err
		}
	}
	return nil
}

// gather lists the modules that are linked on any of the systems, and those that go.mod names
// directly.
func gather() ([]module, error) {
	found := map[string]module{}
	for _, system := range systems {
		var packages []struct{ Module *module }
		if err := list(&packages, system, "-deps", "."); err != nil {
			return nil, err
		}
		for _, p := range packages {
			if p.Module != nil && !p.Module.Main {
				found[p.Module.Path] = *p.Module
			}
		}
	}
	var all []module
	if err := list(&all, systems[0], "-m", "all"); err != nil {
		return nil, err
	}
	for _, m := range all {
		if !m.Main && !m.Indirect && m.Dir != "" {
			found[m.Path] = m
		}
	}
	var modules []module
	for _, m := range found {
		modules = append(modules, m)
	}
	slices.SortFunc(modules, func(a, b module) int { return strings.Compare(a.Path, b.Path) })
	return modules, nil
}

// list decodes what go list says into a slice.
func list[T any](into *[]T, system string, arguments ...string) error {
	command := exec.Command("go", append([]string{"list", "-e", "-json"}, arguments...)...)
	command.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=1")
	command.Stderr = os.Stderr
	text, err := command.Output()
	if err != nil {
		return err
	}
	for decoder := json.NewDecoder(strings.NewReader(string(text))); ; {
		var one T
		err := decoder.Decode(&one)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		*into = append(*into, one)
	}
}

// licence is the text of the files in a module's folder that hold its licence, notices and patents.
func licence(folder string) (string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return "", err
	}
	var texts []string
	for _, entry := range entries {
		name := strings.ToUpper(entry.Name())
		if entry.IsDir() || strings.HasSuffix(name, ".GO") {
			continue
		}
		for _, word := range []string{"LICENSE", "LICENCE", "COPYING", "NOTICE", "PATENTS"} {
			if strings.HasPrefix(name, word) || strings.HasSuffix(name, "."+word) {
				text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
				if err != nil {
					return "", err
				}
				texts = append(texts, strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")))
				break
			}
		}
	}
	if len(texts) == 0 {
		return "", errors.New("has no file LICENSE")
	}
	return strings.Join(texts, "\n\n"), nil
}
