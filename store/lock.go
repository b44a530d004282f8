package store

import (
	"errors"
	"time"
)

// lockRetry is the pause between two attempts to lock the database.
const lockRetry = 20 * time.Millisecond

var errLocked = errors.New("locked by another process")
