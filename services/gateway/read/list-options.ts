import {
  createFieldSelector,
  everyField,
  everything,
  type FieldError,
  type FieldSelector,
  fieldPath,
  forbiddenField,
  type LabelSelector,
  notSupportedField,
  parseFieldSelector,
  parseLabelSelector,
  parseResourceVersion,
} from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import { badRequest } from '@binnacle/status-errors';
import type { Revision } from '@binnacle/storage-contract';
import { integerParameter } from './integer-parameter.ts';
import {
  matchNeedsVersion,
  matchPath,
  matchWithContinue,
  refuseOptions,
  sendInitialEvents,
} from './option-errors.ts';

/** The selectors of a list or watch. */
export interface Selection {
  readonly labelSelector: LabelSelector;
  readonly fieldSelector: FieldSelector;
}

/** The version that a list is to show (spec 1, "Resource version semantics"). */
type ListVersion =
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

const matches = ['Exact', 'NotOlderThan'];

/** Reads and checks the parameters of a list. Throws BadRequest and Invalid as kube-apiserver does. */
export function parseListOptions(query: URLSearchParams, definition: ResourceDefinition): ListOptions {
  const limit = Math.max(0, integerParameter(query, 'limit') ?? 0);
  integerParameter(query, 'timeoutSeconds');
  assertListIsValid(query);
  return { ...parseSelection(query, definition), limit, version: parseListVersion(query, limit) };
}

/** Reads the selectors, fields as the stored form calls them; a field that the kind does not support is a BadRequest. */
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

/** Translates field names to those of the stored form, which caches and stores use. */
function inStoredForm(selector: FieldSelector, { rules }: ResourceDefinition): FieldSelector {
  const names = rules.conversion?.storedFieldNames;
  if (names === undefined || selector.requirements.length === 0) return selector;
  const renamed = new Map(Object.entries(names));
  return createFieldSelector(
    selector.requirements.map(requirement => ({
      ...requirement,
      field: renamed.get(requirement.field) ?? requirement.field,
    })),
  );
}

function parseListVersion(query: URLSearchParams, limit: number): ListVersion {
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

function assertListIsValid(query: URLSearchParams): void {
  const errors = matchErrors(query);
  if (query.has(sendInitialEvents)) {
    errors.push(forbiddenField(fieldPath(sendInitialEvents), 'sendInitialEvents is forbidden for list'));
  }
  refuseOptions(errors);
}

function matchErrors(query: URLSearchParams): FieldError[] {
  const match = query.get('resourceVersionMatch') ?? '';
  if (match === '') return [];
  const version = query.get('resourceVersion') ?? '';
  const errors: FieldError[] = [];
  if (version === '') errors.push(matchNeedsVersion());
  if (query.get('continue')) errors.push(matchWithContinue());
  if (!matches.includes(match)) errors.push(notSupportedField(matchPath, match, [...matches, '']));
  if (match === 'Exact' && version === '0') {
    errors.push(
      forbiddenField(matchPath, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'),
    );
  }
  return errors;
}

function assertFieldsAreKnown(selector: FieldSelector, definition: ResourceDefinition): void {
  const known = ['metadata.name', 'metadata.namespace', ...(definition.rules.selectableFieldNames ?? [])];
  for (const { field } of selector.requirements) {
    if (known.includes(field)) continue;
    const names = known.map(name => JSON.stringify(name)).join(', ');
    throw badRequest(`${JSON.stringify(field.slice(0, 128))} is not a known field selector: only ${names}`);
  }
}
