import type { NameTable } from './table/name-table.ts';
import { vocabulary } from './vocabulary.ts';

/** The names of a table in the vocabulary of this process. */
type NamesOf<T extends NameTable> = { readonly [Key in keyof T]: string };

/** The aliases of names that this process understands: its own first. */
type AliasesOf<T extends NameTable> = { readonly [Key in keyof T]: readonly string[] };

const column = vocabulary === 'cluster' ? 0 : 1;

/** The names of a table as this process writes them. */
export function chooseNames<T extends NameTable>(table: T): NamesOf<T> {
  return mapRows(table, row => row[column]) as NamesOf<T>; // each key has its name
}

/** Whatever a client may call what a table names: under `cluster` by either name, under `kubernetes` by the one that it has. */
export function chooseAliases<T extends NameTable>(table: T): AliasesOf<T> {
  const aliases = (row: NameTable[string]) =>
    vocabulary === 'cluster' && row[0] !== row[1] ? row : [row[column]];
  return mapRows(table, aliases) as AliasesOf<T>; // each key has its aliases
}

function mapRows<V>(table: NameTable, read: (row: NameTable[string]) => V): Readonly<Record<string, V>> {
  return Object.freeze(Object.fromEntries(Object.entries(table).map(([key, row]) => [key, read(row)])));
}
