/** Turns the `.k8s.io` alias of a group into the `.cluster.io` name; other names come back as they are. */
export function canonicalGroup(group: string): string {
  return group.endsWith('.k8s.io') ? `${group.slice(0, -'.k8s.io'.length)}.cluster.io` : group;
}
