import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { groups, understood } from '@binnacle/api-names';
import type { JsonObject } from '@binnacle/api-objects';
import { FollowedFiles } from '@binnacle/backend-access';
import { type CallRequest, type CallResponse, noDeadline } from '@binnacle/proto';
import { silentLogger } from '@binnacle/telemetry';
import { aliasNames, ownNames } from '../../chain/shown-names.ts';
import { askBackend, BackendFailed } from './ask-backend.ts';
import { type ImagePolicy, parseImagePolicy } from './image-policy.ts';
import { createImageReviewSpec, parseImageReview } from './image-review.ts';

const clientConfiguration = {
  'current-context': 'c',
  contexts: [
    { name: 'other', context: {} },
    { name: 'c', context: { cluster: 'b', user: 'u' } },
  ],
  clusters: [
    { name: 'other', cluster: {} },
    { name: 'b', cluster: { server: 'https://backend.example.com/x', 'certificate-authority': 'ca.pem' } },
  ],
  users: [
    {
      name: 'u',
      user: {
        'client-certificate-data': 'Y2VydA==',
        'client-key-data': 'a2V5',
        username: 'me',
        password: 'pw',
      },
    },
  ],
};

async function parse(
  imagePolicy: unknown,
  client: unknown = clientConfiguration,
  names = ownNames,
): Promise<ImagePolicy> {
  const directory = await mkdtemp(join(tmpdir(), 'image-policy-'));
  try {
    await writeFile(join(directory, 'ca.pem'), 'authority');
    await writeFile(join(directory, 'client.json'), JSON.stringify(client));
    return parseImagePolicy({ document: { imagePolicy } as JsonObject, directory, names });
  } finally {
    await rm(directory, { recursive: true });
  }
}

const kubeConfigFile = 'client.json';

test('the configuration has defaults and names the backend', async () => {
  const { backend, ...rest } = await parse({ kubeConfigFile });
  const { caBundle, credentials, url } = backend;
  assert.equal(url, 'https://backend.example.com/x');
  assert.deepEqual(rest, {
    apiVersion: `${groups.imagepolicy}/v1alpha1`,
    allowTtlMs: 300_000,
    denyTtlMs: 30_000,
    retryBackoffMs: 500,
    defaultAllow: false,
  });
  assert.equal(Buffer.from(caBundle).toString(), 'authority');
  const { clientCertificate, clientKey, ...identity } = credentials;
  assert.deepEqual([clientCertificate, clientKey].map(String), ['cert', 'key']);
  assert.deepEqual(identity, { username: 'me', password: 'pw', token: '' });
});

test('credentials in a changed client configuration are used for the next call', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'image-policy-'));
  try {
    const write = (password: string) => {
      const users = [{ name: 'u', user: { username: 'me', password } }];
      const content = { clusters: [{ name: 'b', cluster: { server: 'https://b.example.com' } }], users };
      return writeFile(join(directory, 'client.json'), JSON.stringify(content));
    };
    await write('first');
    using files = new FollowedFiles();
    const configuration = { document: { imagePolicy: { kubeConfigFile } }, directory, names: ownNames };
    const policy = parseImagePolicy(configuration, files);
    assert.equal(policy.backend.credentials.password, 'first');
    await write('second');
    await files.look(silentLogger);
    assert.equal(policy.backend.credentials.password, 'second');
  } finally {
    await rm(directory, { recursive: true });
  }
});

test('the backend is called with the names of the configuration, and may answer with either', async () => {
  const aliases = understood.groups.imagepolicy.map(group => `${group}/v1alpha1`);
  const { apiVersion } = await parse({ kubeConfigFile }, clientConfiguration, aliasNames);
  assert.equal(apiVersion, aliases.at(-1));
  for (const answered of aliases) {
    const answer = { kind: 'ImageReview', apiVersion: answered, status: { allowed: true } };
    assert.ok(parseImageReview(Buffer.from(JSON.stringify(answer)), apiVersion).allowed);
  }
  const other = { kind: 'ImageReview', apiVersion: 'example.com/v1alpha1', status: { allowed: true } };
  assert.throws(
    () => parseImageReview(Buffer.from(JSON.stringify(other)), apiVersion),
    /not an ImageReview of/,
  );
});

test('explicit values are used, and -1 disables caching', async () => {
  const { allowTtlMs, denyTtlMs, retryBackoffMs, defaultAllow } = await parse({
    kubeConfigFile,
    allowTTL: 50,
    denyTTL: -1,
    retryBackoff: 100,
    defaultAllow: true,
  });
  assert.deepEqual([allowTtlMs, denyTtlMs, retryBackoffMs, defaultAllow], [50_000, 0, 100, true]);
});

