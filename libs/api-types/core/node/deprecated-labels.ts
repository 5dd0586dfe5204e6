/** The older names of labels of nodes, what replaces them, and since when; `*` is the domain, the same in both names. */
const replacements: readonly (readonly [old: string, name: string, release: string])[] = [
  ['beta.*/arch', '*/arch', '1.14'],
  ['beta.*/os', '*/os', '1.14'],
  ['failure-domain.beta.*/region', 'topology.*/region', '1.17'],
  ['failure-domain.beta.*/zone', 'topology.*/zone', '1.17'],
  ['beta.*/instance-type', 'node.*/instance-type', '1.17'],
];

const domains = ['cluster.io', 'kubernetes.io'];

const notes: ReadonlyMap<string, string> = new Map(
  domains.flatMap(domain =>
    replacements.map(([old, name, release]) => [
      old.replace('*', domain),
      `deprecated since v${release}, use "${name.replace('*', domain)}" instead`,
    ]),
  ),
);

/** The warning about a label that has another name by now; undefined for all others. */
export function deprecatedLabelNote(label: string): string | undefined {
  return notes.get(label);
}

/** Warnings about the keys of a map of labels of nodes at a path. */
export function labelMapWarnings(labels: Readonly<Record<string, string>> = {}, path: string): string[] {
  return Object.keys(labels).flatMap(label => {
    const note = notes.get(label);
    return note === undefined ? [] : [`${path}[${label}]: ${note}`];
  });
}

/** Warnings about requirements on labels of nodes, which stand in a list at a path. */
export function labelRequirementWarnings(
  requirements: readonly { readonly key?: string }[] = [],
  path: string,
): string[] {
  return requirements.flatMap(({ key = '' }, index) => {
    const note = notes.get(key);
    return note === undefined ? [] : [`${path}[${index}].key: ${key} is ${note}`];
  });
}
