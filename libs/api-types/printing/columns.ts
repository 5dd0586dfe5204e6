import type { ApiObject, JsonValue } from '@binnacle/api-objects';
import type { TableColumn } from '../definitions/kind-rules.ts';
import { ageSince } from './age.ts';

/** Creates a text column that is always shown; `facts` overrides its properties. */
export function column(name: string, description: string, facts: Partial<TableColumn> = {}): TableColumn {
  return { name, type: 'string', format: '', description, priority: 0, ...facts };
}

/** Creates a column that is only shown in wide output. */
export function wideColumn(name: string, description: string): TableColumn {
  return column(name, description, { priority: 1 });
}

/** The name of the object. */
export const nameColumn = column('Name', 'The name of the object, unique in its namespace.', {
  format: 'name',
});

/** How long ago the object was created. */
export const ageColumn = column('Age', 'The time since the object was created.');

/** The columns of a kind without columns of its own. */
export const defaultColumns: readonly TableColumn[] = [
  nameColumn,
  column('Created At', 'When the object was created.', { type: 'date' }),
];

/** The cells under `defaultColumns`. */
export function defaultCells(object: ApiObject): JsonValue[] {
  return [nameCell(object), object.metadata.creationTimestamp ?? null];
}

/** The cell under `nameColumn`. */
export function nameCell(object: ApiObject): string {
  return object.metadata.name ?? '';
}

/** The cell under `ageColumn`. */
export function ageCell(object: ApiObject, now: number): string {
  return ageSince(object.metadata.creationTimestamp, now);
}

/** Joins texts; `<none>` if there are none. */
export function joinedOrNone(texts: readonly string[], separator = ','): string {
  return texts.length === 0 ? '<none>' : texts.join(separator);
}
