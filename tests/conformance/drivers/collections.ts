import assert from 'node:assert/strict';
import type { JsonObject } from '@binnacle/api-objects';
import { until } from '../../journeys/api-server.ts';
import { objectAt } from '../../journeys/setup/json-parts.ts';
import type { Answer, ConformanceServer, User } from './conformance-server.ts';

/**
 * A collection of Secrets in a namespace of its own: only the test writes to it, no controller does, so
 * that its items and events are those of the test.
 */
export async function freshCollection(server: ConformanceServer): Promise<string> {
  return `/api/v1/namespaces/${await server.namespace()}/secrets`;
}

/** A collection of ConfigMaps in a namespace of its own; controllers write to it too. */
export async function freshConfigMaps(server: ConformanceServer): Promise<string> {
  return `/api/v1/namespaces/${await server.namespace()}/configmaps`;
}

/** Creates objects of these names; gives the resourceVersion of the last. */
export async function createAll(
  server: ConformanceServer,
  collection: string,
  names: readonly string[],
  labels: JsonObject = {},
): Promise<string> {
  let version = '';
  for (const name of names)
    version = readVersion(
      await server.expect(201, 'POST', collection, { body: { metadata: { name, labels } } }),
    );
  return version;
}

/** Changes an object by a label; gives its new resourceVersion. */
export async function touch(server: ConformanceServer, item: string, value: string): Promise<string> {
  const patched = await server.expect(200, 'PATCH', item, {
    body: { metadata: { labels: { touched: value } } },
    contentType: 'application/merge-patch+json',
  });
  return readVersion(patched);
}

/** The resourceVersion of an object or a collection. */
export function readVersion(answer: Answer): string {
  const version = answer.at('metadata', 'resourceVersion');
  assert.equal(typeof version, 'string', answer.text);
  return String(version);
}

/** The items of a collection. */
export function listItems(answer: Answer): readonly JsonObject[] {
  const items = answer.at('items');
  assert.ok(Array.isArray(items), answer.text);
  return items as readonly JsonObject[]; // Items of a collection are objects.
}

/** The names of the items of a collection, in their order. */
export function listNames(answer: Answer): string[] {
  return listItems(answer).map(item => String(objectAt(item, 'metadata')['name']));
}

/** Checks code and reason of a Status. */
export function assertRefused(answer: Answer, code: number, reason: string): void {
  assert.deepEqual(
    [answer.code, answer.at('kind'), answer.at('status'), answer.at('code'), answer.at('reason')],
    [code, 'Status', 'Failure', code, reason],
    answer.text,
  );
}

/** The fields and reasons of the causes of a Status. */
export function listCauses(answer: Answer): string[] {
  const causes = answer.at('details', 'causes');
  assert.ok(Array.isArray(causes), answer.text);
  return (causes as readonly JsonObject[]).map(cause => `${cause['field']} ${cause['reason']}`); // Causes are objects.
}

/** The rights of a user in a namespace. */
interface Grant {
  readonly user: User;
  readonly namespace: string;
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  /** Default: the core group. */
  readonly group?: string;
}

let grants = 0;

/** Grants rights and waits until every gateway knows of them. */
export async function grant(server: ConformanceServer, rights: Grant): Promise<void> {
  const { user, namespace, resources, verbs, group = '' } = rights;
  const name = `grant-${++grants}`;
  const rbac = `/apis/rbac.authorization.cluster.io/v1/namespaces/${namespace}`;
  const rules = [{ apiGroups: [group], resources, verbs }];
  await server.expect(201, 'POST', `${rbac}/roles`, { body: { metadata: { name }, rules } });
  await server.expect(201, 'POST', `${rbac}/rolebindings`, {
    body: {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.cluster.io', kind: 'Role', name },
      subjects: [{ apiGroup: 'rbac.authorization.cluster.io', kind: 'User', name: user }],
    },
  });
  const [resource = '', subresource = ''] = (resources[0] ?? '').split('/');
  const resourceAttributes = { namespace, verb: verbs[0], group, resource, subresource };
  for (const gateway of server.gateways.keys()) {
    await until('the rights to be known', async () => {
      const review = await server.expect(
        201,
        'POST',
        '/apis/authorization.cluster.io/v1/selfsubjectaccessreviews',
        { user, gateway, body: { spec: { resourceAttributes } } },
      );
      return review.at('status', 'allowed') === true;
    });
  }
}
