import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { groups, vocabulary } from '@binnacle/api-names';
import { createTypeRegistry } from '@binnacle/api-types';
import { discoveryDocuments } from './discovery-documents.ts';

/** An answer of a server of release 1.26, with the policies of admission switched on. Health checks are left out of its paths. */
interface DiscoveryFact {
  readonly path?: string;
  readonly paths?: string[];
  readonly body?: object;
  readonly resources?: object[];
}

suite(
  'discovery of release 1.26',
  { skip: vocabulary !== 'kubernetes' && 'the facts have the names of Kubernetes' },
  () => {
    const lines = readFileSync(new URL('./fixtures/kubernetes-1.26.jsonl', import.meta.url), 'utf8');
    const facts: DiscoveryFact[] = lines
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    const documents = discoveryDocuments({
      registry: createTypeRegistry({ runtimeConfig: `${groups.admissionregistration}/v1alpha1=true` }),
      aliases: 'listed',
      serverAddress: '',
      aggregated: true,
      openApiV3: true,
      storageVersionHash: false,
      morePaths: () => ['/.well-known/openid-configuration', '/openid/v1/jwks'],
    });
    const documentAt = (path: string) => documents.get(path)?.value ?? {};

    test('has the same paths in the root list', () => {
      assert.deepEqual(documentAt('')['paths'], facts[0]?.paths);
    });

    test('has the same resources in the same order for each group version', () => {
      const paths = facts.flatMap(({ path, resources }) => (resources === undefined ? [] : [path]));
      const served = [...documents.keys()].filter(path => /^\/apis?(\/[^/]+)?\/v/.test(path));
      assert.deepEqual(paths.toSorted(), served.toSorted());
    });

    for (const { path = '', body, resources } of facts.slice(1))
      test(`is the same at ${path}`, () => {
        if (resources !== undefined) assert.deepEqual(documentAt(path)['resources'], resources);
        const { serverAddressByClientCIDRs: _, ...document } = documentAt(path);
        if (body !== undefined) assert.deepEqual(document, body);
      });

    test('has each group once in the aggregated document, with response kinds of resources', () => {
      const all = documents.get('/apis')?.aggregated?.(`${groups.apidiscovery}/v2beta1`);
      const items = (all?.['items'] ?? []) as unknown as {
        metadata: { name: string };
        versions: AggregatedVersion[];
      }[]; // as it is written
      const listed = items.flatMap(({ metadata: { name }, versions }) =>
        versions.map(({ version, resources }) => ({
          path: `/apis/${name}/${version}`,
          resources: resources.flatMap(({ resource, responseKind, shortNames, subresources = [] }) => [
            { name: resource, ...responseKind, shortNames },
            ...subresources.map(({ subresource }) => ({ name: `${resource}/${subresource}` })),
          ]),
        })),
      );
      const expected = facts.flatMap(({ path = '', resources = [] }) => {
        const [, prefix, group, version] = path.split('/');
        if (prefix !== 'apis' || version === undefined) return [];
        const named = resources as { name: string; kind: string; shortNames?: string[] }[]; // as it is recorded
        return {
          path,
          resources: named.map(({ name, kind, shortNames }) =>
            name.includes('/') ? { name } : { name, group, version, kind, shortNames },
          ),
        };
      });
      assert.deepEqual(listed, expected);
    });
  },
);

interface AggregatedVersion {
  readonly version: string;
  readonly resources: readonly {
    readonly resource: string;
    readonly responseKind: { readonly group: string; readonly version: string; readonly kind: string };
    readonly shortNames?: string[];
    readonly subresources?: readonly { readonly subresource: string }[];
  }[];
}
