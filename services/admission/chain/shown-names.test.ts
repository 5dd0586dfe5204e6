import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groups, understood } from '@binnacle/api-names';
import { ofCluster } from '@binnacle/api-names/testing';
import type { ApiObject } from '@binnacle/api-objects';
import { createReview } from '../test-drivers/plugin-fixture.ts';
import {
  aliasNames,
  authorNames,
  ownNames,
  policyNames,
  shownExtra,
  shownObject,
  shownOptions,
} from './shown-names.ts';

const [own = '', alias = ''] = understood.groups.networking;

test('an author uses the names that belong to the group of the configuration', () => {
  for (const group of [groups.admissionregistration, 'apps', ''])
    assert.equal(authorNames(group === '' ? 'v1' : `${group}/v1`), ownNames);
});

test('an author that wrote through an alias uses the aliases', ofCluster, () => {
  assert.equal(authorNames(`${understood.groups.admissionregistration[1]}/v1alpha1`), aliasNames);
  assert.equal(authorNames('sea.k8s.io/v1'), ownNames);
});

test('only the groups of the API are translated to aliases', ofCluster, () => {
  const named = [own, 'apps', '', 'sea.cluster.io', groups.snapshot, groups.meta].map(aliasNames.groupName);
  const expected = [alias, 'apps', '', 'sea.cluster.io', groups.snapshot, understood.groups.meta[1]];
  assert.deepEqual(named, expected);
});

test(
  'a policy has the group of the path if it is an alias, otherwise the names of its author',
  ofCluster,
  () => {
    const leases = understood.groups.coordination;
    const seen = (author: typeof ownNames, type: string, requestGroup?: string) => {
      const review = createReview({ type, ...(requestGroup !== undefined && { requestGroup }) });
      const names = policyNames(author, review);
      return [names.groupName(own), names.groupName(groups.coordination), names.areAliases];
    };
    const ingresses = `${own}/v1/ingresses`;
    assert.deepEqual(seen(ownNames, ingresses), [own, leases[0], false]);
    assert.deepEqual(seen(ownNames, ingresses, alias), [alias, leases[1], false]);
    assert.deepEqual(seen(aliasNames, ingresses), [own, leases[0], true]);
    assert.deepEqual(seen(aliasNames, ingresses, alias), [alias, leases[1], true]);
    assert.deepEqual(seen(ownNames, '/v1/pods'), [own, leases[0], false]);
    assert.deepEqual(seen(aliasNames, '/v1/pods'), [alias, leases[1], true]);
  },
);

test('the group of a definition is that of the path too', ofCluster, () => {
  const { definition } = createReview({ type: '/v1/pods' });
  const review = { definition: { ...definition, group: 'sea.cluster.io' }, requestGroup: 'sea.k8s.io' };
  assert.equal(policyNames(ownNames, review).groupName('sea.cluster.io'), 'sea.k8s.io');
});

test('an object is not copied when it is shown by its own names', () => {
  const object: ApiObject = { apiVersion: `${own}/v1`, kind: 'Ingress', metadata: { name: 'i' } };
  assert.equal(shownObject(object, undefined, ownNames), object);
});

test('an object is shown with another apiVersion, without a change of the original', ofCluster, () => {
  const object: ApiObject = { kind: 'Ingress', apiVersion: `${own}/v1`, metadata: { name: 'i' } };
  const before = JSON.stringify(object);
  assert.equal(JSON.stringify(shownObject(object, undefined, aliasNames)), before.replace(own, alias));
  assert.equal(JSON.stringify(object), before);
});

test('options and user attributes are translated, those of other systems are not', ofCluster, () => {
  const [ownMeta, aliasMeta] = understood.groups.meta;
  const options = { kind: 'CreateOptions', apiVersion: `${ownMeta}/v1`, dryRun: ['All'] };
  assert.deepEqual(shownOptions(options, aliasNames), { ...options, apiVersion: `${aliasMeta}/v1` });
  assert.equal(shownOptions(options, ownNames), options);
  const [ownPod = '', aliasPod] = understood.userExtras.podName;
  assert.deepEqual(
    [ownPod, 'example.com/team'].map(key => shownExtra(key, aliasNames)),
    [aliasPod, 'example.com/team'],
  );
  assert.equal(shownExtra(ownPod, ownNames), ownPod);
});
