package transport

// StreamsFor bounds how many streams may be open at once by the file descriptors of
// this process: each stream takes one. A quarter of them and 32 more are kept for
// requests, the store and outgoing calls, because a server without descriptors
// accepts no connection. Below 0, which is no limit, n stays.
func StreamsFor(n int) int {
	if all, ok := descriptors(); ok && n >= 0 {
		return min(n, room(all))
	}
	return n
}

func room(descriptors int) int { return max(1, descriptors-descriptors/4-32) }
