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

/** Writes a group and version as an object's `apiVersion`: `v1` for the core group, `apps/v1` for others. */
export function apiVersionOf(groupVersion: GroupVersion): string {
  return groupVersion.group === '' ? groupVersion.version : `${groupVersion.group}/${groupVersion.version}`;
}

/** Reads an `apiVersion`; throws BadRequest when it has more than one slash. */
export function parseApiVersion(text: string): GroupVersion {
  const slash = text.indexOf('/');
  if (slash < 0) return { group: '', version: text };
  if (text.indexOf('/', slash + 1) >= 0)
    throw badRequest(`apiVersion ${JSON.stringify(text)} has more than one slash`);
  return { group: text.slice(0, slash), version: text.slice(slash + 1) };
}
