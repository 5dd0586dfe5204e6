/** Maximum payload of one frame, in bytes; longer payloads are split, so that a large answer does not delay small ones. */
export const maxFramePayload = 256 * 1024;

/** Maximum size of a request or an answer, in bytes, on call streams and in gRPC calls. */
export const maxMessageBytes = 16 * 1024 * 1024;

/** Maximum size of an encoded error on a call stream, in bytes. */
export const maxErrorBytes = 256 * 1024;

/** Unflushed bytes (high-water mark) at which either end of a call stream queues further frames. */
export const maxUnflushedBytes = 1024 * 1024;

/** Bytes of queued answers at which a server pauses reading from a call stream. */
export const maxQueuedBytes = 8 * 1024 * 1024;

/** Maximum number of calls under way on one call stream; the client rejects further ones. */
export const maxPendingCalls = 1024;

/** Maximum size of a message of several frames, in bytes, with the overhead of each frame. */
export const maxBatchBytes = maxFramePayload + 64 * 1024;

/** Maximum number of frames in a message; a full message is sent at once, so that the peer starts on it while more follow. */
export const maxBatchFrames = 32;
