import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { groups, vocabulary } from '@binnacle/api-names';
import { type ApiObject, isJsonObject, type JsonObject, readJson } from '@binnacle/api-objects';
import { createTypeRegistry } from '@binnacle/api-types';
import { bootstrapObjects } from './bootstrap-objects.ts';
import { clientAuthorities } from './client-authorities.ts';
import { clusterService } from './cluster-service.ts';
import { newObject } from './ensure-objects.ts';

/**
 * Every object that kube-apiserver 1.26.5 had after its first start, without uid, times and versions. Certificates in them are
 * `<certificate>`; the port of the Service and the address range are those that it was started with.
 */
const released = readFileSync(new URL('./fixtures/release-objects.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map(line => readJson(line) as ApiObject); // Each line is one.

/** The kinds whose objects are made elsewhere: what they are compared with is made by a server that runs. */
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

/** What is compared: neither times nor ids, nor the generation, which the fixture is without, nor the status, which others write. */
function comparable({ status: _, ...object }: ApiObject): JsonObject {
  const { uid: _uid, creationTimestamp: _time, generation: _generation, ...metadata } = object.metadata;
  const data = isJsonObject(object['data']) && {
    ...object['data'],
    // What is no certificate is not published.
    'client-ca-file': '',
    'requestheader-client-ca-file': '',
  };
  return { ...object, metadata: metadata as JsonObject, ...(data && { data }) };
}

function nameOf({ kind, metadata: { namespace = '', name = '' } }: ApiObject): string {
  return `${kind} ${namespace}/${name}`;
}

/** The rules that the controller gathers for a role: those of roles with its labels, in the order of their names. */
function gathered(role: ApiObject): JsonObject[] {
  const selectors = (role['aggregationRule'] as { clusterRoleSelectors: { matchLabels: object }[] })
    .clusterRoleSelectors;
  const [label = ''] = selectors.flatMap(({ matchLabels }) => Object.keys(matchLabels));
  const members = released.filter(
    other => other.kind === 'ClusterRole' && other.metadata.labels?.[label] === 'true',
  );
  const rules = members.flatMap(member =>
    member['aggregationRule'] ? gathered(member) : (member['rules'] as JsonObject[]),
  );
  return [...new Map(rules.map(rule => [JSON.stringify(rule), rule])).values()];
}

suite(
  'the objects of a new server are those of release 1.26.5',
  { skip: vocabulary !== 'kubernetes' && 'the names are those of the vocabulary kubernetes' },
  () => {
    const ours = new Map(made().map(object => [nameOf(object), object]));
    for (const object of released.filter(({ kind }) => !madeElsewhere.includes(kind)))
      test(nameOf(object), () => {
        const own = ours.get(nameOf(object));
        assert.ok(own, 'it is not made');
        const rules = object['aggregationRule'] === undefined ? object['rules'] : gathered(object);
        assert.deepEqual(comparable(own), comparable({ ...object, ...(rules && { rules }) }));
      });

    test('there are no others but those of the controllers of this project', () => {
      const theirs = new Set(released.map(nameOf));
      assert.deepEqual([...ours.keys()].filter(name => !theirs.has(name)).sort(), [
        'ClusterRole /system:binnacle-controller-manager',
        'ClusterRoleBinding /system:binnacle-controller-manager',
        'FlowSchema /binnacle-controller-manager',
        'FlowSchema /binnacle-controller-manager-leader-election',
      ]);
    });
  },
);
