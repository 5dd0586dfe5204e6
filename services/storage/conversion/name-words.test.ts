import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as tables from '@binnacle/api-names/table';
import { createNameWords } from './name-words.ts';

// Both aliases stand side by side here: rows of the table, whatever the vocabulary of the process is.
const { groupTable, labelTable, namespaceTable, signerTable, userTable, wordTable, domainTable } = tables;
const [domain, kubernetesDomain] = domainTable.labels;
const [groupDomain, kubernetesGroupDomain] = domainTable.groups;
const both = (make: (column: 0 | 1) => string): readonly [string, string] => [make(0), make(1)];
const sea = `sea.${groupDomain}`;
const custom = new Set([sea, `gateway.networking.${kubernetesGroupDomain}`]);
const there = createNameWords({ from: 'cluster', to: 'kubernetes' }, custom);
const back = createNameWords({ from: 'kubernetes', to: 'cluster' }, custom);

const pairs: readonly (readonly [what: string, names: readonly [string, string]])[] = [
  ['a group', groupTable.rbac],
  ['a group with its version', both(column => `${groupTable.rbac[column]}/v1`)],
  ['a group with a version under way', both(column => `${groupTable.flowcontrol[column]}/v1beta3`)],
  ['the name of an API service', both(column => `v1.${groupTable.networking[column]}`)],
  ['a resource of a group', both(column => `roles.${groupTable.rbac[column]}`)],
  ['a counted resource', both(column => `count/leases.${groupTable.coordination[column]}`)],
  ['a path', both(column => `/apis/${groupTable.storage[column]}/v1`)],
  [
    'a role for certificates',
    both(column => `system:${groupTable.certificates[column]}:certificatesigningrequests:nodeclient`),
  ],
  ['a label', labelTable.metadataName],
  ['a label that begins as others', both(column => `${labelTable.nodeRole[column]}worker`)],
  ['a label in the domain of a group', both(column => `${labelTable.aggregateTo[column]}edit`)],
  ['a label that no row names', both(column => `${[domain, kubernetesDomain][column]}/cluster-service`)],
  ['a namespace', namespaceTable.system],
  ['a service account', both(column => `system:serviceaccount:${namespaceTable.system[column]}:default`)],
  ['the accounts of a namespace', both(column => `system:serviceaccounts:${namespaceTable.system[column]}`)],
  ['a user', userTable.scheduler],
  ['a signer', signerTable.kubeletServing],
  [
    'a quota of a storage class',
    both(column => `gold${wordTable.storageClassQuota[column]}requests.storage`),
  ],
  ['an extension of schemas', tables.extensionTable.listType],
];
for (const [what, [cluster, kubernetes]] of pairs) {
  test(`${what} is converted in both directions: ${cluster}`, () => {
    assert.equal(there.convert(cluster)?.name, kubernetes);
    assert.equal(back.convert(kubernetes)?.name, cluster);
    assert.equal(there.convert(kubernetes), undefined);
    assert.equal(back.convert(cluster), undefined);
  });
}

test('every row of the tables of stored names is converted in both directions', () => {
  for (const table of [
    groupTable,
    labelTable,
    tables.annotationTable,
    tables.taintTable,
    tables.secretTypeTable,
    signerTable,
  ])
    for (const [cluster, kubernetes] of Object.values(table) as tables.NameRow[]) {
      assert.equal(there.convert(cluster)?.name, kubernetes);
      assert.equal(back.convert(kubernetes)?.name, cluster);
    }
});

const users = [
  sea,
  `boats.${sea}`,
  `${sea}/v1`,
  `v1.${sea}`,
  `boats.${groupTable.rbac[0]}`,
  `my-${namespaceTable.system[0]}`,
  'cluster',
  'kubernetes',
  'cluster-admin',
  `tides.${domain}/high`,
  'app',
  '',
];
for (const text of users)
  test(`"${text}" belongs to users`, () => {
    assert.equal(there.convert(text), undefined);
    assert.equal(there.holdsName(text), false);
  });

test('the group of a definition is not used as the group of a built-in resource', () => {
  assert.equal(back.convert(`gateway.networking.${kubernetesGroupDomain}`), undefined);
  assert.equal(back.convert(`gateway.networking.${kubernetesGroupDomain}/v1`), undefined);
});

const longer = [
  `--namespace=${namespaceTable.system[0]}`,
  `kubectl get nodes -l ${labelTable.hostname[0]}=a`,
  `see https://example.com/${groupTable.networking[0]}.`,
];
for (const text of longer)
  test(`"${text}" contains a name`, () => {
    assert.equal(there.convert(text), undefined);
    assert.ok(there.holdsName(text));
  });
