/** Narrowest column, its gap included. */
const smallestWidth = 6;
const gap = 3;

/**
 * Writes lines of cells in columns as kubectl does, three spaces between them, the last cell as it is. Columns that have
 * become wide stay so: a watch writes one line after another.
 */
export class Columns {
  readonly #widths: number[] = [];

  /** The text of some lines, each with its newline. */
  write(lines: readonly (readonly string[])[]): string {
    const shown = lines.map(cells => cells.map(visible));
    for (const cells of shown)
      for (const [index, cell] of cells.slice(0, -1).entries())
        this.#widths[index] = Math.max(this.#widths[index] ?? smallestWidth, [...cell].length + gap);
    return shown.map(cells => `${this.#line(cells)}\n`).join('');
  }

  #line(cells: readonly string[]): string {
    return cells
      .map((cell, index) => {
        if (index === cells.length - 1) return cell;
        return cell + ' '.repeat((this.#widths[index] ?? 0) - [...cell].length);
      })
      .join('');
  }
}

/** Lines of cells in columns of their own. */
export function columnsText(lines: readonly (readonly string[])[]): string {
  return new Columns().write(lines);
}

/** Control characters, which could move the cursor of a terminal, are written in a visible form. */
function visible(cell: string): string {
  return cell.replaceAll(controlCharacters, character =>
    character === '\n' ? '\\n' : `^${String.fromCharCode(character.charCodeAt(0) ^ 0x40)}`,
  );
}

const controlCharacters = /\p{Cc}/gu;
