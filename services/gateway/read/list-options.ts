import {
  causeFromFieldError,
  everyField,
  everything,
  type FieldError,
  type FieldSelector,
  fieldPath,
  fieldSelectorOf,
  forbiddenField,
  type LabelSelector,
  notSupportedField,
  parseFieldSelector,
  parseLabelSelector,
  parseResourceVersion,
} from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import { badRequest, invalid } from '@binnacle/status-errors';
import type { Revision } from '@binnacle/storage-contract';

/** Which objects of a collection are wanted. */
export interface Selection {
  readonly labelSelector: LabelSelector;
  readonly fieldSelector: FieldSelector;
}

/** What a list is to show (spec 1, "Resource version semantics"). */
export type ListVersion =
  | { readonly kind: 'mostRecent' }
  | { readonly kind: 'any' }
  | { readonly kind: 'notOlderThan'; readonly revision: Revision }
  | { readonly kind: 'exact'; readonly revision: Revision }
  | { readonly kind: 'continue'; readonly token: string };

/** The parameters of a list, checked. */
export interface ListOptions extends Selection {
  /** 0: no limit. */
  readonly limit: number;
  readonly version: ListVersion;
}

/** Where a watch starts. */
export interface WatchOptions extends Selection {
  readonly start:
    | { readonly kind: 'mostRecent' | 'any' }
    | { readonly kind: 'after'; readonly revision: Revision };
  readonly allowBookmarks: boolean;
  /** Seconds until the watch is to end; undefined leaves it to the server. */
  readonly timeoutSeconds: number | undefined;
}

const optionsKind = { group: 'meta.cluster.io', kind: 'ListOptions' };
const unlessProvided = 'resourceVersionMatch is forbidden unless resourceVersion is provided';
const matches = ['Exact', 'NotOlderThan'];

/** Reads and checks the parameters of a list. Throws BadRequest and Invalid as the field's servers do. */
export function parseListOptions(query: URLSearchParams, definition: ResourceDefinition): ListOptions {
  const limit = Math.max(0, integer(query, 'limit') ?? 0);
  integer(query, 'timeoutSeconds');
  assertMatchIsValid(query);
  return { ...parseSelection(query, definition), limit, version: listVersionOf(query, limit) };
}

/** Reads and checks the parameters of a watch. */
export function parseWatchOptions(query: URLSearchParams, definition: ResourceDefinition): WatchOptions {
  const timeoutSeconds = integer(query, 'timeoutSeconds');
  if (query.get('resourceVersionMatch')) {
    const path = fieldPath('resourceVersionMatch');
    const errors = [forbiddenField(path, 'resourceVersionMatch is forbidden for watch')];
    if (!query.get('resourceVersion')) errors.push(forbiddenField(path, unlessProvided));
    refuse(errors);
  }
  const text = query.get('resourceVersion') ?? '';
  const revision = parseResourceVersion(text);
  const kind = text === '' ? 'mostRecent' : 'any';
  return {
    ...parseSelection(query, definition),
    start: revision === 0 ? { kind } : { kind: 'after', revision },
    allowBookmarks: isSet(query, 'allowWatchBookmarks'),
    timeoutSeconds: timeoutSeconds !== undefined && timeoutSeconds > 0 ? timeoutSeconds : undefined,
  };
}

/** Reads the selectors, fields as the stored form calls them; a field that the kind does not offer is a BadRequest. */
export function parseSelection(query: URLSearchParams, definition: ResourceDefinition): Selection {
  const labels = query.get('labelSelector') ?? '';
  const fields = query.get('fieldSelector') ?? '';
  const fieldSelector = fields === '' ? everyField : parseFieldSelector(fields);
  assertFieldsAreKnown(fieldSelector, definition);
  return {
    labelSelector: labels === '' ? everything : parseLabelSelector(labels),
    fieldSelector: inStoredForm(fieldSelector, definition),
  };
}

/** Asks for fields as the stored form calls them: that is what caches and stores know. */
function inStoredForm(selector: FieldSelector, { rules }: ResourceDefinition): FieldSelector {
  const names = rules.conversion?.storedFieldNames;
  if (names === undefined || selector.requirements.length === 0) return selector;
  const renamed = new Map(Object.entries(names));
  return fieldSelectorOf(
    selector.requirements.map(requirement => ({
      ...requirement,
      field: renamed.get(requirement.field) ?? requirement.field,
    })),
  );
}

function listVersionOf(query: URLSearchParams, limit: number): ListVersion {
  const text = query.get('resourceVersion') ?? '';
  const revision = parseResourceVersion(text);
  const token = query.get('continue') ?? '';
  const match = query.get('resourceVersionMatch') ?? '';
  if (token !== '') {
    if (revision !== 0) throw badRequest('specifying resource version is not allowed when using continue');
    return { kind: 'continue', token };
  }
  if (match === 'Exact') return { kind: 'exact', revision };
  if (text === '') return { kind: 'mostRecent' };
  if (revision === 0) return { kind: 'any' };
  if (match === '' && limit > 0) return { kind: 'exact', revision };
  return { kind: 'notOlderThan', revision };
}

function assertMatchIsValid(query: URLSearchParams): void {
  const match = query.get('resourceVersionMatch') ?? '';
  if (match === '') return;
  const version = query.get('resourceVersion') ?? '';
  const path = fieldPath('resourceVersionMatch');
  const errors: FieldError[] = [];
  if (version === '') {
    errors.push(forbiddenField(path, unlessProvided));
  }
  if (query.get('continue')) {
    errors.push(forbiddenField(path, 'resourceVersionMatch is forbidden when continue is provided'));
  }
  if (!matches.includes(match)) errors.push(notSupportedField(path, match, [...matches, '']));
  if (match === 'Exact' && version === '0') {
    errors.push(forbiddenField(path, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  }
  refuse(errors);
}

function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid(optionsKind, '', errors.map(causeFromFieldError));
}

function assertFieldsAreKnown(selector: FieldSelector, definition: ResourceDefinition): void {
  const known = ['metadata.name', 'metadata.namespace', ...(definition.rules.selectableFieldNames ?? [])];
  for (const { field } of selector.requirements) {
    if (known.includes(field)) continue;
    const names = known.map(name => JSON.stringify(name)).join(', ');
    throw badRequest(`${JSON.stringify(field.slice(0, 128))} is not a known field selector: only ${names}`);
  }
}

function integer(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  const value = Number(text);
  if (!/^[+-]?[0-9]+$/.test(text) || !Number.isSafeInteger(value)) {
    throw badRequest(`${name} must be a whole number, not ${JSON.stringify(text.slice(0, 64))}`);
  }
  return value;
}

function isSet(query: URLSearchParams, name: string): boolean {
  const value = query.get(name);
  return value !== null && value !== '0' && value.toLowerCase() !== 'false';
}
