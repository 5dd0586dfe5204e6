import type { Revision } from '@binnacle/storage-contract';
import type { CachedObject, WatchEncoding } from '../contract/contract.ts';
import type { CompiledQuery } from '../indexes/compiled-query.ts';
import type { ChunkBudget, HeldChunk } from './chunk-budget.ts';

const chunkBytes = 64 * 1024;
const objectsAChunk = 1000;
/** Number of objects of a chunk when objects must be prepared. */
const preparedAChunk = 100;

/** Frames that are kept until the budget releases them. */
class Chunk implements HeldChunk {
  readonly bytes: number;
  frames: Buffer | undefined;

  constructor(frames: Buffer) {
    this.frames = frames;
    this.bytes = frames.length;
  }

  release(): void {
    this.frames = undefined;
  }
}

/** The source of an initial state. */
interface InitialStateSource {
  /** Contains all objects of the query; the array does not change. */
  readonly candidates: readonly CachedObject[];
  readonly query: CompiledQuery;
  readonly encoding: WatchEncoding;
  readonly budget: ChunkBudget;
}

/**
 * The existing objects of a query at one revision as ADDED frames, shared by all watchers that start with it.
 *
 * Chunks are encoded when the first watcher reaches them and kept for later watchers within the budget; a released chunk is
 * encoded again on demand.
 */
export class InitialState {
  /** The state is complete up to this revision, which grows while the type does not change. */
  revision: Revision;
  readonly storeVersion: number;
  readonly #source: InitialStateSource;
  /** Index of the first candidate of each chunk, as far as chunks were encoded. */
  readonly #starts: number[] = [0];
  readonly #chunks: (Chunk | undefined)[] = [];
  #readers = 0;
  #isRetired = false;

  constructor(source: InitialStateSource, revision: Revision, storeVersion: number) {
    this.#source = source;
    this.revision = revision;
    this.storeVersion = storeVersion;
  }

  /** Whether the state is expensive to create: more than 100 candidates. */
  get isLarge(): boolean {
    return this.#source.candidates.length > objectsAChunk / 10;
  }

  /** Number of watchers that read the state. */
  get readers(): number {
    return this.#readers;
  }

  enter(): void {
    this.#readers++;
  }

  leave(): void {
    this.#readers--;
    if (this.#isRetired && this.#readers === 0) this.#release();
  }

  /** Closes the state for new watchers: its chunks are dropped when the last reader has left. */
  retire(): void {
    this.#isRetired = true;
    if (this.#readers === 0) this.#release();
  }

  /** Prepares the objects of a chunk; undefined if they are ready. Chunks must first be requested in order. */
  prepare(number: number): Promise<void> | undefined {
    const { candidates, query, encoding } = this.#source;
    const start = this.#starts[number];
    if (encoding.preparation === undefined || start === undefined) return undefined;
    if (this.#chunks[number]?.frames !== undefined) return undefined;
    const wanted = candidates.slice(start, start + preparedAChunk).filter(object => query.matches(object));
    return encoding.preparation.prepare(wanted);
  }

  /** Returns the frames of a chunk, possibly empty; undefined past the last one. Chunks must first be requested in order. */
  chunk(number: number): Buffer | undefined {
    const start = this.#starts[number];
    if (start === undefined || start >= this.#source.candidates.length) return undefined;
    const kept = this.#chunks[number]?.frames;
    if (kept !== undefined) return kept;
    const { frames, end } = this.#encode(start);
    this.#starts[number + 1] = end;
    const chunk = new Chunk(frames);
    this.#chunks[number] = chunk;
    this.#source.budget.hold(chunk);
    return frames;
  }

  #release(): void {
    for (const chunk of this.#chunks) if (chunk !== undefined) this.#source.budget.drop(chunk);
    this.#chunks.length = 0;
  }

  #encode(start: number): { frames: Buffer; end: number } {
    const { candidates, query, encoding } = this.#source;
    const frames: Buffer[] = [];
    let bytes = 0;
    const most = encoding.preparation === undefined ? objectsAChunk : preparedAChunk;
    let end = start;
    for (; end < candidates.length && end - start < most; end++) {
      const object = candidates[end]!; // Within bounds.
      if (!query.matches(object)) continue;
      const frame = encoding.event({ type: 'ADDED', object, revision: object.revision });
      if (bytes > 0 && bytes + frame.length > chunkBytes) break;
      frames.push(frame);
      bytes += frame.length;
    }
    return { frames: Buffer.concat(frames, bytes), end };
  }
}
