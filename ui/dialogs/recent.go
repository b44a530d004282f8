package dialogs

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/variscope/variscope/ui/words"
)

// Recent is a workspace that was open before.
type Recent struct {
	Path string
	// Gone is true when nothing is at the path any more.
	Gone bool
	// twin is true when another one of the list has the same name.
	twin bool
}

// Title is the workspace's name, with its folder where two have the same.
func (r Recent) Title() string {
	title := strings.TrimSuffix(filepath.Base(r.Path), ".variscope")
	if r.twin {
		title += " — " + filepath.Dir(r.Path)
	}
	if r.Gone {
		title += " (" + words.T("not there") + ")"
	}
	return title
}

// RecentWorkspaces looks which of the paths are still workspaces, without the one that is open.
func RecentWorkspaces(paths []string, open string) []Recent {
	var list []Recent
	names := map[string]int{}
	for _, path := range paths {
		if path == open {
			continue
		}
		_, err := os.Stat(path)
		list = append(list, Recent{Path: path, Gone: err != nil})
		names[filepath.Base(path)]++
	}
	for i := range list {
		list[i].twin = names[filepath.Base(list[i].Path)] > 1
	}
	return list
}
