import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pollUntil } from '@binnacle/backends';
import { OpenLoad, type Sent } from '@binnacle/bench/testing';
import { type ApiClient, createApiClient, loadClientConfiguration } from '@binnacle/client';
import type { Distributed } from '@binnacle/compose';
import { StatusError } from '@binnacle/status-errors';
import { pkiPaths } from '@binnacle/tls';
import { freeze } from '../injections/processes.ts';
import { sharedForm } from './shared-form.ts';

let form: Distributed;
let load: OpenLoad;

before(async () => {
  const shared = await sharedForm();
  const { dataDirectory, tokens } = shared;
  form = shared.form;
  const ca = await readFile(pkiPaths(join(dataDirectory, 'pki')).caFile);
  load = new OpenLoad({ gateways: form.gateways, ca, tokens, perSecond: 40 });
  await load.fill();
});

after(() => load?.[Symbol.asyncDispose]());

/** Until a pod is known to be silent requests go there, on a busy machine for longer: so long an outcome may be unknown. */
const knownAfterMs = 3_000;

const pods = ['admission-1', 'admission-2', 'storage-1', 'storage-2', 'token-review-1', 'token-review-2'];
for (const name of pods)
  test(`${name} is frozen: requests are answered meanwhile, and later ones do not fail`, async () => {
    const frozen = await freeze(form.process(name));
    const frozenAt = performance.now();
    let sent: readonly Sent[] | undefined;
    try {
      const running = load.run(6);
      void running.then(all => {
        sent = all;
      });
      await pollUntil('the answers while the pod stands still', () => sent !== undefined);
    } finally {
      await frozen.end();
    }
    const failed = (sent ?? []).filter(({ outcome }) => !outcome.startsWith('2'));
    const late = failed.filter(({ dueAt }) => dueAt > frozenAt + knownAfterMs);
    assert.deepEqual(late, []);
    const isStorage = name.startsWith('storage');
    const wrong = failed.filter(({ verb, outcome }) => !isStorage || outcome !== '504' || verb === 'get');
    assert.deepEqual(wrong, []);
    await form.waitUntilReady();
  });

test('the controllers are ready while a gateway is frozen', async () => {
  await using _ = await freeze(form.process('gateway-1'));
  const url = `http://127.0.0.1:${form.operationsPort('controller-manager-1')}/readyz`;
  for (let count = 0; count < 10; count++) assert.equal((await fetch(url)).status, 200);
});

for (const [frozenIndex, servingIndex] of [
  [0, 1],
  [1, 0],
] as const)
  test(`the controllers continue while gateway-${frozenIndex + 1} is frozen`, async () => {
    const servers = [form.gateways[servingIndex] ?? ''];
    const configuration = { ...loadClientConfiguration(form.adminConfiguration), servers };
    await using client = createApiClient({ configuration, userAgent: 'frozen' });
    await using _ = await freeze(form.process(`gateway-${frozenIndex + 1}`));
    const name = `made-${frozenIndex}`;
    await client.request({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name } } });
    // Watches at the frozen gateway alone would not tell of the namespace for as long as it is frozen.
    await untilFound(client, `/api/v1/namespaces/${name}/serviceaccounts/default`);
    await client.request({ method: 'DELETE', path: `/api/v1/namespaces/${name}` });
    await untilGone(client, `/api/v1/namespaces/${name}`);
  });

async function untilFound(client: ApiClient, path: string): Promise<void> {
  await pollUntil(path, async () => (await requestCode(client, path)) === 200, { timeoutMs: 20_000 });
}

async function untilGone(client: ApiClient, path: string): Promise<void> {
  await pollUntil(`the end of ${path}`, async () => (await requestCode(client, path)) === 404, {
    timeoutMs: 20_000,
  });
}

async function requestCode(client: ApiClient, path: string): Promise<number> {
  return await client.request({ method: 'GET', path }).then(
    () => 200,
    (error: unknown) => (error instanceof StatusError ? error.code : 0),
  );
}
