import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Secret, ServiceAccount } from '@binnacle/api-types/core/v1';
import { notFound } from '@binnacle/status-errors';
import { recordedRequests } from '../test-drivers/recorded-requests.ts';
import { forgetTokenSecret, reconcileTokenSecret } from './reconcile-token-secret.ts';

const { signal } = new AbortController();
const accountPath = '/api/v1/namespaces/n/serviceaccounts/robot';
const secretPath = '/api/v1/namespaces/n/secrets/s';
const missing = notFound({ group: '', resource: 'serviceaccounts' }, 'robot');

const createSecret = (uid?: string): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: 's',
    namespace: 'n',
    annotations: {
      'cluster.io/service-account.name': 'robot',
      ...(uid && { 'cluster.io/service-account.uid': uid }),
    },
  },
});
const createAccount = (uid: string, metadata: ServiceAccount['metadata'] = {}): ServiceAccount => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name: 'robot', namespace: 'n', uid, ...metadata },
});

interface Case {
  readonly what: string;
  readonly secret: Secret | undefined;
  readonly known?: ServiceAccount;
  /** The answer of the API about the account. */
  readonly current?: object;
  readonly writes: readonly string[];
}

const [fill, remove] = [[`PUT ${secretPath}`], [`DELETE ${secretPath}`]];
const terminating = { deletionTimestamp: '2030-01-01T00:00:00Z' };
const cases: readonly Case[] = [
  { what: 'is filled for its account', secret: createSecret('u1'), known: createAccount('u1'), writes: fill },
  {
    what: 'is filled where it names no uid yet',
    secret: createSecret(),
    known: createAccount('u1'),
    writes: fill,
  },
  {
    what: 'of an account that is heard of later is filled',
    secret: createSecret(),
    current: createAccount('u1'),
    writes: fill,
  },
  {
    what: 'of a later account than the last that was heard of is filled',
    secret: createSecret('u2'),
    known: createAccount('u1'),
    current: createAccount('u2'),
    writes: fill,
  },
  {
    what: 'of an account that is gone is deleted',
    secret: createSecret('u1'),
    current: missing,
    writes: remove,
  },
  { what: 'of a missing account is deleted', secret: createSecret(), current: missing, writes: remove },
  {
    what: 'of an earlier account is deleted',
    secret: createSecret('u1'),
    known: createAccount('u2'),
    current: createAccount('u2'),
    writes: remove,
  },
  {
    what: 'of an account that is being deleted is left alone',
    secret: createSecret('u1'),
    known: createAccount('u1', terminating),
    writes: [],
  },
  {
    what: 'that is being deleted is left alone',
    secret: { ...createSecret('u1'), metadata: { ...createSecret('u1').metadata, ...terminating } },
    current: missing,
    writes: [],
  },
  { what: 'that is gone is left alone', secret: undefined, writes: [] },
];

for (const { what, secret, known, current, writes } of cases)
  test(`a secret ${what}`, async () => {
    const { client, requests } = recordedRequests(current && { [`GET ${accountPath}`]: current });
    const options = { client, account: () => known, signToken: async () => 'token', rootCa: 'authority' };
    assert.deepEqual(await reconcileTokenSecret(secret, options, signal), { kind: 'done' });
    const written = requests.filter(({ method }) => method !== 'GET');
    assert.deepEqual(
      written.map(({ method, path }) => `${method} ${path}`),
      writes,
    );
  });

test('a deleted secret is removed from its account, and other secrets are kept', async () => {
  const account = { ...createAccount('u1'), secrets: [{ name: 'a' }, { name: 's' }] };
  const { client, requests } = recordedRequests({ [`GET ${accountPath}`]: account });
  const gone = { namespace: 'n', account: 'robot', secret: 's' };
  await forgetTokenSecret(gone, { client, account: () => account }, signal);
  assert.deepEqual(requests[1]?.body, { ...account, secrets: [{ name: 'a' }] });
});

test('an account that does not list the secret is not read', async () => {
  const { client, requests } = recordedRequests();
  const gone = { namespace: 'n', account: 'robot', secret: 's' };
  await forgetTokenSecret(gone, { client, account: () => createAccount('u1') }, signal);
  assert.deepEqual(requests, []);
});
