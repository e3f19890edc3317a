package shoptest

import "sync"

// Together runs f n times at once: goroutines released by the closing of one
// channel. It returns when all have returned.
func Together(n int, f func(i int)) {
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { <-start; f(i) })
	}
	close(start)
	wg.Wait()
}
