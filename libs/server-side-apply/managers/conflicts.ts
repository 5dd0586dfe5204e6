import { type StatusCause, StatusError } from '@binnacle/status-errors';
import { type FieldSet, listPaths } from '../field-sets/field-set.ts';
import { pathText } from '../field-sets/path-element.ts';
import { compareTexts } from '../field-sets/value-order.ts';
import { managerText } from './manager-id.ts';

/** A field that an apply would change and another manager has. */
export interface Conflict {
  /** The manager as named in messages: `"m1"`, or `"m3" using v1` for an Update manager. */
  readonly manager: string;
  /** The path as formatted in messages: `.spec.ports[port=80,protocol="TCP"].name`. */
  readonly path: string;
}

/** Number of conflicts listed between two yields, about 1 ms. */
const conflictsPerStep = 1000;

/** Lists conflicts by manager, each manager's fields in canonical order. Yields between steps of bounded size. */
export function* conflictsSteps(fields: ReadonlyMap<string, FieldSet>): Generator<undefined, Conflict[]> {
  const conflicts: Conflict[] = [];
  for (const id of [...fields.keys()].sort(compareTexts)) {
    const manager = managerText(id);
    // The ids are its keys.
    for (const path of listPaths(fields.get(id)!)) {
      conflicts.push({ manager, path: pathText(path) });
      if (conflicts.length % conflictsPerStep === 0) yield;
    }
  }
  return conflicts;
}

/** Maximum number of conflicts in an error. */
const mostNamed = 1000;

/** Error 409 with a cause for each conflict (reason FieldManagerConflict), at most 1,000; without name and kind. */
export function conflictError(conflicts: readonly Conflict[]): StatusError {
  const named = conflicts.slice(0, mostNamed);
  const more = conflicts.length > named.length ? `\nand ${conflicts.length - named.length} more` : '';
  const causes: StatusCause[] = named.map(({ manager, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${manager}`,
    field: path,
  }));
  const count = conflicts.length === 1 ? '1 conflict' : `${conflicts.length} conflicts`;
  const message = `Apply failed with ${count}: ${conflictsText(named)}${more}`;
  return new StatusError({ reason: 'Conflict', code: 409, message, details: { causes } });
}

/** Formats conflicts as one text: on one line if there is one, otherwise a list for each manager. */
export function conflictsText(conflicts: readonly Conflict[]): string {
  const [only] = conflicts;
  if (only !== undefined && conflicts.length === 1) return `conflict with ${only.manager}: ${only.path}`;
  const byManager = Map.groupBy(conflicts, conflict => conflict.manager);
  return [...byManager]
    .map(([manager, list]) =>
      [`conflicts with ${manager}:`, ...list.map(({ path }) => `- ${path}`)].join('\n'),
    )
    .join('\n');
}
