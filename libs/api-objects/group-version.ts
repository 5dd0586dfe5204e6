import { badRequest } from '@binnacle/status-errors';

/** An API group and one of its versions; the core group is the empty string. */
interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** A kind within a group and version. */
export interface GroupVersionKind extends GroupVersion {
  readonly kind: string;
}

/** Formats a group and version as an object's `apiVersion`: `v1` for the core group, `apps/v1` for others. */
export function formatApiVersion(groupVersion: GroupVersion): string {
  return groupVersion.group === '' ? groupVersion.version : `${groupVersion.group}/${groupVersion.version}`;
}

/** Splits an `apiVersion` at its first slash without validation; no kind has a version that contains a slash. */
export function splitApiVersion(text: string): GroupVersion {
  const slash = text.indexOf('/');
  return { group: text.slice(0, Math.max(0, slash)), version: text.slice(slash + 1) };
}

/** Parses an `apiVersion`; throws BadRequest if it has more than one slash. */
export function parseApiVersion(text: string): GroupVersion {
  const groupVersion = splitApiVersion(text);
  if (groupVersion.version.includes('/'))
    throw badRequest(`apiVersion ${JSON.stringify(text)} has more than one slash`);
  return groupVersion;
}
