import { type StatusCause, StatusError } from '@binnacle/status-errors';
import { type FieldSet, listPaths } from '../field-sets/field-set.ts';
import { pathText } from '../field-sets/path-element.ts';
import { compareTexts } from '../field-sets/value-order.ts';
import { managerText } from './manager-id.ts';

/** A field that an apply would change and another manager has. */
export interface Conflict {
  /** The manager as messages name it: `"m1"`, or `"m3" using v1` for one that did not apply. */
  readonly manager: string;
  /** The path as messages write it: `.spec.ports[port=80,protocol="TCP"].name`. */
  readonly path: string;
}

/** So many conflicts are listed between two yields: about a millisecond. */
const conflictsPerStep = 1000;

/** Lists conflicts by manager, the fields of each in canonical order. Yields between steps of bounded size. */
export function* conflictsSteps(fields: ReadonlyMap<string, FieldSet>): Generator<undefined, Conflict[]> {
  const conflicts: Conflict[] = [];
  for (const id of [...fields.keys()].sort(compareTexts)) {
    const manager = managerText(id);
    // ids are its keys
    for (const path of listPaths(fields.get(id)!)) {
      conflicts.push({ manager, path: pathText(path) });
      if (conflicts.length % conflictsPerStep === 0) yield;
    }
  }
  return conflicts;
}

/** So many conflicts are named. */
const mostNamed = 1000;

/** 409 with a cause for each conflict (reason FieldManagerConflict), at most 1000 of them; no name and no kind. */
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

/** Conflicts as one text: on one line if there is one, else a list a manager. */
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
