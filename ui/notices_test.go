package ui

import "testing"

func TestNoticesComeInTheirOrderWithErrorsFirst(t *testing.T) {
	var n notices
	for _, m := range []notice{{text: "a"}, {text: "b", isError: true}, {text: "c"}, {text: "d", isError: true}} {
		if !n.add(m) {
			t.Errorf("%s is not new", m.text)
		}
	}
	for _, again := range []notice{{text: "a"}, {text: "b", isError: true}, {text: ""}} {
		if n.add(again) {
			t.Errorf("%q is kept twice", again.text)
		}
	}
	for k, want := range []string{"b", "d", "a", "c"} {
		shown, more, ok := n.shown()
		if !ok || shown.text != want || more != 3-k {
			t.Errorf("%q with %d behind it, want %q with %d", shown.text, more, want, 3-k)
		}
		if dropped := n.dismiss(); dropped.text != want {
			t.Errorf("dismissed %q", dropped.text)
		}
	}
	if _, _, ok := n.shown(); ok || n.dismiss().text != "" {
		t.Error("something is left")
	}
}
