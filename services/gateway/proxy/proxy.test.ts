import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '@binnacle/api-objects';
import { StatusError } from '@binnacle/status-errors';
import { passedOn, withoutHops } from './pass-on.ts';
import { locationThroughProxy, splitProxiedPath } from './proxied-path.ts';
import { parseProxiedName } from './proxy-target.ts';
import { addressesOfEndpoints, addressesOfSlice } from './service-addresses.ts';

const names: readonly [text: string, scheme: string | undefined, name: string, port: string][] = [
  ['web', undefined, 'web', ''],
  ['web:80', undefined, 'web', '80'],
  ['web:http', undefined, 'web', 'http'],
  ['https:web:443', 'https', 'web', '443'],
  ['http:web:', 'http', 'web', ''],
  [':web:80', undefined, 'web', '80'],
];
for (const [text, scheme, name, port] of names)
  test(`the name ${text} is parsed`, () => {
    assert.deepEqual(parseProxiedName(text, 'service'), { scheme, name, port });
  });

for (const text of ['', ':', 'web:', 'ftp:web:21', 'a:b:c:d', 'https::443'])
  test(`the name ${JSON.stringify(text)} is refused`, () => {
    assert.throws(
      () => parseProxiedName(text, 'service'),
      (error: unknown) => error instanceof StatusError && error.code === 400,
    );
  });

const paths: readonly [url: string, rest: string | undefined, query: string][] = [
  ['/api/v1/namespaces/t/services/web:80/proxy/a//b%2Fc/?x=1&y', '/a//b%2Fc/', '?x=1&y'],
  ['/api/v1/namespaces/t/services/web/proxy', '', ''],
  ['/api/v1/namespaces/t/services/web/proxy?x', '', '?x'],
  ['/api/v1/nodes/n1/proxy/metrics', '/metrics', ''],
  ['https://host:6443/api/v1/nodes/n1/proxy/metrics', '/metrics', ''],
  ['/api/v1/nodes/n1/proxyish', undefined, ''],
  ['/apis/apps/v1/nodes/n1/proxy/a', undefined, ''],
];
for (const [url, rest, query] of paths)
  test(`the path ${url} is split`, () => {
    const split = splitProxiedPath(url);
    assert.equal(split?.rest, rest);
    if (split) {
      assert.equal(split.query, query);
      assert(split.before.startsWith('/api/') && split.before.endsWith('/proxy'));
    }
  });

test('a redirect from behind the proxy is rewritten to the proxy', () => {
  const way = { before: '/api/v1/nodes/n/proxy', origin: 'http://10.0.0.1:80' };
  assert.equal(locationThroughProxy('/login', way), '/api/v1/nodes/n/proxy/login');
  assert.equal(locationThroughProxy('http://10.0.0.1:80/a', way), '/api/v1/nodes/n/proxy/a');
  assert.equal(locationThroughProxy('http://10.0.0.1:8080/a', way), 'http://10.0.0.1:8080/a');
  assert.equal(locationThroughProxy('//elsewhere/a', way), '//elsewhere/a');
  assert.equal(locationThroughProxy('next', way), 'next');
});

test('credentials and hop-by-hop headers are not passed on', () => {
  const kept = passedOn({
    accept: 'text/plain',
    authorization: 'Bearer secret',
    'proxy-authorization': 'Basic x',
    'impersonate-user': 'root',
    'impersonate-extra-a': 'b',
    'x-remote-user': 'root',
    'x-forwarded-uri': '/forged',
    host: 'api',
    connection: 'keep-alive, X-Private',
    'x-private': '1',
    'keep-alive': 'timeout=5',
    'transfer-encoding': 'chunked',
    te: 'trailers',
    expect: '100-continue',
    cookie: 'a=b',
  });
  assert.deepEqual(kept, { accept: 'text/plain', cookie: 'a=b' });
  assert.deepEqual(withoutHops({ connection: 'close', 'set-cookie': ['a', 'b'] }), {
    'set-cookie': ['a', 'b'],
  });
});

test('a service is reached at its ready addresses with the port only', () => {
  const endpoints: ApiObject = {
    kind: 'Endpoints',
    apiVersion: 'v1',
    metadata: { name: 'web' },
    subsets: [
      {
        addresses: [{ ip: '10.0.0.1' }],
        ports: [
          { name: 'http', port: 80 },
          { name: 'tls', port: 443 },
        ],
      },
      { notReadyAddresses: [{ ip: '10.0.0.2' }], ports: [{ name: 'http', port: 80 }] },
      { addresses: [{ ip: '10.0.0.3' }], ports: [{ port: 8080 }] },
    ],
  };
  assert.deepEqual(addressesOfEndpoints(endpoints, 'http'), [{ address: '10.0.0.1', port: 80 }]);
  assert.deepEqual(addressesOfEndpoints(endpoints, ''), [{ address: '10.0.0.3', port: 8080 }]);
  assert.deepEqual(addressesOfEndpoints(endpoints, 'none'), []);
});

test('a service is reached at the ready addresses of its slices, never at host names', () => {
  const slice: ApiObject = {
    kind: 'EndpointSlice',
    apiVersion: 'discovery.cluster.io/v1',
    metadata: { name: 'web-1' },
    addressType: 'IPv4',
    ports: [{ name: '', port: 80 }],
    endpoints: [
      { addresses: ['10.0.0.1'], conditions: { ready: true } },
      { addresses: ['10.0.0.2'], conditions: { ready: false } },
      { addresses: ['10.0.0.3'] },
    ],
  };
  assert.deepEqual(addressesOfSlice(slice, ''), [
    { address: '10.0.0.1', port: 80 },
    { address: '10.0.0.3', port: 80 },
  ]);
  assert.deepEqual(addressesOfSlice({ ...slice, addressType: 'FQDN' }, ''), []);
});
