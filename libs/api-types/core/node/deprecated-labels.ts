import { understood } from '@binnacle/api-names';

const { labels } = understood;

/** The deprecated node labels, their replacements in the same vocabulary, and the release of the deprecation. */
const replacements: readonly (readonly [
  old: readonly string[],
  names: readonly string[],
  release: string,
])[] = [
  [labels.betaArch, labels.arch, '1.14'],
  [labels.betaOs, labels.os, '1.14'],
  [labels.betaRegion, labels.region, '1.17'],
  [labels.betaZone, labels.zone, '1.17'],
  [labels.betaInstanceType, labels.instanceType, '1.17'],
];

const notes: ReadonlyMap<string, string> = new Map(
  replacements.flatMap(([old, names, release]) =>
    old.map(
      (label, index) => [label, `deprecated since v${release}, use "${names[index]}" instead`] as const,
    ),
  ),
);

/** Returns the warning about a deprecated label; undefined for others. */
export function deprecatedLabelNote(label: string): string | undefined {
  return notes.get(label);
}

/** Returns warnings about the keys of a node label map at a path. */
export function labelMapWarnings(labels: Readonly<Record<string, string>> = {}, path: string): string[] {
  return Object.keys(labels).flatMap(label => {
    const note = notes.get(label);
    return note === undefined ? [] : [`${path}[${label}]: ${note}`];
  });
}

/** Returns warnings about a list of node label requirements at a path. */
export function labelRequirementWarnings(
  requirements: readonly { readonly key?: string }[] = [],
  path: string,
): string[] {
  return requirements.flatMap(({ key = '' }, index) => {
    const note = notes.get(key);
    return note === undefined ? [] : [`${path}[${index}].key: ${key} is ${note}`];
  });
}
