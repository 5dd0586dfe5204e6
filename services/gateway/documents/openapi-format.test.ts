import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OpenApiFormat, type OpenApiVersion, openApiFormat } from './openapi-format.ts';

const both: OpenApiFormat[] = ['json', 'protobuf'];
const cases: [string | undefined, OpenApiFormat[], OpenApiFormat | undefined, OpenApiVersion?][] = [
  [undefined, both, 'json'],
  ['', both, 'json'],
  ['*/*', both, 'json'],
  ['application/*', both, 'json'],
  ['application/json; charset=utf-8', both, 'json'],
  ['application/com.github.proto-openapi.spec.v2@v1.0+protobuf', both, 'protobuf'],
  ['application/com.github.proto-openapi.spec.v2.v1.0+protobuf', both, 'protobuf'],
  ['application/com.github.proto-openapi.spec.v2@v1.0+protobuf;q=0.5, application/json', both, 'json'],
  ['application/yaml, application/json', both, 'json'],
  ['application/yaml', both, undefined],
  ['text/html', both, undefined],
  ['constructor', both, undefined],
  ['application/com.github.proto-openapi.spec.v2@v1.0+protobuf', ['json'], undefined],
  ['application/com.github.proto-openapi.spec.v3@v1.0+protobuf', both, undefined],
  ['application/com.github.proto-openapi.spec.v3@v1.0+protobuf', both, 'protobuf', 'v3'],
  ['application/com.github.proto-openapi.spec.v3.v1.0+protobuf', both, 'protobuf', 'v3'],
  ['application/com.github.proto-openapi.spec.v2@v1.0+protobuf', both, undefined, 'v3'],
  ['*/*', both, 'json', 'v3'],
];

for (const [accept, offered, expected, version = 'v2'] of cases) {
  test(`Accept ${accept ?? 'absent'} gives ${expected ?? 'nothing'} of ${offered.join(' and ')} in ${version}`, () => {
    assert.equal(openApiFormat(accept, { version, offered }), expected);
  });
}
