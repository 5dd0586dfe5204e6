import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { createTypeRegistry } from '@binnacle/api-types';
import { encodeProtobuf } from '@binnacle/codecs';
import { parseRequestTarget } from '../../request/parse-request-target.ts';
import { resolveResource } from '../../request/resolve-resource.ts';
import { auditEvent, eventHead } from './audit-event.ts';
import { bodyText, sentBodyText } from './body-text.ts';
import { auditedUri, readSourceIPs } from './request-audit.ts';

function sourceIPs(headers: IncomingHttpHeaders, peer: string): string[] {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: peer });
  return readSourceIPs({ headers, socket });
}

const sources: readonly (readonly [
  what: string,
  forwarded: string | undefined,
  real: string | undefined,
  peer: string,
  found: readonly string[],
])[] = [
  ['the peer alone', undefined, undefined, '10.0.0.1', ['10.0.0.1']],
  ['an IPv4 peer in its IPv6 form', undefined, undefined, '::ffff:10.0.0.1', ['10.0.0.1']],
  [
    'forwarded addresses first',
    '1.1.1.1, 2001:db8::1',
    undefined,
    '10.0.0.1',
    ['1.1.1.1', '2001:db8::1', '10.0.0.1'],
  ],
  ['no text that is no address', '"evil", 1.1.1.1,', 'unknown', '10.0.0.1', ['1.1.1.1', '10.0.0.1']],
  ['the real address after them', '1.1.1.1', '2.2.2.2', '10.0.0.1', ['1.1.1.1', '2.2.2.2', '10.0.0.1']],
  ['the real address once', '1.1.1.1', '1.1.1.1', '10.0.0.1', ['1.1.1.1', '10.0.0.1']],
  ['a peer that comes last already', '1.1.1.1, 10.0.0.1', undefined, '10.0.0.1', ['1.1.1.1', '10.0.0.1']],
  [
    'a peer that was claimed earlier',
    '10.0.0.1, 1.1.1.1',
    undefined,
    '10.0.0.1',
    ['10.0.0.1', '1.1.1.1', '10.0.0.1'],
  ],
];
for (const [what, forwarded, real, peer, found] of sources)
  test(`sourceIPs are ${what}`, () => {
    const headers = {
      ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }),
      ...(real !== undefined && { 'x-real-ip': real }),
    };
    assert.deepEqual(sourceIPs(headers, peer), found);
  });

test('the number of forwarded addresses is limited, and the peer is always included', () => {
  const found = sourceIPs({ 'x-forwarded-for': Array(5000).fill('1.1.1.1').join() }, '10.0.0.1');
  assert.equal(found.length, 65);
  assert.equal(found.at(-1), '10.0.0.1');
});

const uris: readonly (readonly [url: string, shown: string])[] = [
  ['/api', '/api'],
  ['/api?', '/api'],
  ['/api?limit=1&continue=abc', '/api?limit=1&continue=abc'],
  ['/api?access_token=s3cret', '/api'],
  ['/api?limit=1&access_token=s3cret&watch=1', '/api?limit=1&watch=1'],
  ['/api?acc%65ss_token=s3cret&limit=1', '/api?limit=1'],
  ['/api?ACCESS_TOKEN=s3cret', '/api'],
  ['/api?token=s3cret&id_token=s3cret&password=s3cret&client_secret=s3cret', '/api'],
  ['/api?access_token+=s3cret', '/api'],
  ['/api?a%zz=1', '/api?a%zz=1'],
];
for (const [url, shown] of uris)
  test(`the request URI of ${url} is ${shown}`, () => {
    assert.equal(auditedUri('/api', url), shown);
  });

const all = { managedFields: false, tokens: false };
const json = 'application/json';
const podTarget = parseRequestTarget(
  { method: 'POST', path: '/api/v1/namespaces/a/configmaps', query: new URLSearchParams() },
  group => group,
);
const registry = createTypeRegistry();
const resolved = podTarget.kind === 'resource' ? resolveResource(registry, podTarget, 'POST') : undefined;
assert.ok(resolved !== undefined);

