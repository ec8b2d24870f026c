package fold

import "github.com/turnwatch/turnwatch/collector"

// rewind notes which turns were taken back. They stay: they happened, and what they consumed was spent.
func (s *Session) rewind(ev *collector.Event) {
	from, known := s.promptByKey[ev.Key]
	if !known || ev.Key == "" {
		return
	}
	if ev.After {
		from++
	}
	for _, t := range s.turns[from:] {
		if !t.Rewound {
			t.Rewound, t.Changed = true, true
		}
	}
}
