import assert from 'node:assert/strict';
import { test } from 'node:test';
import { annotationTable } from '@binnacle/api-names/table';
import type { JsonObject } from '@binnacle/api-objects';
import { maskSecret } from './mask-secret.ts';

const secret = (data: JsonObject, annotations?: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 's', ...(annotations && { annotations }) },
  data,
});

test('values of a Secret are masked, and masked differently where they differ', () => {
  const live = secret({ same: 'YQ==', changed: 'YQ==', gone: 'YQ==' });
  const merged = secret({ same: 'YQ==', changed: 'Yg==', come: 'YQ==' });
  const masked = maskSecret({ live, merged });
  assert.deepEqual(masked.live?.['data'], { same: '***', changed: '*** (before)', gone: '***' });
  assert.deepEqual(masked.merged['data'], { same: '***', changed: '*** (after)', come: '***' });
  assert.equal(live['data'] !== masked.live?.['data'], true);
});

test('a Secret that does not exist yet is masked too', () => {
  const { live, merged } = maskSecret({ live: undefined, merged: secret({ a: 'YQ==' }) });
  assert.equal(live, undefined);
  assert.deepEqual(merged['data'], { a: '***' });
});

test('the last-applied annotation of a Secret is masked, other annotations are not', () => {
  for (const name of annotationTable.lastApplied) {
    const { live, merged } = maskSecret({
      live: secret({}, { [name]: '{"data":{"a":"YQ=="}}', other: 'x' }),
      merged: secret({}, { [name]: '{}', other: 'x' }),
    });
    assert.deepEqual(live?.['metadata'], { name: 's', annotations: { [name]: '*** (before)', other: 'x' } });
    assert.deepEqual(merged['metadata'], { name: 's', annotations: { [name]: '*** (after)', other: 'x' } });
  }
});

test('objects other than Secrets are not masked', () => {
  const merged = { apiVersion: 'example.com/v1', kind: 'Secret', data: { a: 'b' } };
  assert.deepEqual(maskSecret({ live: undefined, merged }), { live: undefined, merged });
});
