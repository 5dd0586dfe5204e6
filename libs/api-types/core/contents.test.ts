import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create, update } from '../test-drivers/process.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const large = 'x'.repeat(1024 * 1024 + 1);
const redacted = base64('{"auths": secret-token');

interface Case {
  readonly what: string;
  readonly resource: string;
  readonly content: Record<string, unknown>;
  readonly findings: readonly string[];
}

const cases: readonly Case[] = [
  { what: 'an empty config map', resource: 'configmaps', content: {}, findings: [] },
  {
    what: 'every character that keys may have',
    resource: 'configmaps',
    content: { data: { 'a-_.Z9': '' } },
    findings: [],
  },
  {
    what: 'keys with other characters, dots alone, or too long',
    resource: 'configmaps',
    content: { data: { 'a b': '', '..': '', ['k'.repeat(254)]: '' } },
    findings: ['Invalid data[a b]', 'Invalid data[..]', `Invalid data[${'k'.repeat(254)}]`],
  },
  {
    what: 'a key in both maps',
    resource: 'configmaps',
    content: { data: { a: '1' }, binaryData: { a: base64('1') } },
    findings: ['Invalid data[a]'],
  },
  {
    what: 'a config map over 1 MiB',
    resource: 'configmaps',
    content: { data: { a: large } },
    findings: ['TooLong []'],
  },
  {
    what: 'a config map of exactly 1 MiB of bytes',
    resource: 'configmaps',
    content: { binaryData: { a: base64(large.slice(1)) } },
    findings: [],
  },
  {
    what: 'a secret over 1 MiB',
    resource: 'secrets',
    content: { stringData: { a: large } },
    findings: ['TooLong data'],
  },
  {
    what: 'a TLS secret without its key',
    resource: 'secrets',
    content: { type: 'cluster.io/tls', data: { 'tls.crt': '' } },
    findings: ['Required data[tls.key]'],
  },
  {
    what: 'a TLS secret under the Kubernetes name of its type',
    resource: 'secrets',
    content: { type: 'kubernetes.io/tls' },
    findings: ['Required data[tls.crt]', 'Required data[tls.key]'],
  },
  {
    what: 'registry credentials that are no JSON',
    resource: 'secrets',
    content: { type: 'cluster.io/dockerconfigjson', data: { '.dockerconfigjson': redacted } },
    findings: ['Invalid data[.dockerconfigjson]'],
  },
  {
    what: 'registry credentials that are no object',
    resource: 'secrets',
    content: { type: 'cluster.io/dockercfg', stringData: { '.dockercfg': '[]' } },
    findings: ['Invalid data[.dockercfg]'],
  },
  {
    what: 'registry credentials of nothing',
    resource: 'secrets',
    content: { type: 'cluster.io/dockercfg', stringData: { '.dockercfg': 'null' } },
    findings: [],
  },
  {
    what: 'registry credentials',
    resource: 'secrets',
    content: { type: 'cluster.io/dockerconfigjson', stringData: { '.dockerconfigjson': '{"auths":{}}' } },
    findings: [],
  },
  {
    what: 'a token without its account',
    resource: 'secrets',
    content: { type: 'cluster.io/service-account-token' },
    findings: ['Required metadata.annotations[cluster.io/service-account.name]'],
  },
  {
    what: 'a token with its account',
    resource: 'secrets',
    content: {
      type: 'cluster.io/service-account-token',
      metadata: { annotations: { 'cluster.io/service-account.name': 'default' } },
    },
    findings: [],
  },
  {
    what: 'credentials with a user name only',
    resource: 'secrets',
    content: { type: 'cluster.io/basic-auth', stringData: { username: 'u' } },
    findings: [],
  },
  {
    what: 'credentials with neither user name nor password',
    resource: 'secrets',
    content: { type: 'cluster.io/basic-auth' },
    findings: ['Required data[username]', 'Required data[password]'],
  },
  {
    what: 'an empty SSH key',
    resource: 'secrets',
    content: { type: 'cluster.io/ssh-auth', data: { 'ssh-privatekey': '' } },
    findings: ['Required data[ssh-privatekey]'],
  },
];

describe('the contents of config maps and secrets', () => {
  for (const { what, resource, content, findings } of cases)
    it(`${resource}: ${what}`, () => assert.deepEqual(create(resource, content).findings, findings));

  it('are not shown in errors about them', () => {
    const { errors } = create('secrets', {
      type: 'cluster.io/dockerconfigjson',
      data: { '.dockerconfigjson': redacted },
    });
    assert.doesNotMatch(JSON.stringify(errors), /secret-token|auths/);
  });

  it('cannot change once they are immutable, unlike metadata', () => {
    const old = create('configmaps', { immutable: true, data: { a: '1' } }).object;
    const change = (content: Record<string, unknown>) => update('configmaps', content, { old }).findings;
    assert.deepEqual(change({ immutable: true, data: { a: '1' }, metadata: { labels: { a: 'b' } } }), []);
    assert.deepEqual(change({ immutable: true, data: { a: '2' } }), ['Forbidden data']);
    assert.deepEqual(change({ data: { a: '1' } }), ['Forbidden immutable']);
    assert.deepEqual(change({ immutable: true, data: { a: '1' }, binaryData: { b: '' } }), [
      'Forbidden binaryData',
    ]);
  });

  it('may become immutable', () => {
    const old = create('configmaps', { data: { a: '1' } }).object;
    assert.deepEqual(update('configmaps', { immutable: true, data: { a: '2' } }, { old }).findings, []);
  });

  it('merge stringData into data, where it wins, and do not keep it', () => {
    const { object } = create('secrets', {
      data: { a: base64('1'), b: base64('2') },
      stringData: { a: 'ä' },
    });
    assert.deepEqual(object['data'], { a: base64('ä'), b: base64('2') });
    assert.equal('stringData' in object, false);
    assert.equal(object['type'], 'Opaque');
  });

  it('of secrets cannot move to another type', () => {
    const old = create('secrets', {}).object;
    assert.deepEqual(update('secrets', { type: 'x' }, { old }).findings, ['Invalid type']);
  });
});

it('service accounts keep only the names of secrets', () => {
  const { object } = create('serviceaccounts', { secrets: [{ name: 's', uid: 'u' }, { kind: 'x' }] });
  assert.deepEqual(object['secrets'], [{ name: 's' }, {}]);
});
