import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pollUntil } from '@binnacle/backends';
import { type ApiClient, createApiClient, loadClientConfiguration } from '@binnacle/client';
import type { Distributed } from '@binnacle/compose';
import { startWebhooks, type WebhookServer } from '../../journeys/webhook-server.ts';
import { accountClients, type SteadyWrites, startWrites } from '../steady-writes.ts';
import { sharedForm } from './shared-form.ts';

const perSecond = Number(process.env['BINNACLE_WRITES_PER_SECOND'] || 50);
const configurations = '/apis/admissionregistration.cluster.io/v1/validatingwebhookconfigurations';
const configuration = 'asked-for-each-write';

let form: Distributed;
let hooks: WebhookServer;
let admin: ApiClient;
let clients: readonly ApiClient[] = [];

before(async () => {
  ({ form } = await sharedForm());
  hooks = await startWebhooks({ '/allow': () => ({ allowed: true }) });
  admin = createApiClient({
    configuration: loadClientConfiguration(form.adminConfiguration),
    userAgent: 'faults',
  });
  clients = await accountClients(form, form.gateways);
  await admin.request({
    method: 'POST',
    path: configurations,
    body: {
      metadata: { name: configuration },
      webhooks: [
        {
          name: 'allow.binnacle.test',
          clientConfig: { url: `${hooks.url}/allow`, caBundle: hooks.caBundle },
          rules: [
            { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] },
          ],
          failurePolicy: 'Fail',
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    },
  });
  let probes = 0;
  await pollUntil('the webhook to be asked', async () => {
    const body = { metadata: { name: `probe-${probes++}` } };
    await admin.request({ method: 'POST', path: '/api/v1/namespaces/default/configmaps', body });
    return hooks.calls.length > 4;
  });
});

after(async () => {
  for (const client of clients) await client[Symbol.asyncDispose]();
  // It would be asked for the writes of other files too.
  await admin?.request({ method: 'DELETE', path: `${configurations}/${configuration}` });
  await admin?.[Symbol.asyncDispose]();
  await hooks?.[Symbol.asyncDispose]();
});

async function isReady(name: string): Promise<boolean> {
  return (await fetch(`http://127.0.0.1:${form.operationsPort(name)}/readyz`)).ok;
}

/** Waits until this many more writes were begun. */
async function writeMore(writes: SteadyWrites, count: number): Promise<void> {
  const end = writes.begun + count;
  while (writes.begun < end) await sleep(10);
}

/** Ends each pod of a service and starts it anew, the next one as soon as the one before is ready. */
async function restartEach(service: string, end: 'stop' | 'kill', writes: SteadyWrites): Promise<void> {
  const pods = [...form.processes.values()].filter(({ name }) => name.startsWith(`${service}-`));
  assert.equal(pods.length, 2);
  for (const pod of pods) {
    await pod[end]();
    await writeMore(writes, perSecond / 2);
    await pod.restart();
    await pollUntil(`${pod.name} to be ready`, () => isReady(pod.name));
  }
  await writeMore(writes, perSecond / 2);
}

for (const service of ['admission', 'token-review', 'webhook-dispatch', 'storage', 'controller-manager']) {
  test(`graceful restarts of the pods of ${service} one after the other fail no write`, async context => {
    const path = '/api/v1/namespaces';
    await admin.request({ method: 'POST', path, body: { metadata: { name: `during-${service}` } } });
    const own = `${path}/during-${service}/configmaps`;
    const writes = startWrites({ clients, perSecond, collections: [own] });
    await restartEach(service, 'stop', writes);
    const outcomes = await writes.stop();
    context.diagnostic(`${writes.begun} writes: ${JSON.stringify(outcomes)}`);
    assert.deepEqual(outcomes, { 201: writes.begun });
    const { items } = await admin.request<{ items: { metadata: { name: string } }[] }>({
      method: 'GET',
      path: own,
    });
    const stored = new Set(items.map(({ metadata }) => metadata.name));
    assert.deepEqual(
      writes.created.filter(name => !stored.has(name)),
      [],
    );
  });
}

for (const service of ['admission', 'token-review', 'webhook-dispatch']) {
  test(`kill -9 of each pod of ${service} fails no write, because the other pod recovers pending ones`, async context => {
    const path = '/api/v1/namespaces';
    await admin.request({ method: 'POST', path, body: { metadata: { name: `killed-${service}` } } });
    const collections = [`${path}/killed-${service}/configmaps`];
    const writes = startWrites({ clients, perSecond, collections });
    await restartEach(service, 'kill', writes);
    const outcomes = await writes.stop();
    context.diagnostic(`${writes.begun} writes: ${JSON.stringify(outcomes)}`);
    assert.deepEqual(outcomes, { 201: writes.begun });
  });
}
