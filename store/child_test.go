package store

// The environment through which a test tells its child process what to do, and where.
const (
	childTask = "VARISCOPE_STORE_CHILD"
	childPath = "VARISCOPE_STORE_CHILD_PATH"
)

// children are the tasks of child processes; the result is the exit code.
var children = map[string]func(path string) int{}
