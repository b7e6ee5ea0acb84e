package bus

// Bus carries wake-ups. All methods may be called from any goroutine. cancel ends a
// subscription, and may be called more than once.
type Bus interface {
	// Notify says that a conversation has reached seq. Call it after the commit.
	// It does not block and cannot fail: readers find a lost hint when they poll.
	Notify(conversation string, seq uint64)

	// Wake wakes the subscribers of this node alone, for a caller that found a new
	// frame without a hint.
	Wake(conversation string)

	// Subscribe returns a channel with room for one wake-up. The channel is never
	// closed: a reader that may have to stop selects on its context too.
	Subscribe(conversation string) (wake <-chan struct{}, cancel func())

	// Watch is Subscribe without a channel: it calls wake for each wake-up, from any
	// goroutine, until cancel. wake must not block, nor call the bus.
	Watch(conversation string, wake func()) (cancel func())

	// Numbers calls heard with the seq of each Notify for a topic, on this node or on
	// another that hears of the topic too, from any goroutine, until cancel. heard must
	// not block, nor call the bus. Other nodes may be heard a moment later.
	Numbers(topic string, heard func(seq uint64)) (cancel func())
}
