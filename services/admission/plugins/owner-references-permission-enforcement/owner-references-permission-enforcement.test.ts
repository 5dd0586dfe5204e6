import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReview, pluginFrom, type ReviewParts } from '../../test-drivers/plugin-fixture.ts';
import { ownerReferencesPermissionEnforcement } from './owner-references-permission-enforcement.ts';

const plugin = pluginFrom(ownerReferencesPermissionEnforcement);
const pod = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u1' };
const node = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u2' };
const blocking = (owner: object) => ({ ...owner, blockOwnerDeletion: true });
const owned = (...ownerReferences: object[]) => ({ metadata: { name: 'o', ownerReferences } }) as never;

const deletion = 'delete /configmaps/ a/o';
const cases: readonly [string, Partial<ReviewParts>, string[]][] = [
  ['a creation without owners', { object: owned() }, []],
  ['a creation with an owner', { object: owned(pod) }, []],
  ['a creation that holds up its owner', { object: owned(blocking(pod)) }, ['update /pods/finalizers a/p']],
  ['an owner without a namespace', { object: owned(blocking(node)) }, ['update /nodes/finalizers /n']],
  ['an update that changes nothing', { oldObject: owned(blocking(pod)), object: owned(blocking(pod)) }, []],
  ['another owner', { oldObject: owned(pod), object: owned(pod, node) }, [deletion]],
  ['no owner any more', { oldObject: owned(pod), object: owned() }, [deletion]],
  [
    'an owner that is held up from now on',
    { oldObject: owned(pod), object: owned(blocking(pod)) },
    [deletion, 'update /pods/finalizers a/p'],
  ],
  [
    'one that was held up before, and another',
    { oldObject: owned(blocking(pod)), object: owned(blocking(pod), blocking(node)) },
    [deletion, 'update /nodes/finalizers /n'],
  ],
];

for (const [what, parts, expected] of cases)
  test(`required permissions: ${what}`, async () => {
    const operation = parts.oldObject === undefined ? 'CREATE' : 'UPDATE';
    const review = createReview({ type: '/v1/configmaps', namespace: 'a', operation, ...parts });
    await plugin.validate?.(review);
    const demands = review.accessDemands.map(({ anyOf }) =>
      anyOf
        .map(
          ({ verb, group, resource, subresource, namespace, name }) =>
            `${verb} ${group}/${resource}/${subresource} ${namespace}/${name}`,
        )
        .join(' or '),
    );
    assert.deepEqual(demands, expected);
  });

test('blocking an owner of an unknown kind is refused', async () => {
  const owner = blocking({ ...pod, apiVersion: 'none.example.com/v1' });
  const review = createReview({ type: '/v1/configmaps', namespace: 'a', object: owned(owner) });
  await assert.rejects(
    Promise.resolve(plugin.validate?.(review)),
    /there is no resource of none.example.com/,
  );
});
