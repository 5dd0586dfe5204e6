import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { deadlineIn, storageContract } from '@binnacle/proto';
import { connectRpc } from '@binnacle/rpc';
import { createHealth } from '@binnacle/service-kit';
import { remoteStorage, type Storage } from '@binnacle/storage-contract';
import { createMetrics, silentLogger } from '@binnacle/telemetry';
import { registerHealthChecks } from './health-checks.ts';
import { createTokenReview, type TokenReviewOptions } from './token-review.ts';

/** Nothing listens there. */
const connection = connectRpc(storageContract, {
  insecure: true,
  addresses: ['127.0.0.1:1'],
  serverName: 'storage',
  log: silentLogger,
  metrics: createMetrics({ process: false }),
});
const storage = remoteStorage(connection);
after(() => connection[Symbol.asyncDispose]());

const webhook: NonNullable<TokenReviewOptions['webhook']> = {
  configuration: { servers: ['https://127.0.0.1:1'] },
  version: 'v1',
  cacheTtl: 0,
};

/** The lines of `/readyz?verbose` after a token that only the webhook could know. */
async function readLines(parts: Partial<TokenReviewOptions>, checked?: Storage): Promise<string[]> {
  const options = {
    ...parts,
    audiences: ['api'],
    tokenSuccessCacheTtl: 0,
    tokenFailureCacheTtl: 0,
    secret: () => Buffer.alloc(32),
    log: silentLogger,
    metrics: createMetrics({ process: false }),
    clock: Date.now,
  };
  await using tokenReview = createTokenReview(options);
  const health = createHealth();
  registerHealthChecks(health, { tokenReview, options, ...(checked && { remoteStorage: checked }) });
  const call = { signal: new AbortController().signal, deadline: deadlineIn(1_000) };
  await tokenReview.review({ token: 'x', audiences: [] }, call);
  const { body } = await health.answer({ endpoint: 'readyz', verbose: true });
  return body.split('\n').filter(line => !/ping|shutdown|check (?:passed|failed)|^$/.test(line));
}

const cases: [string, Partial<TokenReviewOptions>, Storage | undefined, string[]][] = [
  ['static tokens alone need no check', { staticTokens: () => new Map() }, storage, []],
  [
    'storage in another process is checked where tokens are looked up in it',
    { bootstrapTokens: { storage } },
    storage,
    ['[-]storage failed: reason withheld'],
  ],
  ['storage in this process has a check elsewhere', { bootstrapTokens: { storage } }, undefined, []],
  [
    'a webhook that is down is shown and does not count',
    { webhook },
    undefined,
    ['[-]token-webhook failed, not required: reason withheld'],
  ],
];
for (const [name, parts, checked, lines] of cases)
  test(name, async () => assert.deepEqual(await readLines(parts, checked), lines));
