import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusError } from '@binnacle/status-errors';
import { negotiate, negotiateError } from './negotiate.ts';
import { documentOffer, findOffer } from './negotiation-offers.ts';

const input = (accept?: string, more: { query?: string; userAgent?: string } = {}) => ({
  accept,
  userAgent: more.userAgent,
  query: new URLSearchParams(more.query ?? ''),
});
const objectOffer = findOffer('delete', true);
const watchOffer = findOffer('watch', true);
const describe = (accept?: string, offer = objectOffer) => {
  const { mediaType, transform } = negotiate(input(accept), offer);
  return transform === undefined ? mediaType : `${mediaType} as ${transform.kind} of ${transform.apiVersion}`;
};

const cases: [string | undefined, string][] = [
  [undefined, 'application/json'],
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['application/yaml', 'application/yaml'],
  ['application/vnd.kubernetes.protobuf', 'application/vnd.kubernetes.protobuf'],
  ['text/html, application/json', 'application/json'],
  ['application/json;q=0.5, application/yaml', 'application/yaml'],
  ['application/json;q=0, application/yaml', 'application/yaml'],
  ['*/*, application/yaml', 'application/yaml'],
  ['*/*, application/yaml;q=0.9', 'application/json'],
  ['application/json;as=Table;v=v1;g=meta.k8s.io', 'application/json as Table of meta.k8s.io/v1'],
  [
    'application/json;as=Table;g=meta.cluster.io;v=v1,application/json',
    'application/json as Table of meta.cluster.io/v1',
  ],
  [
    'application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json',
    'application/json as Table of meta.k8s.io/v1beta1',
  ],
  ['application/json;as=Table;v=v2;g=meta.k8s.io,application/json', 'application/json'],
  ['application/json;as=Table;v=v1;g=other.io,application/json', 'application/json'],
  [
    'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
    'application/json as PartialObjectMetadataList of meta.k8s.io/v1',
  ],
  [
    'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json',
    'application/json',
  ],
];
for (const [accept, expected] of cases) {
  test(`Accept ${JSON.stringify(accept)} selects ${expected}`, () =>
    assert.equal(describe(accept), expected));
}

const metadata = (type: string, kind = 'PartialObjectMetadata') => `${type};as=${kind};g=meta.k8s.io;v=v1`;
const binary = 'application/vnd.kubernetes.protobuf';
const ofMetadata = (type: string, kind = 'PartialObjectMetadata') => `${type} as ${kind} of meta.k8s.io/v1`;

// The Accept header of client-go's metadata client, for an object or a watch.
const forMetadata = `${metadata(binary)},${metadata('application/json')},application/json`;
const listOfMetadata = `${metadata(binary, 'PartialObjectMetadataList')},application/json`;
const choices: [string, Parameters<typeof findOffer>, string][] = [
  [forMetadata, ['get', true], ofMetadata(binary)],
  [forMetadata, ['watch', true], ofMetadata(binary)],
  [forMetadata, ['get', false], ofMetadata(binary)],
  [forMetadata, ['watch', false], ofMetadata(binary)],
  [forMetadata, ['list', true], 'application/json'],
  [listOfMetadata, ['list', true], ofMetadata(binary, 'PartialObjectMetadataList')],
  [listOfMetadata, ['list', false], ofMetadata(binary, 'PartialObjectMetadataList')],
  [listOfMetadata, ['get', true], 'application/json'],
  [listOfMetadata, ['create', true], 'application/json'],
  [`${binary},${metadata('application/json')}`, ['watch', false], ofMetadata('application/json')],
  [`${binary},${metadata('application/json')}`, ['watch', true], binary],
  [`${metadata(binary)};q=0.5,application/json;q=0.8`, ['watch', true], 'application/json'],
  [`${metadata('application/yaml')},${metadata(binary)}`, ['watch', true], ofMetadata(binary)],
];
for (const [accept, [verb, hasWireForm], expected] of choices) {
  test(`${verb}${hasWireForm ? '' : ' of custom objects'} with Accept ${accept} selects ${expected}`, () =>
    assert.equal(describe(accept, findOffer(verb, hasWireForm)), expected));
}

const refused: [string, typeof objectOffer][] = [
  ['application/vnd.kubernetes.protobuf', findOffer('get', false)],
  ['application/vnd.kubernetes.protobuf', findOffer('watch', false)],
  [metadata('application/json', 'PartialObjectMetadataList'), findOffer('get', true)],
  [metadata('application/json'), findOffer('list', true)],
  [metadata('application/yaml'), watchOffer],
  ['text/html', objectOffer],
  ['application/xml', objectOffer],
  ['application/yaml', watchOffer],
  ['application/*', objectOffer],
  ['application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList', documentOffer],
  ['application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io', objectOffer],
];
for (const [accept, offer] of refused) {
  test(`Accept ${accept} is not acceptable for ${offer.encodings}`, () => {
    assert.throws(
      () => negotiate(input(accept), offer),
      (error: unknown) => error instanceof StatusError && error.code === 406,
    );
  });
}

test('an error keeps the plain type, or is JSON', () => {
  assert.equal(
    negotiateError(input('application/json;as=Table;v=v1;g=meta.k8s.io')).mediaType,
    'application/json',
  );
  assert.equal(negotiateError(input('application/yaml')).encoding, 'yaml');
  assert.equal(negotiateError(input('text/html')).encoding, 'json');
});

test('browsers get indented JSON', () => {
  assert.equal(negotiate(input('*/*', { userAgent: 'curl/8.0' }), objectOffer).pretty, true);
  assert.equal(negotiate(input('*/*', { query: 'pretty=1' }), objectOffer).pretty, true);
  assert.equal(
    negotiate(input('*/*', { query: 'pretty=false', userAgent: 'curl/8.0' }), objectOffer).pretty,
    false,
  );
  assert.equal(negotiate(input('*/*'), objectOffer).pretty, false);
});
