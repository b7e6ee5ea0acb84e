package bus

// Bus carries wake-ups. All methods may be called from any goroutine.
type Bus interface {
	// Notify says that a conversation has reached seq. Call it after the commit.
	// It does not block and cannot fail: readers find a lost hint when they poll.
	Notify(conversation string, seq uint64)

	// Subscribe returns a channel with room for one wake-up and a function that
	// ends the subscription, which may be called more than once. The channel is
	// never closed: a reader that may have to stop selects on its context too.
	Subscribe(conversation string) (wake <-chan struct{}, cancel func())
}

// Waker is the optional ability to wake the subscribers of this node alone, for a
// caller that found a new frame without a hint.
type Waker interface {
	Wake(conversation string)
}

// Watcher is the optional ability to wake without a channel, and without the
// goroutine that waits for it.
type Watcher interface {
	// Watch calls wake for each wake-up, from any goroutine, until cancel. wake
	// must not block, nor call the bus.
	Watch(conversation string, wake func()) (cancel func())
}
