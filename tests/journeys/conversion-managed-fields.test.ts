import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import type { ApiServer } from './api-server.ts';
import type { HostConverter } from './conversion-hosts.ts';
import { type ConversionSetup, parseSpec, startConversions } from './conversion-setup.ts';

let setup: ConversionSetup;
let server: ApiServer;
let converter: HostConverter;

before(async () => {
  setup = await startConversions();
  ({ server, converter } = setup);
});

after(() => setup[Symbol.asyncDispose]());

const applied = { headers: { 'Content-Type': 'application/apply-patch+yaml' } };

/** `manager version` with the fields of the spec. */
function readManagers({ text }: { text: string }): Record<string, string[]> {
  const { metadata } = JSON.parse(text) as { metadata: { managedFields?: JsonObject[] } };
  const entries = (metadata.managedFields ?? []).map(({ manager, apiVersion, fieldsV1 }) => {
    const spec = (fieldsV1 as JsonObject)['f:spec'] as JsonObject | undefined;
    const fields = Object.keys(spec ?? {}).filter(key => key.startsWith('f:'));
    return [`${manager} ${String(apiVersion).split('/')[1]}`, fields.map(key => key.slice(2)).sort()];
  });
  return Object.fromEntries(entries);
}

test('managers in another version keep unchanged fields and lose changed ones', async () => {
  const { path, host } = await setup.hosts('owners');
  const first = await server.call('PATCH', `${path('v1', 'a')}?fieldManager=m1`, {
    body: host('v1', 'a', { hostPort: 'a.com:1', zone: 'north' }),
    ...applied,
  });
  assert.equal(first.code, 201, first.text);
  const same = await server.call('PATCH', `${path('v2', 'a')}?fieldManager=m2`, {
    body: host('v2', 'a', { host: 'a.com', port: '1' }),
    ...applied,
  });
  assert.equal(same.code, 200, same.text);
  assert.deepEqual(readManagers(same), { 'm1 v1': ['hostPort', 'zone'], 'm2 v2': ['host', 'port'] });
  const changing = (force: boolean) =>
    server.call('PATCH', `${path('v2', 'a')}?fieldManager=m2&force=${force}`, {
      body: host('v2', 'a', { host: 'b.com', port: '1' }),
      ...applied,
    });
  const conflict = await changing(false);
  assert.equal(conflict.code, 409);
  assert.deepEqual(
    conflict.json.details.causes.map(({ field }) => field),
    ['.spec.hostPort'],
  );
  const forced = await changing(true);
  assert.equal(forced.code, 200, forced.text);
  assert.deepEqual(readManagers(forced), { 'm1 v1': ['zone'], 'm2 v2': ['host', 'port'] });
  assert.deepEqual(parseSpec(await server.call('GET', path('v1', 'a'))), {
    hostPort: 'b.com:1',
    zone: 'north',
  });
});

test('a manager that continues in another version gives up the fields of the first one', async () => {
  const { path, host } = await setup.hosts('moving');
  await server.call('PATCH', `${path('v1', 'a')}?fieldManager=m1`, {
    body: host('v1', 'a', { hostPort: 'a.com:1', zone: 'north' }),
    ...applied,
  });
  const moved = await server.call('PATCH', `${path('v2', 'a')}?fieldManager=m1`, {
    body: host('v2', 'a', { host: 'a.com', port: '1' }),
    ...applied,
  });
  assert.equal(moved.code, 200, moved.text);
  assert.deepEqual(readManagers(moved), { 'm1 v2': ['host', 'port'] });
  assert.deepEqual(parseSpec(moved), { host: 'a.com', port: '1', zone: 'here' });
});

test('an update in one version removes changed fields from managers in another', async () => {
  const { path, host } = await setup.hosts('updates');
  await server.call('PATCH', `${path('v1', 'a')}?fieldManager=m1`, {
    body: host('v1', 'a', { hostPort: 'a.com:1', zone: 'north' }),
    ...applied,
  });
  const updated = await server.call('PATCH', `${path('v2', 'a')}?fieldManager=m2`, {
    body: { spec: { port: '2' } },
    headers: { 'Content-Type': 'application/merge-patch+json' },
  });
  assert.equal(updated.code, 200, updated.text);
  assert.deepEqual(readManagers(updated), { 'm1 v1': ['zone'], 'm2 v2': ['port'] });
  const { metadata } = updated.json as unknown as { metadata: JsonObject };
  const named = {
    ...host('v1', 'c', { hostPort: 'a.com:2', zone: 'north' }),
    metadata: { name: 'c', managedFields: metadata['managedFields'] ?? null },
  };
  const created = await server.call('POST', `${path('v1')}?fieldManager=m3`, { body: named });
  assert.equal(created.code, 201, created.text);
  assert.deepEqual(readManagers(created), { 'm3 v1': ['hostPort', 'zone'] });
});

test('no webhook is called for managers if all use one version', async () => {
  const { path, create } = await setup.hosts('alone');
  await create('v1', 'a', { hostPort: 'a.com:1' });
  const patched = await server.call('PATCH', path('v1', 'a'), {
    body: { spec: { zone: 'south' } },
    headers: { 'Content-Type': 'application/merge-patch+json' },
  });
  assert.equal(patched.code, 200);
  assert.deepEqual(converter.conversions(), []);
});

test('a failed conversion of managed fields fails the write', async () => {
  const { path, host } = await setup.hosts('broken');
  await server.call('PATCH', `${path('v2', 'a')}?fieldManager=m1`, {
    body: host('v2', 'a', { host: 'a.com', port: '1' }),
    ...applied,
  });
  converter.answering = () => ({ result: { status: 'Failure', message: 'nope' } });
  const failed = await server.call('PATCH', `${path('v1', 'a')}?fieldManager=m2`, {
    body: host('v1', 'a', { zone: 'south' }),
    ...applied,
  });
  assert.equal(failed.code, 500);
  assert.match(failed.json.message, /nope/);
});
