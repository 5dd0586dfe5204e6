import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { understood } from '@binnacle/api-names';
import { type Answer, type ApiServer, startApiServer } from './api-server.ts';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';
import { startWebhooks, type WebhookServer } from './webhook-server.ts';

/** ImagePolicyWebhook and updates of pods: the backend reviews what changes images, and about nothing else. */

const resources = new AsyncDisposableStack();
after(() => resources.disposeAsync());

let backend: WebhookServer;
let server: ApiServer;
/** Out of order: the backend refuses every request. */
let isAway = false;

before(async () => {
  backend = resources.use(
    await startWebhooks({
      '/images': () => (response, review) => {
        const { kind, apiVersion, spec } = review as never as {
          spec: { containers: { image: string }[] };
        } & {
          kind: string;
          apiVersion: string;
        };
        const isBad = spec.containers.some(({ image }) => image.startsWith('bad'));
        const status = { allowed: !isBad, reason: isBad ? 'not from here' : '' };
        response
          .writeHead(isAway ? 400 : 200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ kind, apiVersion, status }));
      },
    }),
  );
  const { path } = resources.use(await createTemporaryDirectory());
  const cluster = { server: `${backend.url}/images`, 'certificate-authority-data': backend.caBundle };
  const files = {
    'backend.conf': {
      contexts: [{ name: 'c', context: { cluster: 'b', user: 'u' } }],
      clusters: [{ name: 'b', cluster }],
      users: [{ name: 'u', user: { token: 'secret' } }],
    },
    'images.json': {
      // Each question is asked.
      imagePolicy: { kubeConfigFile: 'backend.conf', retryBackoff: 1, allowTTL: -1, denyTTL: -1 },
    },
    'admission.yaml': {
      apiVersion: `${understood.groups.apiserverConfig.at(-1)}/v1`,
      kind: 'AdmissionConfiguration',
      plugins: [{ name: 'ImagePolicyWebhook', path: 'images.json' }],
    },
  };
  for (const [name, content] of Object.entries(files))
    await writeFile(join(path, name), JSON.stringify(content));
  server = resources.use(
    await startApiServer({
      enableAdmissionPlugins: ['ImagePolicyWebhook'],
      disableAdmissionPlugins: ['ServiceAccount'],
      admissionControlConfigFile: join(path, 'admission.yaml'),
    }),
  );
  await server.namespace('a');
});

const pods = '/api/v1/namespaces/a/pods';
const merge = { 'Content-Type': 'application/merge-patch+json' };
const strategic = { 'Content-Type': 'application/strategic-merge-patch+json' };
const jsonPatch = { 'Content-Type': 'application/json-patch+json' };
const apply = { 'Content-Type': 'application/apply-patch+yaml' };

const createPod = (name: string, image: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: {
    containers: [
      { name: 'c', image },
      { name: 'd', image: 'good-d' },
    ],
    initContainers: [{ name: 'i', image: 'good-i' }],
  },
});

let count = 0;
let at = '';
beforeEach(async () => {
  isAway = false;
  const name = `p${count++}`;
  at = `${pods}/${name}`;
  const { code, text } = await server.call('POST', pods, { body: createPod(name, 'good') });
  assert.equal(code, 201, text);
  backend.calls.length = 0;
});

const asked = () =>
  backend.calls.map(({ review }) =>
    (review['spec'] as never as { containers: { image: string }[] }).containers.map(({ image }) => image),
  );

async function readImage(path: string): Promise<string | undefined> {
  const { text } = await server.call('GET', path);
  return (JSON.parse(text) as ReturnType<typeof createPod>).spec.containers[0]?.image;
}

test('the backend is called with the names of the configuration', async () => {
  const { code, text } = await server.call('POST', pods, { body: createPod('named', 'good') });
  assert.equal(code, 201, text);
  const [asked] = backend.calls;
  assert.equal(asked?.review['apiVersion'], `${understood.groups.imagepolicy.at(-1)}/v1alpha1`);
});

