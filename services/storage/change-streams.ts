import { StorageError } from '@binnacle/storage-contract';

/**
 * Streams of control types that are allowed for each stream of all changes: they carry little, and authorization depends on them.
 */
const controlShare = 4;

/** Bounds the streams of changes that a pod serves at once: one that falls behind costs the store a watch. */
export class ChangeStreams {
  readonly #most: number;
  readonly #open = { all: 0, control: 0 };

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts a stream until it is disposed of. Throws `unavailable` where there are too many: another pod may have room. */
  enter(only: 'control' | undefined): Disposable {
    const kind = only ?? 'all';
    const most = kind === 'control' ? controlShare * this.#most : this.#most;
    if (this.#open[kind] >= most)
      throw new StorageError('unavailable', 'this pod serves too many streams of changes');
    this.#open[kind]++;
    return {
      [Symbol.dispose]: () => {
        this.#open[kind]--;
      },
    };
  }
}
