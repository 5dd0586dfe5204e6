const gap = 2;

/**
 * Lines of cells divided by tabs, in columns: a cell that a tab ends is as wide as the widest of those above and below it, in lines
 * next to each other, with two spaces after it. The last cell of a line is written as it is.
 */
export function formatTabs(text: string): string {
  const lines = text.split('\n').map(line => line.split('\t'));
  alignColumn(lines, 0, 0, lines.length);
  return lines.map(cells => cells.join('')).join('\n');
}

/** Pads the cells of a column, and of those to its right, in the lines from `begin` to `end`. */
function alignColumn(lines: string[][], column: number, begin: number, end: number): void {
  const hasColumn = (index: number) => column < (lines[index]?.length ?? 0) - 1;
  for (let first = begin; first < end; first++) {
    if (!hasColumn(first)) continue;
    let after = first;
    while (after < end && hasColumn(after)) after++;
    const block = lines.slice(first, after);
    const width = Math.max(...block.map(cells => [...(cells[column] ?? '')].length)) + gap;
    for (const cells of block) {
      const cell = cells[column] ?? '';
      cells[column] = cell + ' '.repeat(width - [...cell].length);
    }
    alignColumn(lines, column + 1, first, after);
    first = after;
  }
}

/** A value without the control characters that could move the cursor of a terminal. */
export function withoutControls(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, character =>
    character === '\r' ? '\\r' : `^${String.fromCharCode(character.charCodeAt(0) ^ 0x40)}`,
  );
}
