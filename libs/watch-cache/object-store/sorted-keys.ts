/** Longer pieces are split in two. */
const longestPiece = 512;
/** Shorter pieces are merged with the next one if both fit into one. */
const shortestPiece = longestPiece / 4;

/** A range of keys, `from` inclusive, `to` exclusive. */
export interface KeyRange {
  readonly from: string;
  readonly to: string;
}

/** Returns the key range of one namespace. */
export function namespaceRange(storagePrefix: string, namespace: string): KeyRange {
  // '0' is the character after '/'.
  return { from: `${storagePrefix}${namespace}/`, to: `${storagePrefix}${namespace}0` };
}

/** Sorted keys in pieces of bounded length: adding or removing a key moves at most one piece. */
export class SortedKeys {
  readonly #pieces: string[][] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds a key unless it is present. */
  add(key: string): void {
    const last = this.#pieces.at(-1);
    // Pieces are never empty.
    if (last === undefined || key > last[last.length - 1]!) {
      this.append(key);
      return;
    }
    const number = this.#findPiece(key);
    const piece = this.#pieces[number]!; // The last key is not before this one.
    const position = lowerBound(piece, key);
    if (piece[position] === key) return;
    this.#size++;
    piece.splice(position, 0, key);
    if (piece.length > longestPiece) this.#pieces.splice(number + 1, 0, piece.splice(longestPiece / 2));
  }

  /** Adds a key that is greater than all others: keys added in order fill whole pieces. */
  append(key: string): void {
    const last = this.#pieces.at(-1);
    if (last !== undefined && last.length < longestPiece) last.push(key);
    else this.#pieces.push([key]);
    this.#size++;
  }

  /** Removes a key if it is present. */
  delete(key: string): void {
    const number = this.#findPiece(key);
    const piece = this.#pieces[number];
    if (piece === undefined) return;
    const position = lowerBound(piece, key);
    if (piece[position] !== key) return;
    this.#size--;
    piece.splice(position, 1);
    const next = this.#pieces[number + 1];
    if (piece.length === 0) this.#pieces.splice(number, 1);
    else if (next !== undefined && piece.length < shortestPiece && piece.length + next.length <= longestPiece)
      this.#pieces.splice(number, 2, piece.concat(next));
  }

  /** Counts the keys of a range; undefined: all keys. */
  count(range: KeyRange | undefined): number {
    if (range === undefined) return this.#size;
    let count = 0;
    this.#visit(range, (_, start, end) => {
      count += end - start;
    });
    return count;
  }

  /** Appends the keys of a range to an array, in order. */
  collect(range: KeyRange | undefined, into: string[]): void {
    if (range === undefined) {
      for (const piece of this.#pieces) for (const key of piece) into.push(key);
      return;
    }
    this.#visit(range, (piece, start, end) => {
      for (let i = start; i < end; i++) into.push(piece[i]!); // Within bounds.
    });
  }

  /** Calls back for each piece that overlaps the range, with the bounds of the overlap. */
  #visit(
    { from, to }: KeyRange,
    visitor: (piece: readonly string[], start: number, end: number) => void,
  ): void {
    for (let number = this.#findPiece(from); number < this.#pieces.length; number++) {
      const piece = this.#pieces[number]!; // Within bounds.
      const end = lowerBound(piece, to);
      visitor(piece, lowerBound(piece, from), end);
      if (end < piece.length) return;
    }
  }

  /** Returns the index of the piece that contains a key or where it is inserted: the first one whose last key is not smaller. */
  #findPiece(key: string): number {
    const pieces = this.#pieces;
    let low = 0;
    let high = pieces.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const piece = pieces[middle]!; // Within bounds.
      if (piece[piece.length - 1]! < key)
        low = middle + 1; // Pieces are never empty.
      else high = middle;
    }
    return low;
  }
}

/** Returns the index of a key in a piece, or its insertion index. */
function lowerBound(piece: readonly string[], key: string): number {
  let low = 0;
  let high = piece.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (piece[middle]! < key)
      low = middle + 1; // Within bounds.
    else high = middle;
  }
  return low;
}
