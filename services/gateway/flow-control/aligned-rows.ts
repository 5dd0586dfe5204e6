const leastWidth = 8;

/**
 * Renders rows as Go's tabwriter does for the tables of kube-apiserver: cells end with a comma, and each but the last of a
 * row is filled up to the widest of its column, at least to eight characters.
 */
export function alignedRows(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.slice(0, -1).entries())
      widths[column] = Math.max(widths[column] ?? leastWidth, cell.length + 2);
  return rows
    .map(row => {
      const last = row.length - 1;
      const cells = row.map((cell, column) =>
        column === last ? cell : `${cell},`.padEnd(widths[column] ?? leastWidth),
      );
      return `${cells.join('')}\n`;
    })
    .join('');
}
