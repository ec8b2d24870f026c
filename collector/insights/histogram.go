package insights

import "math"

// histogram counts durations in classes that are 10 % wide, so that a quantile read from it is within 5 %. Histograms of
// sessions add up, which quantiles of sessions do not.
type histogram struct {
	counts []int32
	n      int
}

// classes of a histogram: class 0 is 0 ms, the last one holds everything above a month.
const (
	growth   = 1.1
	maxClass = 230
)

func classOf(ms int64) int {
	if ms <= 0 {
		return 0
	}
	return min(maxClass, 1+int(math.Log(float64(ms))/math.Log(growth)))
}

// middle is the geometric middle of a class, in milliseconds.
func middle(class int) float64 {
	if class == 0 {
		return 0
	}
	return math.Pow(growth, float64(class)-0.5)
}

func (h *histogram) add(class, n int) {
	if class < 0 || class > maxClass || n <= 0 {
		return
	}
	if class >= len(h.counts) {
		h.counts = append(h.counts, make([]int32, class+1-len(h.counts))...)
	}
	h.counts[class] += int32(n)
	h.n += n
}

// quantile returns the duration that a share q of the calls did not exceed; nil if there are none.
func (h *histogram) quantile(q float64) *float64 {
	if h.n == 0 {
		return nil
	}
	rank := int(math.Ceil(q * float64(h.n)))
	seen := 0
	for class, n := range h.counts {
		if seen += int(n); seen >= max(rank, 1) {
			v := math.Round(middle(class)*10) / 10
			return &v
		}
	}
	return nil
}

func (h *histogram) encode(w *writer) {
	used := 0
	for _, n := range h.counts {
		if n > 0 {
			used++
		}
	}
	w.int(int64(used))
	last := 0
	for class, n := range h.counts {
		if n > 0 {
			w.int(int64(class-last), int64(n))
			last = class
		}
	}
}

// decode adds what encode wrote.
func (h *histogram) decode(r *reader) {
	class := 0
	for range r.count() {
		class += int(r.int())
		h.add(class, int(r.int()))
	}
}
