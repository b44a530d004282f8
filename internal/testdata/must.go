package testdata

// Fataler is a test, also of a property.
type Fataler interface {
	Helper()
	Fatal(args ...any)
}

// Must ends a test whose preparation has failed.
func Must(t Fataler, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
