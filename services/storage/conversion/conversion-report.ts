import type { StorageKey } from '@binnacle/storage-contract';
import type { ConvertedObject } from './convert-object.ts';
import type { KeptNames } from './kept-names.ts';
import type { Direction } from './name-words.ts';

/** The report of a conversion: its changes, and the texts that it left. */
export class ConversionReport {
  readonly direction: Direction;
  #objects = 0;
  #moved = 0;
  #earlier = 0;
  #reservations = 0;
  #historyKept = '';
  readonly #names = new Map<string, number>();
  readonly #ambiguous: string[] = [];
  readonly #kept: string[] = [];
  readonly #leftOut: string[] = [];
  readonly #aside = new Set<StorageKey>();

  constructor(direction: Direction) {
    this.direction = direction;
  }

  /** Number of rewritten objects. */
  get objects(): number {
    return this.#objects;
  }

  /** `KEY PLACE` of each text that holds a name and was left as it is. */
  get ambiguousPlaces(): readonly string[] {
    return this.#ambiguous;
  }

  /** `KEY PLACE` of each name that was one of the other vocabulary before. */
  get keptPlaces(): readonly string[] {
    return this.#kept;
  }

  /** `KEY PLACE` of each member and entry that was left out, since the conversion made it equal to another one. */
  get placesLeftOut(): readonly string[] {
    return this.#leftOut;
  }

  /** Keys of objects that were set aside. */
  get keysAside(): readonly StorageKey[] {
    return [...this.#aside];
  }

  converted({ key, names }: ConvertedObject, before: StorageKey): void {
    this.#objects++;
    if (key !== before) this.#moved++;
    for (const [sort, count] of names) this.#names.set(sort, (this.#names.get(sort) ?? 0) + count);
  }

  /** Counts an object that an interrupted conversion had converted already. */
  earlier(): void {
    this.#earlier++;
  }

  reservation(): void {
    this.#reservations++;
  }

  ambiguous({ key, ambiguous }: ConvertedObject): void {
    for (const place of ambiguous) this.#ambiguous.push(`${key} ${place}`);
  }

  kept({ key, names, leftOut = [] }: KeptNames): void {
    for (const { place, now } of names) this.#kept.push(`${key} ${place}: ${now}`);
    for (const place of leftOut) this.#leftOut.push(`${key} ${place}`);
  }

  setAside(key: StorageKey): void {
    this.#aside.add(key);
  }

  historyKept(reason: string): void {
    this.#historyKept = reason;
  }

  /** Formats the report as text, with a line feed at its end. */
  text(): string {
    const { from, to } = this.direction;
    const counts = [...this.#names].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const lines = [
      `The store has --api-names=${to} now.`,
      `Objects rewritten: ${this.#objects}, ${this.#moved} of them under another key.`,
      ...(this.#earlier > 0 ? [`Objects rewritten by earlier runs: ${this.#earlier}.`] : []),
      ...(this.#reservations > 0 ? [`Reservations rewritten: ${this.#reservations}.`] : []),
      ...(counts.length > 0
        ? [`Names by kind: ${counts.map(([sort, count]) => `${sort} ${count}`).join(', ')}.`]
        : []),
      ...section(`Not changed, because a name of ${from} is part of a longer text`, this.#ambiguous),
      ...section(`Kept, because they were not names of ${from} before`, this.#kept),
      ...section(
        'Left out until the store is converted back, because they would be duplicates',
        this.#leftOut,
      ),
      ...section('Set aside until the store is converted back, because their key is taken', [...this.#aside]),
      ...(this.#historyKept === '' ? [] : [`Earlier history was not removed: ${this.#historyKept}`]),
    ];
    return `${lines.join('\n')}\n`;
  }
}

function section(title: string, items: readonly string[]): string[] {
  return items.length === 0
    ? []
    : [`${title} (${items.length}):`, ...items.toSorted().map(item => `  ${item}`)];
}
