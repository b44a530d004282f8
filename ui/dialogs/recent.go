package dialogs

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/variscope/variscope/ui/background"
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
		title += " (" + "not there" + ")"
	}
	return title
}

// RecentWorkspaces are the workspaces at the paths, without the one that is open. Whether they are
// still there is not known yet (LookForRecent).
func RecentWorkspaces(paths []string, open string) []Recent {
	var list []Recent
	names := map[string]int{}
	for _, path := range paths {
		if path == open {
			continue
		}
		list = append(list, Recent{Path: path})
		names[filepath.Base(path)]++
	}
	for i := range list {
		list[i].twin = names[filepath.Base(list[i].Path)] > 1
	}
	return list
}

// LookForRecent looks in the background which of them are gone, and calls gone for each of those
// on the main goroutine. They are looked for side by side: a folder of a server that does not
// answer keeps nobody waiting, neither the window nor the others.
func LookForRecent(work *background.Group, list []Recent, gone func(Recent)) {
	for _, r := range list {
		var missing error
		work.Quiet("look for a workspace", func(ctx context.Context) (err error) {
			missing, err = abandoned(ctx, func() error {
				_, err := os.Stat(r.Path)
				return err
			})
			return err
		}, func(err error) {
			if err == nil && missing != nil {
				r.Gone = true
				gone(r)
			}
		})
	}
}

// abandoned is what look says, or the context's error as soon as that ends: nothing else ends a
// look at a server that does not answer. It goes on by itself then.
func abandoned(ctx context.Context, look func() error) (said, err error) {
	answer := make(chan error, 1)
	go func() { answer <- look() }()
	select {
	case said = <-answer:
		return said, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
