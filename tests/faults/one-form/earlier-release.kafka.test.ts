import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pollUntil } from '@binnacle/backends';
import { type ApiClient, createApiClient, loadClientConfiguration } from '@binnacle/client';
import { buildServices } from '@binnacle/compose/testing';
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

/** Enough to meet each moment of a restart, which takes seconds. */
const perSecond = 8;
const missing = await missingHistory();
if (missing !== undefined) console.error(`NOT TESTED: two releases at once, for ${missing}`);

const resources = new AsyncDisposableStack();
const stillThere: (() => Promise<unknown>)[] = [];
let shared: Awaited<ReturnType<typeof sharedForm>>;
let bundles = '';
/** Clients that write: of gateways, and of the load balancer, if there is one, while gateways are replaced. */
let clients: { readonly ofGateways: readonly ApiClient[]; readonly balanced: readonly ApiClient[] };
let admin: ApiClient;
let hooks: WebhookServer;
let watch: ResumingWatch;
let created: string[] = [];

if (missing === undefined)
  before(async () => {
    const directory = resources.use(await createTemporaryDirectory());
    shared = await sharedForm();
    assert.equal(
      shared.isRestored,
      false,
      'releases before binnaclectl restore cannot run on a restored store',
    );
    const release = join(directory.path, 'release');
    await unpackRelease(await lastRelease(), release);
    bundles = join(release, 'dist');
    await buildServices(bundles, release);
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
    const { form } = shared;
    const ofGateways = await accountClients(form, form.gateways);
    const balanced = form.balancer === undefined ? ofGateways : await accountClients(form, [form.balancer]);
    for (const client of new Set([...ofGateways, ...balanced])) resources.use(client);
    clients = { ofGateways, balanced };
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

/** Stops a pod and starts it from these bundles, or from those of this repository. */
async function replace(name: string, code: string | undefined): Promise<void> {
  if (code === undefined) shared.code.delete(name);
  else shared.code.set(name, code);
  await shared.form.restartWith(name);
}

/** Replaces the pods of a service, one by one, while objects are created; all of them must be, and the watch sees them. */
async function replaceEach(service: string, code: string | undefined): Promise<void> {
  const writes = startWrites({
    // A gateway that starts answers 503 until it knows the roles: a load balancer sends it nothing before it is ready.
    clients: service === 'gateway' ? clients.balanced : clients.ofGateways,
    perSecond,
    collections: ['/api/v1/namespaces/two-releases/configmaps'],
    // Clients of a gateway that ends go to another one.
    ...(service === 'gateway' && { openForRetry: openAdmin }),
    prefix: `${service}-${code === undefined ? 'back' : 'forth'}`,
  });
  for (const number of [1, 2]) await replace(`${service}-${number}`, code);
  const outcomes = await writes.stop();
  assert.deepEqual(outcomes, { 201: writes.begun });
  created = [...created, ...writes.created];
}

for (const way of ['the release before', 'this release'] as const)
  for (const service of services)
    test(`${service} becomes one of ${way}: nothing fails`, { skip: missing ?? false }, async () => {
      const isBack = way === 'this release';
      await replaceEach(service, isBack ? undefined : bundles);
      const [first = '', second = ''] = shared.form.gateways;
      // Of the two gateways either one is once that of the writes and once that of the watches.
      await makeJourney(shared.form, isBack ? [second, first] : [first, second]);
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
