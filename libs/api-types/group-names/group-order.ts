import { builtInGroups } from './built-in-groups.ts';

/** Compares groups for discovery: the core group, the built-in groups in their fixed order, then the others by name. */
export function compareGroups(a: string, b: string): number {
  return rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0);
}

function rank(group: string): number {
  const index = builtInGroups.indexOf(group);
  return index < 0 ? builtInGroups.length : index;
}

/**
 * Compares versions of a group, the preferred one first: stable before beta before alpha, higher before lower; other texts come
 * last, by name.
 */
export function compareVersions(a: string, b: string): number {
  const left = versionRank(a);
  const right = versionRank(b);
  for (const [index, value] of left.entries()) {
    const difference = right[index]! - value; // Both have three parts.
    if (difference !== 0) return difference;
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

/** [stability, major, minor], higher is preferred. */
function versionRank(version: string): readonly [number, number, number] {
  const match = /^v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?$/.exec(version);
  if (!match) return [-1, 0, 0];
  const stability = match[2] === undefined ? 2 : match[2] === 'beta' ? 1 : 0;
  return [stability, Number(match[1]), Number(match[3] ?? 0)];
}
