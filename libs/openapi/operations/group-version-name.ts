import { domains } from '@binnacle/api-names';

/** A group and version as used in operation ids and tags: `RbacAuthorizationV1` and `rbacAuthorization_v1`. */
export interface GroupVersionName {
  /** The group alone: `RbacAuthorization`. */
  readonly group: string;
  readonly inIds: string;
  readonly tag: string;
}

/** Returns the name of a group and version; the core group is `Core`. */
export function groupVersionName(group: string, version: string): GroupVersionName {
  const labels = group === '' ? ['core'] : withoutDomain(group).split('.');
  const name = labels.map(capitalized).join('');
  const tag = name.charAt(0).toLowerCase() + name.slice(1);
  return {
    group: name,
    inIds: name + capitalized(version),
    tag: version === '' ? tag : `${tag}_${version}`,
  };
}

const domain = `.${domains.groups}`;

function withoutDomain(group: string): string {
  return group.endsWith(domain) ? group.slice(0, -domain.length) : group;
}

/** Returns the text with its first letter in upper case. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
