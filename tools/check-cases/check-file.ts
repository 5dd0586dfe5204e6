import { errorMessage } from '@binnacle/status-errors';
import type { CaseFile, RowGroup } from './cases/case-file.ts';

/** A row that does not hold. */
interface FailedRow {
  /** The file, the group and the position in it, for example `names/metadata/create/2`. */
  readonly id: string;
  readonly why: string;
}

/** The outcomes of the rows of a file. */
export interface FileResult {
  readonly file: string;
  readonly rows: number;
  /** Rows that are known not to hold and do not. */
  readonly expected: number;
  /** Rows that do not hold. */
  readonly failed: readonly FailedRow[];
  /** Rows that hold though they are known not to. */
  readonly surprising: readonly string[];
  readonly leftOut: number;
}

/** Runs the rows of a file; `known` has the rows that are known not to hold. */
export function checkFile(file: string, cases: CaseFile, known: ReadonlySet<string>): FileResult {
  const failed: FailedRow[] = [];
  const surprising: string[] = [];
  let rows = 0;
  let expected = 0;
  for (const group of cases.groups) {
    for (const [position, row] of group.rows.entries()) {
      if (group.isLeftOut?.(row as never)) continue; // the group was made for rows of its own form
      rows++;
      const id = `${file}/${group.name}/${position}`;
      const why = findProblem(group, row);
      if (why === undefined && known.has(id)) surprising.push(id);
      else if (why !== undefined && known.has(id)) expected++;
      else if (why !== undefined) failed.push({ id, why: `${nameFromRow(row)}${why}` });
    }
  }
  const leftOut = cases.leftOut.reduce((sum, { count }) => sum + count, 0);
  return { file, rows, expected, failed, surprising, leftOut };
}

function findProblem({ findProblem: check }: RowGroup, row: unknown): string | undefined {
  try {
    return check(row as never); // the group was made for rows of its own form
  } catch (error) {
    return errorMessage(error);
  }
}

function nameFromRow(row: unknown): string {
  if (typeof row !== 'object' || row === null || !('name' in row)) return '';
  return typeof row.name === 'string' ? `${row.name}: ` : '';
}
