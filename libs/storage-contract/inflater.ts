import { constants, createInflateRaw, type InflateRaw, inflateRawSync } from 'node:zlib';

/** The parts of Node's zlib streams that are used here, unchanged for many releases: `inflateRawSync` makes and frees one for every call. */
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
  /** Room that is left in the output, and input that is left. */
  readonly _writeState?: Uint32Array;
}

/**
 * Decompresses raw deflate, one text after the other, with one decompressor: making one costs more than most texts do.
 * Throws on what is no deflate, and on what would be larger than `mostBytes`.
 */
export class Inflater {
  readonly #mostBytes: number;
  #output: Buffer | undefined;
  #stream: (InflateRaw & InflateInternals) | undefined;
  #failure: Error | undefined;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** The text, in memory of its own. */
  inflate(deflated: Uint8Array): Buffer {
    const stream = this.#open();
    const { _handle: handle, _writeState: state } = stream;
    if (!handle || state === undefined) return inflateRawSync(deflated, { maxOutputLength: this.#mostBytes });
    // One byte more than there may be tells what is too large.
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
    // Told within `writeSync`; the stream itself is destroyed and tells only later.
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

  /** A decompressor that failed is of no use any more. */
  #failed(): Error {
    const failure = this.#failure ?? new Error('the decompressor failed');
    this.#failure = undefined;
    this.#stream = undefined;
    return failure;
  }
}