const cluster = (more: object) => ({
  ...clientConfiguration,
  clusters: [{ name: 'b', cluster: { server: 'https://b.example.com', ...more } }],
});
const refused: readonly [string, unknown, unknown, RegExp][] = [
  ['nothing', undefined, clientConfiguration, /needs a configuration/],
  ['an unknown field', { kubeConfigFile, ttl: 1 }, clientConfiguration, /unknown field "ttl"/],
  ['no client configuration', {}, clientConfiguration, /kubeConfigFile is missing/],
  ['a missing file', { kubeConfigFile: 'none' }, clientConfiguration, /no such file/],
  ['too long a time', { kubeConfigFile, allowTTL: 1801 }, clientConfiguration, /allowTTL must be from 1/],
  ['too long a pause', { kubeConfigFile, retryBackoff: 300_001 }, clientConfiguration, /retryBackoff/],
  ['a text for a truth', { kubeConfigFile, defaultAllow: 'yes' }, clientConfiguration, /true or false/],
  ['no TLS', { kubeConfigFile }, cluster({ server: 'http://b.example.com' }), /https/],
  ['TLS unchecked', { kubeConfigFile }, cluster({ 'insecure-skip-tls-verify': true }), /not supported/],
  [
    'an unreadable authority',
    { kubeConfigFile },
    cluster({ 'certificate-authority': 'x' }),
    /cannot be read/,
  ],
];

for (const [what, imagePolicy, client, message] of refused)
  test(`the configuration is refused: ${what}`, async () => {
    await assert.rejects(parse(imagePolicy, client), message);
  });

test('all images of a pod are reviewed, but only the new one of an ephemeral container', () => {
  const spec = {
    containers: [{ name: 'a', image: 'one' }],
    initContainers: [{ name: 'b', image: 'two' }],
    ephemeralContainers: [{ name: 'c', image: 'three' }],
  };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: {}, spec };
  const images = (subresource: string) =>
    createImageReviewSpec(pod, { subresource, namespace: 'n' })['containers'];
  assert.deepEqual(images(''), [{ image: 'one' }, { image: 'two' }]);
  assert.deepEqual(images('ephemeralcontainers'), [{ image: 'three' }]);
});

const well = {
  failure: 'NONE',
  failureMessage: '',
  status: 200,
  contentType: 'application/json',
  body: Buffer.from(
    JSON.stringify({
      apiVersion: 'imagepolicy.k8s.io/v1alpha1',
      kind: 'ImageReview',
      status: { allowed: true },
    }),
  ),
} as const satisfies CallResponse;

/** Asks a backend that answers so, one answer after another; gives the verdict and how often it was asked. */
async function ask(...answers: Partial<CallResponse>[]) {
  const asked: CallRequest[] = [];
  const policy = await parse({ kubeConfigFile, retryBackoff: 1 });
  const dispatch = {
    call: async (request: CallRequest) => {
      asked.push(request);
      return { ...well, ...answers[Math.min(asked.length, answers.length) - 1] };
    },
  };
  const call = { deadline: noDeadline, signal: new AbortController().signal };
  const verdict = await askBackend('{}', call, { policy, dispatch }).catch((thrown: unknown) => thrown);
  return { verdict, times: asked.length };
}

test('a failing backend is retried up to a limit', async () => {
  const bad = { status: 503 };
  const lost = { failure: 'CONNECTION', failureMessage: 'refused' } as const;
  assert.deepEqual(await ask(bad, lost, {}), {
    verdict: { allowed: true, reason: '', auditAnnotations: {} },
    times: 3,
  });
  const { verdict, times } = await ask(bad);
  assert.equal(times, 5);
  assert.ok(verdict instanceof BackendFailed && verdict.message.includes('503'));
});

const useless: readonly [string, Partial<CallResponse>, RegExp][] = [
  ['that refuses the request', { status: 401 }, /status 401/],
  [
    'whose certificate is not known',
    { failure: 'CERTIFICATE', failureMessage: 'unknown authority' },
    /authority/,
  ],
  ['that answers with text', { body: Buffer.from('yes') }, /not JSON/],
  ['that answers with something else', { body: Buffer.from('{"kind":"Other"}') }, /not an ImageReview/],
];

for (const [what, answer, message] of useless)
  test(`a backend ${what} is called once`, async () => {
    const { verdict, times } = await ask(answer);
    assert.equal(times, 1);
    assert.ok(verdict instanceof BackendFailed);
    assert.match(verdict.message, message);
  });
