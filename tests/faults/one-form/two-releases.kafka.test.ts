import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pollUntil } from '@binnacle/backends';
import { type ApiClient, createApiClient, loadClientConfiguration } from '@binnacle/client';
import { createTemporaryDirectory } from '../../journeys/setup/temporary-directory.ts';
import { startWebhooks, type WebhookServer } from '../../journeys/webhook-server.ts';
import { defineGadgets, makeJourney } from '../releases/release-journey.ts';
import { lastRelease, missingHistory, unpackRelease } from '../releases/unpack-release.ts';
import { type ResumingWatch, startResumingWatch } from '../resuming-watch.ts';
import { accountClients, startWrites } from '../steady-writes.ts';
import { sharedForm } from './shared-form.ts';

/**
 * Services in the order in which their pods are replaced. The same order forth and back: of any two services the first one has once been
 * of the other release while the second one was of this one, and once the other way round.
 */
const services = [
  'storage',
  'admission',
  'token-review',
  'webhook-dispatch',
  'controller-manager',
  'gateway',
] as const;

const perSecond = 20;
/** The form must not have seen what the other release does not know, such as a restore: by hand the file runs alone. */
const missing =
  process.env['BINNACLE_LAST_RELEASE'] === undefined ? 'make test-skew runs it' : await missingHistory();

const resources = new AsyncDisposableStack();
const stillThere: (() => Promise<unknown>)[] = [];
let shared: Awaited<ReturnType<typeof sharedForm>>;
let base = '';
let admin: ApiClient;
let hooks: WebhookServer;
let watch: ResumingWatch;
let created: string[] = [];

if (missing === undefined)
  before(async () => {
    const directory = resources.use(await createTemporaryDirectory());
    base = join(directory.path, 'release');
    await unpackRelease(await lastRelease(), base);
    shared = await sharedForm();
    admin = resources.use(openAdmin());
    hooks = resources.use(
      await startWebhooks({
        '/review': request =>
          String(request['name']).startsWith('denied')
            ? { allowed: false, status: { message: 'no' } }
            : { allowed: true },
      }),
    );
    await admin.request({
      method: 'POST',
      path: '/api/v1/namespaces',
      body: { metadata: { name: 'two-releases' } },
    });
    stillThere.push(await defineGadgets(admin));
    await configureWebhook();
    watch = await startResumingWatch(admin, '/api/v1/namespaces/two-releases/configmaps');
  });

after(async () => {
  for (const remove of stillThere) await remove();
  await watch?.stop();
  // Other files get every process as it was.
  for (const name of [...(shared?.code.keys() ?? [])]) await replace(name, undefined);
  await resources.disposeAsync();
});

/** Opens a client of an administrator for whichever gateway is ready. */
function openAdmin(): ApiClient {
  const configuration = loadClientConfiguration(shared.form.adminConfiguration);
  const { balancer, gateways } = shared.form;
  const servers = balancer === undefined ? [...gateways] : [balancer];
  return createApiClient({ configuration: { ...configuration, servers }, userAgent: 'faults' });
}

async function configureWebhook(): Promise<void> {
  const path = '/apis/admissionregistration.cluster.io/v1/validatingwebhookconfigurations';
  const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] };
  const webhook = {
    name: 'journey.binnacle.test',
    clientConfig: { url: `${hooks.url}/review`, caBundle: hooks.caBundle },
    rules: [rule],
    failurePolicy: 'Fail',
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
  await admin.request({
    method: 'POST',
    path,
    body: { metadata: { name: 'two-releases' }, webhooks: [webhook] },
  });
  stillThere.push(() => admin.request({ method: 'DELETE', path: `${path}/two-releases` }));
  await pollUntil('the webhook to be asked', async () => {
    const probe = { metadata: { generateName: 'probe-' } };
    await admin.request({ method: 'POST', path: '/api/v1/namespaces/default/configmaps', body: probe });
    return hooks.calls.length > 4;
  });
}

/** Stops a pod and starts it from this code, or from that of this repository. */
async function replace(name: string, code: string | undefined): Promise<void> {
  if (code === undefined) shared.code.delete(name);
  else shared.code.set(name, code);
  await shared.form.restartWith(name);
}

/** Replaces the pods of a service, one by one, while objects are created; all of them must be, and the watch sees them. */
async function replaceEach(service: string, code: string | undefined): Promise<void> {
  const { form } = shared;
  // A gateway that starts answers 503 until it knows the roles: a load balancer sends it nothing before it is ready.
  const isBalanced = service === 'gateway' && form.balancer !== undefined;
  const clients = await accountClients(form, isBalanced ? [form.balancer] : form.gateways);
  const writes = startWrites({
    clients,
    perSecond,
    collections: ['/api/v1/namespaces/two-releases/configmaps'],
    // Clients of a gateway that ends go to another one.
    ...(service === 'gateway' && { openForRetry: openAdmin }),
    prefix: `${service}-${code === undefined ? 'back' : 'forth'}`,
  });
  for (const number of [1, 2]) await replace(`${service}-${number}`, code);
  const outcomes = await writes.stop();
  for (const client of clients) await client[Symbol.asyncDispose]();
  assert.deepEqual(outcomes, { 201: writes.begun });
  created = [...created, ...writes.created];
}

for (const way of ['the release before', 'this release'] as const)
  for (const service of services)
    test(`${service} becomes one of ${way}: nothing fails`, { skip: missing ?? false }, async () => {
      await replaceEach(service, way === 'this release' ? undefined : base);
      const [first = '', second = ''] = shared.form.gateways;
      await makeJourney(shared.form, [first, second]);
      await makeJourney(shared.form, [second, first]);
    });

test('a watch that went on all the while has seen every object once', {
  skip: missing ?? false,
}, async () => {
  const all = [...created].toSorted();
  assert.ok(all.length > 0);
  await pollUntil('the watch to have seen every object', async () => watch.seen.length >= all.length);
  assert.deepEqual([...watch.seen].toSorted(), all);
  assert.deepEqual(watch.failures, []);
});
