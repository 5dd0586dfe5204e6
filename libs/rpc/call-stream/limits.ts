/** Longest payload of one frame; longer ones travel in several, so that a big answer does not hold up small ones. */
export const maxFramePayload = 256 * 1024;

/** Longest message, in either direction and on every way. */
export const maxMessageBytes = 16 * 1024 * 1024;

/** Longest encoded error on a call stream. */
export const maxErrorBytes = 256 * 1024;

/** Written but unflushed bytes at which a side of a call stream holds back more. */
export const maxUnflushedBytes = 1024 * 1024;

/** Bytes of queued answers at which a server stops reading requests from a call stream. */
export const maxQueuedBytes = 8 * 1024 * 1024;

/** Calls that a client has under way on one call stream at most; more are refused where they are made. */
export const maxPendingCalls = 1024;

/** Frames that travel as one message, with what each costs. */
export const maxBatchBytes = maxFramePayload + 64 * 1024;

/** Frames of one turn that travel as one message; more leave at once, so that the other side works on them meanwhile. */
export const maxBatchFrames = 32;
