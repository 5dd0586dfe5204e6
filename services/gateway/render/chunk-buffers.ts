/** Bytes of a buffer: large enough for few writes, small enough to stay in the processor's cache between copy and write. */
const chunkBytes = 256 * 1024;
/** Buffers kept for the next lists. */
const maxKept = 8;

const kept: Buffer[] = [];

/** A buffer to render into, which goes back when it is disposed of. */
interface ChunkBufferLease extends Disposable {
  readonly buffer: Buffer;
}

/** Lends a buffer. A list of megabytes is rendered into it piece by piece, so that it leaves no garbage behind. */
export function leaseChunkBuffer(): ChunkBufferLease {
  const buffer = kept.pop() ?? Buffer.allocUnsafeSlow(chunkBytes);
  return {
    buffer,
    [Symbol.dispose]() {
      if (kept.length < maxKept) kept.push(buffer);
    },
  };
}
