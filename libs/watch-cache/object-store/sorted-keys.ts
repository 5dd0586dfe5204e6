/** A piece that grows longer than this is cut in two. */
const longestPiece = 512;
/** A piece that is shorter joins the next one where both fit into one. */
const shortestPiece = longestPiece / 4;

/** Keys from one on, up to another and without it. */
export interface KeyRange {
  readonly from: string;
  readonly to: string;
}

/** The keys of the objects of one namespace. */
export function namespaceRange(storagePrefix: string, namespace: string): KeyRange {
  // '0' is the character after '/'.
  return { from: `${storagePrefix}${namespace}/`, to: `${storagePrefix}${namespace}0` };
}

/** Keys in order, in pieces of bounded length: to add or remove one among many moves no more than a piece. */
export class SortedKeys {
  readonly #pieces: string[][] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds a key; one that is there already stays. */
  add(key: string): void {
    const last = this.#pieces.at(-1);
    // No piece is empty.
    if (last === undefined || key > last[last.length - 1]!) {
      this.append(key);
      return;
    }
    const number = this.#findPiece(key);
    const piece = this.#pieces[number]!; // The last key is none before this one.
    const position = lowerBound(piece, key);
    if (piece[position] === key) return;
    this.#size++;
    piece.splice(position, 0, key);
    if (piece.length > longestPiece) this.#pieces.splice(number + 1, 0, piece.splice(longestPiece / 2));
  }

  /** Adds a key that comes after all others: keys that come in order leave whole pieces behind them. */
  append(key: string): void {
    const last = this.#pieces.at(-1);
    if (last !== undefined && last.length < longestPiece) last.push(key);
    else this.#pieces.push([key]);
    this.#size++;
  }

  /** Removes a key; one that is not there is none. */
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

  /** How many keys are in a range; undefined: in all. */
  count(range: KeyRange | undefined): number {
    if (range === undefined) return this.#size;
    let count = 0;
    this.#visit(range, (_, start, end) => {
      count += end - start;
    });
    return count;
  }

  /** Adds the keys of a range to an array, in order. */
  collect(range: KeyRange | undefined, into: string[]): void {
    if (range === undefined) {
      for (const piece of this.#pieces) for (const key of piece) into.push(key);
      return;
    }
    this.#visit(range, (piece, start, end) => {
      for (let i = start; i < end; i++) into.push(piece[i]!); // Within bounds.
    });
  }

  /** Calls back for each piece that has a part in the range, with the bounds of the part. */
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

  /** The piece that a key is in, or belongs into: the first one that does not end before it. */
  #findPiece(key: string): number {
    const pieces = this.#pieces;
    let low = 0;
    let high = pieces.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const piece = pieces[middle]!; // Within bounds.
      if (piece[piece.length - 1]! < key)
        low = middle + 1; // No piece is empty.
      else high = middle;
    }
    return low;
  }
}

/** Where a key is in a piece, or belongs. */
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
