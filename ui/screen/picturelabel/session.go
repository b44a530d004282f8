package picturelabel

// none is the class of an image without a label.
const none = -1

// Session walks through images and remembers what was labelled. Positions count the images of the
// task from 0; the position behind the last one is the end. It is not safe for several goroutines.
type Session struct {
	images  []int
	classes []int // per position, none without label
	at      int
	steps   []step
	undone  []step // the last one that was taken back is the last
}

// step is one label that was given, with the class that the image had before.
type step struct{ position, before, class int }

// NewSession begins at the first image without a label, at the end when there is none. labels are
// the classes by image.
func NewSession(images []int, labels map[int]int) *Session {
	s := &Session{}
	seen := make(map[int]bool, len(images))
	for _, image := range images {
		if seen[image] {
			continue
		}
		seen[image] = true
		class, labelled := labels[image]
		if !labelled {
			class = none
		}
		s.images, s.classes = append(s.images, image), append(s.classes, class)
	}
	s.at = s.open(0)
	return s
}

// open is the first position from one on whose image has no label, the end when all have one.
func (s *Session) open(from int) int {
	for from < len(s.images) && s.classes[from] != none {
		from++
	}
	return from
}

// Len is the number of images.
func (s *Session) Len() int { return len(s.images) }

// At is the position, Len at the end.
func (s *Session) At() int { return s.at }

// Ended tells whether the position is the end.
func (s *Session) Ended() bool { return s.at == len(s.images) }

// Image is the number of the image at a position.
func (s *Session) Image(position int) int { return s.images[position] }

// Class is the class of the image at the position; ok is false when it has none, or at the end.
func (s *Session) Class() (class int, ok bool) {
	if s.Ended() {
		return none, false
	}
	return s.classes[s.at], s.classes[s.at] != none
}

// Labelled is the number of images with a label.
func (s *Session) Labelled() int {
	count := 0
	for _, class := range s.classes {
		if class != none {
			count++
		}
	}
	return count
}

// Label notes the label of the image at the position, which was stored, and goes on to the next
// image without one.
func (s *Session) Label(class int) {
	s.steps, s.undone = append(s.steps, step{s.at, s.classes[s.at], class}), nil
	s.classes[s.at] = class
	s.at = s.open(s.at + 1)
}

// Pass goes on to the next image without a label.
func (s *Session) Pass() {
	if !s.Ended() {
		s.at = s.open(s.at + 1)
	}
}

// Restart goes to the first image without a label.
func (s *Session) Restart() { s.at = s.open(0) }

// Move goes some images on, or back for a negative number, whether they have labels or not.
func (s *Session) Move(by int) { s.at = min(max(s.at+by, 0), len(s.images)) }

// Last is the image that was labelled last and the class that it had before; ok is false when
// nothing is left to take back.
func (s *Session) Last() (image, before int, ok bool) {
	if len(s.steps) == 0 {
		return 0, none, false
	}
	last := s.steps[len(s.steps)-1]
	return s.images[last.position], last.before, true
}

// Undo notes that the last label was taken back in the store, and goes to its image.
func (s *Session) Undo() {
	last := s.steps[len(s.steps)-1]
	s.steps, s.undone = s.steps[:len(s.steps)-1], append(s.undone, last)
	s.classes[last.position], s.at = last.before, last.position
}

// Undone is the image whose label was taken back last and the class that it had; ok is false when
// nothing was taken back since the last label.
func (s *Session) Undone() (image, class int, ok bool) {
	if len(s.undone) == 0 {
		return 0, none, false
	}
	last := s.undone[len(s.undone)-1]
	return s.images[last.position], last.class, true
}

// Redo notes that the label that was taken back last was given again in the store, and goes on from
// its image.
func (s *Session) Redo() {
	last := s.undone[len(s.undone)-1]
	s.undone, s.steps = s.undone[:len(s.undone)-1], append(s.steps, last)
	s.classes[last.position] = last.class
	s.at = s.open(last.position + 1)
}
