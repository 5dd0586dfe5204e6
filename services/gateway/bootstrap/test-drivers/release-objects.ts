import { readFileSync } from 'node:fs';
import { type ApiObject, isJsonObject, type JsonObject, readJson } from '@binnacle/api-objects';

/**
 * Every object that kube-apiserver 1.26.5 had after its first start, without uid, times and versions. Certificates in them are
 * `<certificate>`; the port of the Service and the address range are those that it was started with, and it served
 * admissionregistration/v1alpha1 besides what it serves by default.
 */
export const releaseObjects: readonly ApiObject[] = readFileSync(
  new URL('./fixtures/release-objects.jsonl', import.meta.url),
  'utf8',
)
  .trimEnd()
  .split('\n')
  .map(line => readJson(line) as ApiObject); // Each line is one.

/** The part of an object that is compared: no ids, times and versions, no certificates, and no status, which others write. */
export function comparable({ status: _, ...object }: ApiObject): JsonObject {
  const {
    uid: _uid,
    creationTimestamp: _time,
    generation: _generation,
    resourceVersion: _version,
    managedFields: _managers,
    ...metadata
  } = object.metadata;
  const data = isJsonObject(object['data']) && {
    ...object['data'],
    'client-ca-file': '',
    'requestheader-client-ca-file': '',
  };
  return { ...object, metadata: metadata as JsonObject, ...(data && { data }) };
}

/** An object of the release as its own controller completes it: a role that gathers others has their rules. */
export function completed(object: ApiObject): ApiObject {
  return object['aggregationRule'] === undefined ? object : { ...object, rules: gathered(object) };
}

/** The kind, namespace and name of an object. */
export function nameFromObject({ kind, metadata: { namespace = '', name = '' } }: ApiObject): string {
  return `${kind} ${namespace}/${name}`;
}

/** The rules of the roles with the label that a role gathers by, in the order of their names. */
function gathered(role: ApiObject): JsonObject[] {
  // An aggregation of the release has one selector for one label.
  const { clusterRoleSelectors } = role['aggregationRule'] as {
    clusterRoleSelectors: { matchLabels: object }[];
  };
  const [label = ''] = clusterRoleSelectors.flatMap(({ matchLabels }) => Object.keys(matchLabels));
  const members = releaseObjects.filter(
    other => other.kind === 'ClusterRole' && other.metadata.labels?.[label] === 'true',
  );
  const rules = members.flatMap(member => completed(member)['rules'] as JsonObject[]); // Of roles.
  return [...new Map(rules.map(rule => [JSON.stringify(rule), rule])).values()];
}
