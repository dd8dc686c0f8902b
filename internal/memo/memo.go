// Package memo remembers values that are made of their keys alone, in bounded memory.
package memo

import (
	"sync"
	"sync/atomic"
)

// Cache keeps the values of the keys that were asked for, about Most of them: it is emptied when it is full, so that a process that meets ever new keys does
// not grow. It is safe for concurrent use.
type Cache[K comparable, V any] struct {
	Most   int64
	values sync.Map
	count  atomic.Int64
}

// Get returns the value of a key, which build makes unless it is kept. Goroutines that miss a key at the same time may each build it; all get the same one
// unless the cache is emptied meanwhile.
func (c *Cache[K, V]) Get(key K, build func() V) V {
	if v, ok := c.values.Load(key); ok {
		return v.(V)
	}
	made := build()
	if c.count.Add(1) > c.Most {
		c.values.Clear()
		c.count.Store(1)
	}
	v, _ := c.values.LoadOrStore(key, made)
	return v.(V)
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
