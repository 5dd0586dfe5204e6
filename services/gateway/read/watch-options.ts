import {
  type FieldError,
  forbiddenField,
  notSupportedField,
  parseResourceVersion,
} from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import type { Revision } from '@binnacle/storage-contract';
import { integerParameter } from './integer-parameter.ts';
import { parseSelection, type Selection } from './list-options.ts';
import {
  matchNeedsVersion,
  matchPath,
  matchWithContinue,
  refuseOptions,
  sendInitialEvents,
} from './option-errors.ts';

/** The start of a watch (spec 1, "Resource version semantics"). */
type WatchBeginning =
  /** The existing objects as they are now, or as they were at any time, then changes. */
  | { readonly kind: 'mostRecent' | 'any' }
  /** The existing objects no older than a revision, then changes. */
  | { readonly kind: 'notOlderThan'; readonly revision: Revision }
  /** Changes after a revision. */
  | { readonly kind: 'after'; readonly revision: Revision }
  /** Changes from now on, or from what the cache has come to. */
  | { readonly kind: 'afterMostRecent' | 'afterAny' };

/** The parameters of a watch, checked. */
export interface WatchOptions extends Selection {
  readonly start: WatchBeginning;
  /** Whether a bookmark says where the existing objects end. */
  readonly closesInitial: boolean;
  readonly allowBookmarks: boolean;
  /** Seconds until the watch is to end; undefined leaves it to the server. */
  readonly timeoutSeconds: number | undefined;
}

const requiredMatch = 'NotOlderThan';

/** Reads and checks the parameters of a watch. Throws BadRequest and Invalid as kube-apiserver does. */
export function parseWatchOptions(query: URLSearchParams, definition: ResourceDefinition): WatchOptions {
  const timeoutSeconds = integerParameter(query, 'timeoutSeconds');
  refuseOptions(matchErrors(query));
  const allowBookmarks = isSet(query, 'allowWatchBookmarks') === true;
  const sendsInitial = isSet(query, sendInitialEvents);
  return {
    ...parseSelection(query, definition),
    start: watchBeginning(query.get('resourceVersion') ?? '', sendsInitial),
    closesInitial: sendsInitial === true && allowBookmarks,
    allowBookmarks,
    timeoutSeconds: timeoutSeconds !== undefined && timeoutSeconds > 0 ? timeoutSeconds : undefined,
  };
}

/**
 * `sendsInitial` is undefined where the version alone decides: without a version, and with 0, a watch begins with the
 * existing objects.
 */
function watchBeginning(version: string, sendsInitial: boolean | undefined): WatchBeginning {
  const revision = parseResourceVersion(version);
  const isMostRecent = version === '';
  if (revision === 0) {
    if (sendsInitial === false) return { kind: isMostRecent ? 'afterMostRecent' : 'afterAny' };
    return { kind: isMostRecent ? 'mostRecent' : 'any' };
  }
  return { kind: sendsInitial === true ? 'notOlderThan' : 'after', revision };
}

function matchErrors(query: URLSearchParams): FieldError[] {
  const match = query.get('resourceVersionMatch') ?? '';
  if (!query.has(sendInitialEvents)) return match === '' ? [] : unwantedMatchErrors(query);
  const errors: FieldError[] = [];
  if (match !== requiredMatch) {
    const text = `sendInitialEvents requires resourceVersionMatch to be ${requiredMatch}`;
    errors.push(forbiddenField(matchPath, text));
  }
  if (match !== '' && match !== requiredMatch)
    errors.push(notSupportedField(matchPath, match, [requiredMatch]));
  if (match !== '' && query.get('continue')) errors.push(matchWithContinue());
  return errors;
}

function unwantedMatchErrors(query: URLSearchParams): FieldError[] {
  const text = 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided';
  const errors = [forbiddenField(matchPath, text)];
  if (!query.get('resourceVersion')) errors.push(matchNeedsVersion());
  return errors;
}

/** A parameter that is a truth value: given in any way but `0` and `false`; undefined when it is not given. */
function isSet(query: URLSearchParams, name: string): boolean | undefined {
  const value = query.get(name);
  return value === null ? undefined : value !== '0' && value.toLowerCase() !== 'false';
}
