package worker

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/elastic/go-seccomp-bpf"
	"github.com/landlock-lsm/go-landlock/landlock"
	landlocksys "github.com/landlock-lsm/go-landlock/landlock/syscall"

	"github.com/variscope/variscope/engine/device"
)

// refusedCalls are what no worker needs: connections, other programs, a look into other processes.
var refusedCalls = []string{
	"socket", "socketpair", "execve", "execveat", "ptrace", "process_vm_readv", "process_vm_writev",
}

// restrict leaves a worker, whose library is loaded, an empty folder and nothing else: it can open
// no file, make no connection and start no program; on a GPU it keeps what its driver needs. It
// says what the kernel makes of that.
func restrict(on device.Device, library string) (rights string, err error) {
	if err := leaveFolder(); err != nil {
		return "", err
	}
	var say []string
	if version, err := landlocksys.LandlockGetABIVersion(); err != nil {
		say = append(say, "any file, since this kernel has no Landlock")
	} else if err := landlock.V11.BestEffort().Restrict(driverRules(on, library)...); err != nil {
		say = append(say, fmt.Sprintf("any file, since Landlock is refused (%v)", err))
	} else if on.IsGPU() {
		say = append(say, fmt.Sprintf("the GPU's driver, its devices and cache, "+
			"and no other file (Landlock %d)", version))
	} else {
		say = append(say, fmt.Sprintf("no file (Landlock %d)", version))
	}
	err = seccomp.LoadFilter(seccomp.Filter{
		NoNewPrivs: true, Flag: seccomp.FilterFlagTSync,
		Policy: seccomp.Policy{
			DefaultAction: seccomp.ActionAllow,
			Syscalls:      []seccomp.SyscallGroup{{Names: refusedCalls, Action: seccomp.ActionErrno}},
		},
	})
	if err != nil {
		say = append(say, fmt.Sprintf("the network, since seccomp is refused (%v)", err))
	} else {
		say = append(say, "no network, no other program (seccomp)")
	}
	return strings.Join(say, "; "), nil
}

// driverRules let a GPU's driver read its libraries, which it loads as models need them, reach its
// devices, and keep compiled programs in one folder (CacheFolder).
func driverRules(on device.Device, library string) []landlock.Rule {
	if !on.IsGPU() {
		return nil
	}
	nodes, _ := filepath.Glob("/dev/nvidia*") // the only error is that of the pattern
	return []landlock.Rule{
		landlock.RODirs(append(filepath.SplitList(os.Getenv("LD_LIBRARY_PATH")), "/usr", "/lib", "/lib64", "/opt",
			"/etc", "/sys",
			"/proc/self", "/proc/driver", filepath.Dir(library))...).IgnoreIfMissing(),
		landlock.RWDirs("/dev/dri", "/dev/shm", CacheFolder()).WithIoctlDev().IgnoreIfMissing(),
		landlock.RWFiles(append(nodes, "/dev/null")...).WithIoctlDev().IgnoreIfMissing(),
	}
}

// leaveFolder goes to a folder that is empty and has no name any more.
func leaveFolder() error {
	folder, err := os.MkdirTemp("", "variscope-worker-")
	if err == nil {
		err = os.Chdir(folder)
	}
	if err == nil {
		err = os.Remove(folder)
	}
	if err != nil {
		return fmt.Errorf("give a worker an empty folder: %w", err)
	}
	return nil
}
