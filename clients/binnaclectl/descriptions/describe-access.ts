import type { JsonObject } from '@binnacle/api-objects';
import { objectIn, objectsIn, textIn, textsIn } from '../objects/page.ts';
import { describeMetadata } from './describe-metadata.ts';

/** A Role or ClusterRole with its rules, those of one resource together. */
export function describeRole(role: JsonObject): string {
  return [
    describeMetadata(role, { showsNamespace: false }),
    'PolicyRule:\n',
    '  Resources\tNon-Resource URLs\tResource Names\tVerbs\n',
    '  ---------\t-----------------\t--------------\t-----\n',
    ...compactRules(objectsIn(role, 'rules')).map(rule => {
      const { url, name, verbs } = rule;
      const cells = [withGroup(rule), `[${url}]`, `[${name}]`, `[${verbs.join(' ')}]`];
      return `  ${cells.join('\t')}\n`;
    }),
  ].join('');
}

/** A RoleBinding or ClusterRoleBinding with its role and subjects. */
export function describeBinding(binding: JsonObject): string {
  const role = objectIn(binding, 'roleRef');
  return [
    describeMetadata(binding, { showsNamespace: false }),
    'Role:\n',
    `  Kind:\t${textIn(role, 'kind')}\n`,
    `  Name:\t${textIn(role, 'name')}\n`,
    'Subjects:\n',
    '  Kind\tName\tNamespace\n',
    '  ----\t----\t---------\n',
    ...objectsIn(binding, 'subjects').map(
      subject => `  ${['kind', 'name', 'namespace'].map(field => textIn(subject, field)).join('\t')}\n`,
    ),
  ].join('');
}

/** The verbs of one resource, of one name of it, or of one path. */
interface CompactRule {
  readonly group: string;
  /** `deployments/scale`; empty for a path. */
  readonly resource: string;
  readonly name: string;
  readonly url: string;
  readonly verbs: readonly string[];
}

/** The rules of each resource as one, in kubectl's order: by verbs, then by group, resource, name and path. */
function compactRules(rules: readonly JsonObject[]): CompactRule[] {
  const ofResources = new Map<string, CompactRule>();
  const ofPaths: CompactRule[] = [];
  for (const rule of rules) {
    const verbs = textsIn(rule, 'verbs');
    for (const group of textsIn(rule, 'apiGroups'))
      for (const resource of textsIn(rule, 'resources'))
        for (const name of namesIn(rule)) {
          const key = JSON.stringify([group, resource, name]);
          const before = ofResources.get(key)?.verbs ?? [];
          const allVerbs = [...new Set([...before, ...verbs])];
          ofResources.set(key, { group, resource, name, url: '', verbs: allVerbs });
        }
    for (const url of textsIn(rule, 'nonResourceURLs'))
      ofPaths.push({ group: '', resource: '', name: '', url, verbs });
  }
  const orderText = ({ verbs, group, resource, name, url }: CompactRule) =>
    `${verbs.join(' ')}],[${group}],[${resource}],[${name}],[${url}]`;
  return [...ofPaths, ...ofResources.values()].toSorted((a, b) => (orderText(a) < orderText(b) ? -1 : 1));
}

/** An empty name stands for all. */
function namesIn(rule: JsonObject): readonly string[] {
  const names = textsIn(rule, 'resourceNames');
  return names.length === 0 ? [''] : names;
}

/** `deployments.apps/scale`. */
function withGroup({ group, resource }: CompactRule): string {
  const [name = '', ...subresource] = resource.split('/');
  return [group === '' ? name : `${name}.${group}`, ...subresource].join('/');
}
