import type { JsonObject } from '@binnacle/api-objects';

/** Rows of a file that are checked in the same way. */
export interface RowGroup {
  /** The path of the rows in the file, for example `labels/parse`. */
  readonly name: string;
  readonly rows: readonly unknown[];
  /** Returns a sentence that says why a row does not hold; undefined when it does. May throw instead. */
  readonly findProblem: (row: never) => string | undefined;
  /** Whether a row is left out. */
  readonly isLeftOut?: (row: never) => boolean;
}

/** Rows that are left out, and the reason. */
interface LeftOut {
  readonly name: string;
  readonly count: number;
  readonly reason: string;
}

/** A file of cases for the libraries. */
export interface CaseFile {
  readonly groups: readonly RowGroup[];
  readonly leftOut: readonly LeftOut[];
}

/** Reads a parsed file of cases; throws when it does not have the form of its kind. */
export type CaseFileReader = (document: JsonObject) => CaseFile;

/** Makes a group of the rows at a path of the document; a file without them has none. */
export function rowGroup<Row>(
  document: JsonObject,
  name: string,
  findProblem: (row: Row) => string | undefined,
): RowGroup {
  return { name, rows: rowsAt(document, name), findProblem };
}

/** Names rows that are left out: all at a path of the document, or those with a property. */
export function leftOut<Row>(
  document: JsonObject,
  name: string,
  { reason, isIt = () => true }: { readonly reason: string; readonly isIt?: (row: Row) => boolean },
): LeftOut {
  return { name, count: rowsAt(document, name).filter(row => isIt(row as Row)).length, reason }; // the file says so
}

/** The group without the rows that are left out. */
export function withoutRows<Row>(group: RowGroup, isIt: (row: Row) => boolean): RowGroup {
  // Positions in the file stay as they are, so that rows keep their names.
  return { ...group, isLeftOut: isIt as (row: never) => boolean };
}

function rowsAt(document: JsonObject, name: string): readonly unknown[] {
  let value: unknown = document;
  for (const step of name.split('/')) {
    if (typeof value !== 'object' || value === null) return [];
    value = Reflect.get(value, step);
  }
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new Error(`${name} is no list of rows`);
  return value;
}
