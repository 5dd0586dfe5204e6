import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { groups, vocabulary } from '@binnacle/api-names';
import { type ApiObject, readJson } from '@binnacle/api-objects';
import { createTypeRegistry } from '@binnacle/api-types';
import type { RoleBinding } from '@binnacle/api-types/rbac/v1';
import { bootstrapObjects } from './bootstrap-objects.ts';
import { clientAuthorities } from './client-authorities.ts';
import { clusterService } from './cluster-service.ts';
import { newObject } from './ensure-objects.ts';
import { comparable, completed, nameFromObject, releaseObjects } from './test-drivers/release-objects.ts';

/** Kinds whose objects are made elsewhere. */
const madeElsewhere = ['Lease'];

/** It served one group version more than by default. */
const registry = createTypeRegistry({ runtimeConfig: `${groups.admissionregistration}/v1alpha1=true` });

/** The objects of a server that was started as the one of the fixture was. */
function made(): ApiObject[] {
  const certificate = '<certificate>';
  const proxies = {
    requestheaderUsernameHeaders: ['X-Remote-User'],
    requestheaderGroupHeaders: ['X-Remote-Group'],
    requestheaderExtraHeadersPrefix: ['X-Remote-Extra-'],
    requestheaderAllowedNames: [],
  };
  const authorities = { clientCa: certificate, proxyCa: certificate };
  const objects = [
    ...bootstrapObjects(registry),
    ...clusterService({ serviceClusterIpRange: ['10.96.0.0/16'] }, 21_100),
    ...clientAuthorities({ authorities, proxies }, 0),
  ];
  return objects.map(object => {
    const definition = registry.resource(object.group, object.version, object.resource);
    assert.ok(definition, `${object.resource}.${object.group}`);
    return newObject(object, definition, 0);
  });
}

suite(
  'the objects of a new server are those of release 1.26.5',
  { skip: vocabulary !== 'kubernetes' && 'the names are those of the vocabulary kubernetes' },
  () => {
    const ours = new Map(made().map(object => [nameFromObject(object), object]));
    for (const object of releaseObjects.filter(({ kind }) => !madeElsewhere.includes(kind)))
      test(nameFromObject(object), () => {
        const own = ours.get(nameFromObject(object));
        assert.ok(own, 'it is not made');
        assert.deepEqual(comparable(own), comparable(completed(object)));
      });

    test('there are no other objects except those of the controllers of this project', () => {
      const theirs = new Set(releaseObjects.map(nameFromObject));
      assert.deepEqual([...ours.keys()].filter(name => !theirs.has(name)).sort(), [
        'ClusterRole /system:binnacle-controller-manager',
        'ClusterRoleBinding /system:binnacle-controller-manager',
        'FlowSchema /binnacle-controller-manager',
        'FlowSchema /binnacle-controller-manager-leader-election',
      ]);
    });
  },
);

const written: readonly (readonly [kubernetes: RegExp, cluster: string])[] = [
  [/k8s\.io|kubernetes\.io/g, 'cluster.io'],
  [/kube-(system|public|node-lease)/g, 'cluster-$1'],
  [/system:kube-(?!controller-manager)/g, 'system:cluster-'],
  [/kube-aggregator\./g, 'cluster-aggregator.'],
];

/** An object of the release with the names of `cluster`. */
function inNamesOfCluster(object: ApiObject): ApiObject {
  const text = written.reduce((all, [from, to]) => all.replace(from, to), JSON.stringify(object));
  return readJson(text) as ApiObject; // It was one.
}

suite(
  'the roles of a new server are those of release 1.26.5 under the names of cluster',
  { skip: vocabulary !== 'cluster' && 'the names are those of the vocabulary cluster' },
  () => {
    const ours = new Map(made().map(object => [nameFromObject(object), object]));
    for (const object of releaseObjects.map(completed).map(inNamesOfCluster)) {
      if (madeElsewhere.includes(object.kind)) continue;
      if (['Role', 'ClusterRole', 'APIService', 'PriorityLevelConfiguration'].includes(object.kind))
        test(nameFromObject(object), () => {
          const own = ours.get(nameFromObject(object));
          assert.ok(own, 'it is not made');
          assert.deepEqual(comparable(own), comparable(object));
        });
      if (object.kind.endsWith('Binding'))
        test(nameFromObject(object), () => {
          const own = ours.get(nameFromObject(object));
          assert.ok(own, 'it is not made');
          assert.deepEqual(own['roleRef'], object['roleRef']);
          // Users of components may have either name; no other user is bound.
          const named = ({ subjects = [] }: RoleBinding) =>
            new Set(
              subjects.map(
                ({ kind, apiGroup, namespace, name = '' }) =>
                  `${kind} ${apiGroup} ${namespace} ${name.replace('system:kube-', 'system:cluster-')}`,
              ),
            );
          assert.deepEqual(named(own), named(object));
        });
    }
  },
);
