import type { NameTable } from './table/name-table.ts';
import { vocabulary } from './vocabulary.ts';

/** The names of a table in the vocabulary of this process. */
type NamesOf<T extends NameTable> = { readonly [Key in keyof T]: string };

/** The names of a table that this process understands, its own name first. */
type AliasesOf<T extends NameTable> = { readonly [Key in keyof T]: readonly string[] };

const column = vocabulary === 'cluster' ? 0 : 1;

/** Returns the names of a table in the vocabulary of this process. */
export function chooseNames<T extends NameTable>(table: T): NamesOf<T> {
  return mapRows(table, row => row[column]) as NamesOf<T>; // Each key has its name.
}

/**
 * Returns the names that clients may use for each entry of a table: under `cluster` both names, under `kubernetes` only its own.
 */
export function chooseAliases<T extends NameTable>(table: T): AliasesOf<T> {
  const aliases = (row: NameTable[string]) =>
    vocabulary === 'cluster' && row[0] !== row[1] ? row : [row[column]];
  return mapRows(table, aliases) as AliasesOf<T>; // Each key has its aliases.
}

function mapRows<V>(table: NameTable, read: (row: NameTable[string]) => V): Readonly<Record<string, V>> {
  return Object.freeze(Object.fromEntries(Object.entries(table).map(([key, row]) => [key, read(row)])));
}
