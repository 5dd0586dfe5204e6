import assert from 'node:assert/strict';
import { test } from 'node:test';
import { vocabulary } from '@binnacle/api-names';
import {
  documentExtensionTable,
  domainTable,
  extensionTable,
  groupTable,
  mediaTypeTable,
  namespaceTable,
  schemaTable,
} from '@binnacle/api-names/table';
import { createTypeRegistry } from '@binnacle/api-types';
import release from './fixtures/release-1.26.json' with { type: 'json' };
import { createOpenApiDocuments } from './openapi-documents.ts';

// kube-apiserver 1.26.5 with these API versions enabled, whose documents define the expected names.
const registry = createTypeRegistry({ runtimeConfig: 'admissionregistration.cluster.io/v1alpha1=true' });
const documents = createOpenApiDocuments(registry, { serverVersion: 'v1.26.5', issuerDiscovery: true });
const onlyKubernetes = {
  skip: vocabulary !== 'kubernetes' && 'the names of the release are those of the vocabulary kubernetes',
};

/** Rows of docs/differences.md. */
const differences = {
  /** Release 1.26 has no v3 document of the group served by its aggregator. */
  addedPaths: ['apis/apiregistration.cluster.io', 'apis/apiregistration.cluster.io/v1'],
  lackingExtensions: ['x-kubernetes-unions'],
};

async function textsOfAll(): Promise<string[]> {
  const parts = await Promise.all(documents.v3Paths().map(path => documents.v3Part(path)));
  return [await documents.v2Json(), ...parts.map(part => part?.document)].map(document =>
    String(document?.bytes),
  );
}

test('the definitions are those of release 1.26', onlyKubernetes, async () => {
  const { definitions } = JSON.parse(String((await documents.v2Json()).bytes));
  assert.deepEqual(Object.keys(definitions).sort(), [...release.definitions].sort());
});

test('the v3 documents are those of release 1.26', onlyKubernetes, () => {
  const paths = documents.v3Paths().filter(path => !differences.addedPaths.includes(path));
  assert.deepEqual(paths.sort(), [...release.paths].sort());
  assert.equal(paths.length, documents.v3Paths().length - differences.addedPaths.length);
});

test('the extensions are those of release 1.26', onlyKubernetes, async () => {
  const found = new Set((await textsOfAll()).flatMap(text => text.match(/(?<=")x-[a-z-]+(?=":)/g) ?? []));
  const expected = release.extensions.filter(name => !differences.lackingExtensions.includes(name));
  assert.deepEqual([...found].sort(), expected.sort());
});

const foreignNames = Object.values({
  ...groupTable,
  ...extensionTable,
  ...documentExtensionTable,
  ...mediaTypeTable,
})
  .map(([cluster]): string => cluster)
  .concat(`.${domainTable.groups[0]}`, schemaTable.api[0], namespaceTable.system[0]);

test('no name of the vocabulary cluster is in the documents', onlyKubernetes, async () => {
  const found = (await textsOfAll()).flatMap(text => foreignNames.filter(name => text.includes(name)));
  assert.deepEqual(found, []);
});
