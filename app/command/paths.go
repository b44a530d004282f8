package command

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/variscope/variscope/store/durable"
)

// DemoPath is where the demo workspace lies: in the user's data folder, which is made where it is
// missing.
func DemoPath() (string, error) {
	folder, err := dataDir()
	if err != nil {
		return "", err
	}
	if err := durable.Folders(folder); err != nil {
		return "", fmt.Errorf("make a folder for the demo workspace: %w; name one: variscope demo DIR", err)
	}
	return filepath.Join(folder, "demo.variscope"), nil
}

// dataDir is XDG_DATA_HOME/variscope, or its usual place, or the user's configuration folder where
// there is no such convention.
func dataDir() (string, error) {
	if base := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(base) {
		return filepath.Join(base, "variscope"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find a folder for the demo workspace: %w; name one: variscope demo DIR", err)
	}
	if share := filepath.Join(home, ".local", "share"); filepath.Separator == '/' {
		return filepath.Join(share, "variscope"), nil
	}
	base, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("find a folder for the demo workspace: %w; name one: variscope demo DIR", err)
	}
	return filepath.Join(base, "variscope"), nil
}

// workerCachePath is where a worker keeps models and images, in the user's cache folder, else
// beside other temporary files.
func workerCachePath() string {
	base, err := os.UserCacheDir()
	if err != nil {
		base = os.TempDir()
	}
	return filepath.Join(base, "variscope", "worker")
}

// tuningPath is the file that keeps what calibrations found out about this computer, in the user's
// cache folder; empty where there is no such folder.
func tuningPath() string {
	base, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(base, "variscope", "tuning.json")
}