const protobuf = encodeProtobuf(resolved.definition, {
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name: 'x' },
  data: { a: 'b' },
});
const sent: readonly (readonly [
  what: string,
  contentType: string,
  body: string | Buffer,
  isValid: boolean,
  text: string | undefined,
])[] = [
  ['JSON is as it was sent', json, '{"a": 1.0}', true, '{"a": 1.0}'],
  ['JSON over several lines is one', json, '{\r\n"a":\n\n"x\\ny"\n}', true, '{ "a": "x\\ny" }'],
  ['JSON of a request that failed is shown', json, '{"a":1}', false, '{"a":1}'],
  ['what is no JSON is left out', json, '{"a":1}}\n{"kind":"Event"}', false, undefined],
  ['an empty body is left out', json, '', true, undefined],
  ['YAML is decoded', 'application/yaml', 'a: 1\nb: [x]', true, '{"a":1,"b":["x"]}'],
  ['broken YAML is left out', 'application/yaml', 'a: [', false, undefined],
  ['a configuration is decoded', 'application/apply-patch+yaml', 'a: 1', true, '{"a":1}'],
  ['a patch is the patch', 'application/json-patch+json', '[{"op":"add"}]', true, '[{"op":"add"}]'],
  [
    'protobuf is decoded',
    'application/vnd.kubernetes.protobuf',
    protobuf,
    true,
    '{"metadata":{"name":"x"},"data":{"a":"b"}}',
  ],
  ['broken protobuf is left out', 'application/vnd.kubernetes.protobuf', 'k8s\0xxxx', false, undefined],
  ['bytes of another type are left out', 'text/plain', 'x', false, undefined],
];
for (const [what, contentType, body, isValid, text] of sent)
  test(what, async () => {
    const found = await sentBodyText({ bytes: Buffer.from(body), contentType, isValid, resolved }, all).catch(
      () => undefined,
    );
    assert.equal(found, text);
  });

test('managed fields are omitted from objects, lists and tables', () => {
  const object = { metadata: { name: 'a', managedFields: [{ manager: 'm' }] }, data: { managedFields: 'x' } };
  const kept = { metadata: { name: 'a' }, data: { managedFields: 'x' } };
  const without = (value: unknown) =>
    JSON.parse(bodyText(JSON.stringify(value), { managedFields: true, tokens: false }));
  assert.deepEqual(without(object), kept);
  assert.deepEqual(without({ items: [object] }), { items: [kept] });
  assert.deepEqual(without({ rows: [{ cells: [], object }, { object: null }] }), {
    rows: [{ cells: [], object: kept }, { object: null }],
  });
});

test('bearer tokens are omitted from token requests and reviews', () => {
  const text = JSON.stringify({ spec: { token: 's3cret' }, status: { token: 's3cret', user: {} } });
  const found = bodyText(text, { managedFields: false, tokens: true });
  assert.doesNotMatch(found, /s3cret/);
  assert.deepEqual(JSON.parse(found).status, { token: '[omitted]', user: {} });
});

test('an event without its bodies has an annotation about that', () => {
  const head = eventHead({
    level: 'Request',
    auditId: 'id',
    requestURI: '/',
    verb: 'get',
    user: undefined,
    sourceIPs: [],
    userAgent: '',
    receivedAt: 0.5,
  });
  const stage = {
    stage: 'ResponseComplete',
    at: 1,
    impersonatedUser: undefined,
    object: undefined,
    status: { code: 200 },
    annotations: {},
  } as const;
  const event = auditEvent(head, { ...stage, requestObject: '{"a":1}', responseObject: '{"b":2}' }, false);
  const whole = JSON.parse(event.text);
  assert.deepEqual([whole.requestObject, whole.responseObject, whole.user], [{ a: 1 }, { b: 2 }, {}]);
  assert.equal(whole.requestReceivedTimestamp, '1970-01-01T00:00:00.000500Z');
  const bare = JSON.parse(event.withoutBodies());
  assert.deepEqual([bare.requestObject, bare.responseObject], [undefined, undefined]);
  assert.deepEqual(bare.annotations, { 'audit.cluster.io/truncated': 'true' });
  const bodiless = auditEvent(head, stage, false);
  assert.equal(bodiless.withoutBodies(), bodiless.text);
});
