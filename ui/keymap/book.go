package keymap

// Preferences is where the map is kept; fyne.Preferences is one.
type Preferences interface {
	StringWithFallback(key, fallback string) string
	SetString(key, value string)
}

// preference is the key of the map in the preferences.
const preference = "keys"

// Book holds the map in force and tells of its changes. It is used on the main goroutine.
type Book struct {
	preferences Preferences
	current     Map
	next        int
	listeners   map[int]func()
}

// Open reads the map from the preferences of this computer. When they cannot be read, the usual map
// is in force and the error says so. Preferences may be nil, for a map that is not kept.
func Open(p Preferences) (*Book, error) {
	b := &Book{preferences: p, current: Default(), listeners: map[int]func(){}}
	if p == nil {
		return b, nil
	}
	var err error
	b.current, err = Parse(p.StringWithFallback(preference, ""))
	return b, err
}

// Map is the map in force.
func (b *Book) Map() Map { return b.current }

// Set puts a map in force, keeps it and tells everybody.
func (b *Book) Set(m Map) {
	b.current = m
	if b.preferences != nil {
		b.preferences.SetString(preference, m.JSON())
	}
	for id := range b.next {
		if notify := b.listeners[id]; notify != nil {
			notify()
		}
	}
}

// OnChange has notify called after each change until cancel.
func (b *Book) OnChange(notify func()) (cancel func()) {
	id := b.next
	b.next++
	b.listeners[id] = notify
	return func() { delete(b.listeners, id) }
}
