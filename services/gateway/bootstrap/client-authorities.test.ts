import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ApiObject } from '@binnacle/api-objects';
import { createTypeRegistry, validateObject } from '@binnacle/api-types';
import { createPki } from '@binnacle/service-kit';
import { clientAuthorities } from './client-authorities.ts';
import { changeTo, newObject } from './ensure-objects.ts';

const definition = createTypeRegistry().resource('', 'v1', 'configmaps');
assert.ok(definition);

async function authority(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'authorities-'));
  try {
    return await readFile((await createPki(directory)).caFile, 'utf8');
  } finally {
    await rm(directory, { recursive: true });
  }
}

const [first, second] = await Promise.all([authority(), authority()]);
const now = Date.now();
const published = (object: ApiObject): unknown =>
  (object['data'] as { [key: string]: unknown })['client-ca-file'];

function created(pem: string, at = now): ApiObject {
  const [object] = clientAuthorities(pem, at);
  assert.ok(object && definition);
  return newObject(object, definition, at);
}

function brought(current: ApiObject, pem: string, at = now): ApiObject | undefined {
  const [object] = clientAuthorities(pem, at);
  assert.ok(object);
  const change = changeTo(current, object);
  return change.kind === 'update' ? change.object : undefined;
}

test('a server publishes its authority, once', () => {
  const object = created(`${first}\n${first}`);
  assert.ok(definition);
  assert.deepEqual(validateObject(definition, object), []);
  assert.equal(published(object), first);
  assert.equal(brought(object, first), undefined);
  assert.deepEqual(clientAuthorities(undefined, now), []);
});

test('servers with different authorities publish both, and neither takes the other out', () => {
  const object = brought(created(first), second);
  assert.ok(object);
  assert.equal(published(object), first + second);
  for (const pem of [first, second]) assert.equal(brought(object, pem), undefined);
});

test('what is past its date, or is no certificate, goes; what else is there stays', () => {
  const base = created(first);
  const odd = '-----BEGIN CERTIFICATE-----\nbm9uZQ==\n-----END CERTIFICATE-----\n';
  const data = { 'client-ca-file': odd + first, 'requestheader-allowed-names': '[]' };
  const mended = brought({ ...base, data }, first);
  assert.deepEqual(mended?.['data'], { ...data, 'client-ca-file': first });
  const later = now + 11 * 365 * 24 * 3600_000;
  assert.equal(published(brought(base, second, later) ?? base), '');
  assert.equal(published(brought({ ...base, data: { 'client-ca-file': 7 } }, second) ?? base), second);
});
