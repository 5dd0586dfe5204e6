import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ApiObject } from '@binnacle/api-objects';
import { createTypeRegistry, validateObject } from '@binnacle/api-types';
import { createPki } from '@binnacle/tls';
import type { ProxySettings } from '../authentication/authenticating-proxy.ts';
import type { ClientAuthorities } from '../authentication/client-certificate.ts';
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

const noProxies: ProxySettings = {
  requestheaderUsernameHeaders: [],
  requestheaderGroupHeaders: [],
  requestheaderExtraHeadersPrefix: [],
  requestheaderAllowedNames: [],
};

type Published = { readonly authorities: ClientAuthorities; readonly proxies: ProxySettings };

const ofUsers = (pem: string): Published => ({ authorities: { clientCa: pem }, proxies: noProxies });

function created(published: Published, at = now): ApiObject {
  const [object] = clientAuthorities(published, at);
  assert.ok(object && definition);
  return newObject(object, definition, at);
}

function brought(current: ApiObject, published: Published, at = now): ApiObject | undefined {
  const [object] = clientAuthorities(published, at);
  assert.ok(object);
  const change = changeTo(current, object);
  return change.kind === 'update' ? change.object : undefined;
}

test('a server publishes its client CA once', () => {
  const object = created(ofUsers(`${first}\n${first}`));
  assert.ok(definition);
  assert.deepEqual(validateObject(definition, object), []);
  assert.equal(published(object), first);
  assert.equal(brought(object, ofUsers(first)), undefined);
  assert.deepEqual(clientAuthorities({ authorities: {}, proxies: noProxies }, now), []);
});

test('servers with different client CAs publish both, and none removes another', () => {
  const object = brought(created(ofUsers(first)), ofUsers(second));
  assert.ok(object);
  assert.equal(published(object), first + second);
  for (const pem of [first, second]) assert.equal(brought(object, ofUsers(pem)), undefined);
});

test('expired and invalid certificates are removed, and other content is kept', () => {
  const base = created(ofUsers(first));
  const odd = '-----BEGIN CERTIFICATE-----\nbm9uZQ==\n-----END CERTIFICATE-----\n';
  const data = { 'client-ca-file': odd + first, 'requestheader-allowed-names': '[]' };
  const mended = brought({ ...base, data }, ofUsers(first));
  assert.deepEqual(mended?.['data'], { ...data, 'client-ca-file': first });
  const later = now + 11 * 365 * 24 * 3600_000;
  assert.equal(published(brought(base, ofUsers(second), later) ?? base), '');
  assert.equal(
    published(brought({ ...base, data: { 'client-ca-file': 7 } }, ofUsers(second)) ?? base),
    second,
  );
});

test('servers publish the CA, headers and names of authenticating proxies, and the values of all servers add up', () => {
  const proxies: ProxySettings = {
    requestheaderUsernameHeaders: ['X-Remote-User'],
    requestheaderGroupHeaders: ['X-Remote-Group'],
    requestheaderExtraHeadersPrefix: ['X-Remote-Extra-'],
    requestheaderAllowedNames: [],
  };
  const published = { authorities: { clientCa: first, proxyCa: second }, proxies };
  const object = created(published);
  assert.ok(definition);
  assert.deepEqual(validateObject(definition, object), []);
  assert.deepEqual(object['data'], {
    'client-ca-file': first,
    'requestheader-client-ca-file': second,
    'requestheader-username-headers': '["X-Remote-User"]',
    'requestheader-group-headers': '["X-Remote-Group"]',
    'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
    'requestheader-allowed-names': '[]',
  });
  assert.equal(brought(object, published), undefined);
  assert.equal(brought(object, ofUsers(first)), undefined);
  const other = {
    authorities: { proxyCa: first },
    proxies: {
      ...proxies,
      requestheaderUsernameHeaders: ['X-User', 'X-Remote-User'],
      requestheaderAllowedNames: ['front'],
    },
  };
  assert.deepEqual(brought(object, other)?.['data'], {
    ...(object['data'] as object), // A config map's.
    'requestheader-client-ca-file': second + first,
    'requestheader-username-headers': '["X-Remote-User","X-User"]',
    'requestheader-allowed-names': '["front"]',
  });
  const odd = {
    ...object,
    data: { 'requestheader-username-headers': 'none', 'requestheader-allowed-names': '{}' },
  };
  assert.deepEqual(brought(odd, published)?.['data'], object['data']);
});