const changes: [how: string, change: (image: string) => Promise<Answer>][] = [
  [
    'a replacement',
    async image => {
      const object = JSON.parse((await server.call('GET', at)).text);
      object.spec.containers[0].image = image;
      return await server.call('PUT', at, { body: object });
    },
  ],
  [
    'a merge patch',
    image =>
      server.call('PATCH', at, {
        headers: strategic,
        body: { spec: { containers: [{ name: 'c', image }] } },
      }),
  ],
  [
    'a JSON patch',
    image =>
      server.call('PATCH', at, {
        headers: jsonPatch,
        body: [{ op: 'replace', path: '/spec/containers/0/image', value: image }],
      }),
  ],
  [
    'an apply',
    image => {
      const name = at.slice(at.lastIndexOf('/') + 1);
      const spec = { containers: [{ name: 'c', image }] };
      const body = { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec };
      return server.call('PATCH', `${at}?fieldManager=m&force=true`, { headers: apply, body });
    },
  ],
];

for (const [how, change] of changes) {
  test(`${how} with a new image is reviewed with all images of the pod`, async () => {
    const { code, text } = await change('good-2');
    assert.equal(code, 200, text);
    assert.deepEqual(asked(), [['good-2', 'good-d', 'good-i']]);
    assert.equal(await readImage(at), 'good-2');
  });

  test(`${how} with a denied image changes nothing`, async () => {
    const refused = await change('bad');
    assert.equal(refused.code, 403, refused.text);
    assert.match(refused.json.message, /the image policy denies an image: not from here/);
    assert.equal(await readImage(at), 'good');
  });

  test(`${how} with a new image is refused while the backend is down`, async () => {
    isAway = true;
    const refused = await change('good-2');
    assert.equal(refused.code, 403, refused.text);
    assert.match(refused.json.message, /cannot call the image policy backend/);
    assert.equal(await readImage(at), 'good');
  });

  test(`${how} without a new image is not reviewed`, async () => {
    isAway = true;
    const { code, text } = await change('good');
    assert.equal(code, 200, text);
    assert.deepEqual(asked(), []);
  });
}

test('images of init containers are reviewed', async () => {
  const body = [{ op: 'replace', path: '/spec/initContainers/0/image', value: 'bad-i' }];
  const refused = await server.call('PATCH', at, { headers: jsonPatch, body });
  assert.equal(refused.code, 403, refused.text);
  assert.deepEqual(asked(), [['good', 'good-d', 'bad-i']]);
});

test('labels, finalizers, status and deletion work while the backend is down', async () => {
  isAway = true;
  const metadata = { labels: { a: 'b' }, finalizers: ['x.io/hold'] };
  for (const [where, body] of [
    [at, { metadata }],
    [`${at}/status`, { status: { phase: 'Running' } }],
    [at, { metadata: { finalizers: null } }],
  ] as const) {
    const { code, text } = await server.call('PATCH', where, { headers: merge, body });
    assert.equal(code, 200, text);
  }
  const { code } = await server.call('DELETE', `${at}?gracePeriodSeconds=0`);
  assert.equal(code, 200);
  assert.deepEqual(asked(), []);
});

test('only the image of a new ephemeral container is reviewed', async () => {
  const add = (name: string, image: string) =>
    server.call('PATCH', `${at}/ephemeralcontainers`, {
      headers: strategic,
      body: { spec: { ephemeralContainers: [{ name, image }] } },
    });
  const added = await add('e', 'good-e');
  assert.equal(added.code, 200, added.text);
  const refused = await add('f', 'bad-f');
  assert.equal(refused.code, 403, refused.text);
  assert.deepEqual(
    asked().map(images => images.toSorted()),
    [['good-e'], ['bad-f', 'good-e']],
  );
  backend.calls.length = 0;
  isAway = true;
  const body = { metadata: { annotations: { seen: 'yes' } } };
  assert.equal((await server.call('PATCH', at, { headers: merge, body })).code, 200);
  assert.deepEqual(asked(), []);
});
