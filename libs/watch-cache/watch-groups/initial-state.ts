import type { Revision } from '@binnacle/storage-contract';
import type { CachedObject, WatchEncoding } from '../contract/contract.ts';
import type { CompiledQuery } from '../indexes/compiled-query.ts';
import type { ChunkBudget, HeldChunk } from './chunk-budget.ts';

const chunkBytes = 64 * 1024;
const objectsAChunk = 1000;
/** Of objects that are made ready first. */
const preparedAChunk = 100;

/** Frames that are kept until the budget needs their room. */
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
  /** Everything of the query is among them; they stay as they are. */
  readonly candidates: readonly CachedObject[];
  readonly query: CompiledQuery;
  readonly encoding: WatchEncoding;
  readonly budget: ChunkBudget;
}

/**
 * The existing objects of a query at one revision as ADDED frames, shared by all watchers that begin with them.
 *
 * Encoded in chunks when a watcher comes to them. Chunks are kept for the watchers behind, as far as the budget
 * allows; one that was let go is encoded again.
 */
export class InitialState {
  /** The state is complete up to here; grows while nothing of the type changes. */
  revision: Revision;
  readonly storeVersion: number;
  readonly #source: InitialStateSource;
  /** Index of the first candidate of each chunk known so far. */
  readonly #starts: number[] = [0];
  readonly #chunks: (Chunk | undefined)[] = [];
  #readers = 0;
  #isRetired = false;

  constructor(source: InitialStateSource, revision: Revision, storeVersion: number) {
    this.#source = source;
    this.revision = revision;
    this.storeVersion = storeVersion;
  }

  /** Whether it is costly to make anew. */
  get isLarge(): boolean {
    return this.#source.candidates.length > objectsAChunk / 10;
  }

  /** How many watchers are on their way through it. */
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

  /** No watcher begins with it any more: its chunks go when the last one has left. */
  retire(): void {
    this.#isRetired = true;
    if (this.#readers === 0) this.#release();
  }

  /** Prepares the objects of a chunk where they are not ready; chunks are requested in order at first. */
  prepare(number: number): Promise<void> | undefined {
    const { candidates, query, encoding } = this.#source;
    const start = this.#starts[number];
    if (encoding.preparation === undefined || start === undefined) return undefined;
    if (this.#chunks[number]?.frames !== undefined) return undefined;
    const wanted = candidates.slice(start, start + preparedAChunk).filter(object => query.matches(object));
    return encoding.preparation.prepare(wanted);
  }

  /** The frames of a chunk, maybe none; undefined past the last. Chunks are asked for in order at first. */
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
