package picturelabel

import (
	"testing"

	"pgregory.net/rapid"
)

func TestSession(t *testing.T) {
	s := NewSession([]int{7, 3, 7, 9, 4}, map[int]int{7: 2, 8: 1})
	expect := func(what string, at, labelled int) {
		t.Helper()
		if s.At() != at || s.Labelled() != labelled {
			t.Errorf("%s: at %d with %d labelled, want %d with %d", what, s.At(), s.Labelled(), at, labelled)
		}
	}
	if s.Len() != 4 {
		t.Fatalf("%d images, want 4: the second 7 counts nothing", s.Len())
	}
	expect("the first is labelled", 1, 1)
	s.Label(0)
	expect("a label goes on", 2, 2)
	s.Pass()
	expect("a skip goes on", 3, 2)
	s.Label(5)
	expect("the last label ends", 4, 3)
	if _, ok := s.Class(); ok || !s.Ended() {
		t.Error("the end has a class")
	}
	s.Pass()
	s.Move(1)
	expect("nothing is behind the end", 4, 3)
	s.Restart()
	expect("what was skipped comes again", 2, 3)
	s.Move(-2)
	if class, ok := s.Class(); !ok || class != 2 || s.At() != 0 {
		t.Errorf("class %d at %d", class, s.At())
	}
	s.Label(1) // another class
	expect("over labelled images", 2, 3)
	s.Move(-9)
	expect("nothing is before the first", 0, 3)
}

func TestSessionRedo(t *testing.T) {
	s := NewSession([]int{10, 20, 30}, nil)
	s.Label(4)
	s.Label(2)
	s.Undo()
	s.Undo()
	for _, want := range []struct{ image, class, at int }{{10, 4, 1}, {20, 2, 2}} {
		image, class, ok := s.Undone()
		if !ok || image != want.image || class != want.class {
			t.Errorf("%d, %d, %v was taken back, want %+v", image, class, ok, want)
		}
		if s.Redo(); s.At() != want.at || s.classes[want.at-1] != want.class {
			t.Errorf("at %d with %v, want %+v", s.At(), s.classes, want)
		}
	}
	s.Undo()
	s.Label(1)
	if _, _, ok := s.Undone(); ok || s.classes[1] != 1 {
		t.Error("a label that was overtaken by another one can be given again")
	}
}

func TestSessionWithoutImages(t *testing.T) {
	s := NewSession(nil, nil)
	s.Pass()
	s.Move(-1)
	s.Restart()
	if !s.Ended() || s.Labelled() != 0 {
		t.Errorf("%+v", s)
	}
}

// TestSessionKeepsWhatWasDone does anything in any order and compares with a map of labels and a
// list of its states.
func TestSessionKeepsWhatWasDone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.IntRange(1, 6).Draw(t, "images")
		var images []int
		for k := range count {
			images = append(images, 10*k)
		}
		s, labels := NewSession(images, nil), map[int]int{}
		var undo []map[int]int
		for range rapid.IntRange(0, 30).Draw(t, "deeds") {
			switch rapid.IntRange(0, 4).Draw(t, "deed") {
			case 0:
				s.Pass()
			case 1:
				s.Move(rapid.IntRange(-3, 3).Draw(t, "by"))
			case 2:
				if _, _, ok := s.Last(); ok {
					s.Undo()
					labels, undo = undo[len(undo)-1], undo[:len(undo)-1]
				}
			case 3:
				s.Restart()
			default:
				if !s.Ended() {
					undo = append(undo, labels)
					next := map[int]int{s.Image(s.At()): rapid.IntRange(0, 3).Draw(t, "class")}
					for image, class := range labels {
						if _, given := next[image]; !given {
							next[image] = class
						}
					}
					class := next[s.Image(s.At())]
					labels = next
					s.Label(class)
				}
			}
			if s.Labelled() != len(labels) {
				t.Fatalf("%d labels, want %v", s.Labelled(), labels)
			}
			if class, ok := s.Class(); !s.Ended() {
				want, labelled := labels[s.Image(s.At())]
				if ok != labelled || ok && class != want {
					t.Fatalf("image %d has class %d, want %v", s.Image(s.At()), class, labels)
				}
			}
		}
	})
}
