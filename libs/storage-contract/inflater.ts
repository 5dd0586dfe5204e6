import { constants, createInflateRaw, type InflateRaw, inflateRawSync } from 'node:zlib';

/**
 * Internals of Node's zlib streams, unchanged for many releases. They allow reuse of one decompressor; `inflateRawSync` creates
 * and frees one for every call.
 */
interface InflateInternals {
  readonly _handle?: {
    reset(): void;
    writeSync(
      ...args: [
        flush: number,
        from: Uint8Array,
        at: number,
        bytes: number,
        to: Uint8Array,
        toAt: number,
        room: number,
      ]
    ): void;
  } | null;
  /** Remaining output capacity, and remaining input. */
  readonly _writeState?: Uint32Array;
}

/**
 * Decompresses raw deflate data with one reused decompressor, because creating one costs more than decompressing a typical
 * record. Throws on invalid data, and on output larger than `mostBytes`.
 */
export class Inflater {
  readonly #mostBytes: number;
  #output: Buffer | undefined;
  #stream: (InflateRaw & InflateInternals) | undefined;
  #failure: Error | undefined;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Returns the decompressed bytes in memory of their own. */
  inflate(deflated: Uint8Array): Buffer {
    const stream = this.#open();
    const { _handle: handle, _writeState: state } = stream;
    if (!handle || state === undefined) return inflateRawSync(deflated, { maxOutputLength: this.#mostBytes });
    // One byte more than allowed detects output that is too large.
    this.#output ??= Buffer.allocUnsafeSlow(this.#mostBytes + 1);
    const output = this.#output;
    handle.reset();
    handle.writeSync(constants.Z_FINISH, deflated, 0, deflated.length, output, 0, output.length);
    if (this.#failure !== undefined) throw this.#failed();
    const [room = 0] = state;
    if (room === 0) {
      const error = new RangeError(`Cannot create a Buffer larger than ${this.#mostBytes} bytes`);
      throw Object.assign(error, { code: 'ERR_BUFFER_TOO_LARGE' });
    }
    return Buffer.from(output.subarray(0, output.length - room));
  }

  #open(): InflateRaw & InflateInternals {
    if (this.#stream !== undefined) return this.#stream;
    const stream: InflateRaw & InflateInternals = createInflateRaw();
    const { _handle: handle } = stream;
    // Called during `writeSync`; the stream itself emits the error only later.
    if (handle) {
      const onError = (handle as { onerror?: (...args: unknown[]) => void }).onerror;
      Object.assign(handle, {
        onerror: (message: string, ...rest: unknown[]) => {
          this.#failure = new Error(message);
          onError?.call(handle, message, ...rest);
        },
      });
    }
    stream.on('error', () => {});
    this.#stream = stream;
    return stream;
  }

  /** Discards a decompressor that failed and returns its error. */
  #failed(): Error {
    const failure = this.#failure ?? new Error('the decompressor failed');
    this.#failure = undefined;
    this.#stream = undefined;
    return failure;
  }
}
