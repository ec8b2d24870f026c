package redact

import "sync"

const (
	cacheEntries = 2048
	cacheLongest = 1 << 10 // bytes; previews are at most half of it
)

// cache remembers what became of suspicious short texts. Lists show the same previews again and again, and the detector
// takes 0.1 to 1 ms for each. It holds two generations of cacheEntries, so at most some megabytes.
type cache struct {
	mu       sync.Mutex
	now, old map[string]string
}

func (c *cache) get(s string) (masked string, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if masked, ok = c.now[s]; ok {
		return masked, true
	}
	if masked, ok = c.old[s]; ok {
		c.put(s, masked)
	}
	return masked, ok
}

func (c *cache) add(s, masked string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.put(s, masked)
}

func (c *cache) put(s, masked string) {
	if c.now == nil || len(c.now) >= cacheEntries {
		c.now, c.old = make(map[string]string), c.now
	}
	c.now[s] = masked
}
