package progress

import "sync"

// Parts is the progress of work that has several parts, one after the other, as one count in
// percent that never falls. Each part has the same share. Each total that a part sets begins a
// piece of work that takes half of what is left of the part's share, so that a part may have any
// number of them.
type Parts struct {
	to    Progress
	parts int

	mu          sync.Mutex
	part        int     // that is under way, from 0
	begun, take float64 // shares of the part: before the piece of work, and of it
	done, total int64   // of the piece
	told        int64   // percent
}

// NewParts tells p, in percent, how much of n parts is done; the first is under way. A p with a
// method Percent is told first that it counts percent.
func NewParts(p Progress, n int) *Parts {
	p = Or(p)
	if counts, ok := p.(interface{ Percent() }); ok {
		counts.Percent()
	}
	p.SetTotal(100)
	return &Parts{to: p, parts: n}
}

// Next begins the next part; after the last one all is done.
func (p *Parts) Next() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.part++
	p.begun, p.take, p.done, p.total = 0, 0, 0, 0
	p.tell()
}

// SetTotal begins a piece of work of n steps in the part.
func (p *Parts) SetTotal(n int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.begun += p.take * p.share()
	p.take, p.done, p.total = (1-p.begun)/2, 0, n
}

// Add adds finished steps of the piece of work.
func (p *Parts) Add(n int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done += n
	p.tell()
}

// share is how much of the piece of work is done, from 0 to 1.
func (p *Parts) share() float64 {
	if p.total <= 0 {
		return 0
	}
	return min(float64(p.done)/float64(p.total), 1)
}

// tell tells of whole percents.
func (p *Parts) tell() {
	now := int64(100 * (float64(p.part) + p.begun + p.take*p.share()) / float64(p.parts))
	if now = min(now, 100); now > p.told {
		p.to.Add(now - p.told)
		p.told = now
	}
}
