// Package memo remembers values that are made of their keys alone, in bounded memory.
package memo

import "sync"

// Cache keeps the values of the keys that were asked for, at most Most of them: it is emptied when it is full, so that a process that meets ever new keys does
// not grow. It is safe for concurrent use.
type Cache[K comparable, V any] struct {
	Most   int
	values sync.Map
	adding sync.Mutex // whoever adds a value
	count  int        // values kept
}

// Get returns the value of a key, which build makes unless it is kept. Goroutines that miss a key at the same time may each build it; all get the same one
// unless the cache is emptied meanwhile.
func (c *Cache[K, V]) Get(key K, build func() V) V {
	if v, ok := c.values.Load(key); ok {
		return v.(V)
	}
	made := build()
	c.adding.Lock()
	defer c.adding.Unlock()
	if v, ok := c.values.Load(key); ok { // another was faster
		return v.(V)
	}
	if c.count >= c.Most {
		c.values.Clear()
		c.count = 0
	}
	c.values.Store(key, made)
	c.count++
	return made
}

// Len returns the number of values kept.
func (c *Cache[K, V]) Len() int {
	n := 0
	c.values.Range(func(any, any) bool {
		n++
		return true
	})
	return n
}
