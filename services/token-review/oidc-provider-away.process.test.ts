import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { findFreePort, pollUntil, startManagedProcess } from '@binnacle/backends';
import { tokenReviewContract } from '@binnacle/proto';
import { connectRpc, createCallContext } from '@binnacle/rpc';
import { createMetrics, silentLogger } from '@binnacle/telemetry';
import {
  createJwk,
  createTestKey,
  documentListener,
  issuerDocuments,
  signToken,
  startLoopbackServer,
} from './authenticators/oidc/test-drivers/test-issuer.ts';

test('a token-review process without its OpenID provider is ready with a note, and accepts tokens once the provider is back', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-oidc-away-'));
  await using provider = await startLoopbackServer();
  const key = createTestKey('k1');
  provider.serve(documentListener(issuerDocuments(provider.url, [createJwk(key)])));
  await provider.down();
  const [port, operationsPort] = [await findFreePort(), await findFreePort()];
  const logFile = join(directory, 'token-review.log');
  const ask = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${operationsPort}${path}`);
    return { status: response.status, body: await response.text() };
  };
  await using _service = await startManagedProcess({
    name: 'token-review-1',
    command: process.execPath,
    arguments: [
      join(import.meta.dirname, 'main.ts'),
      ...['--insecure', `--port=${port}`, `--operations-port=${operationsPort}`],
      ...[
        `--oidc-issuer-url=${provider.url}`,
        '--oidc-client-id=binnacle',
        `--oidc-ca-file=${provider.caFile}`,
      ],
      ...['--oidc-username-prefix=-', '--oidc-required-claim=hd=a,b'],
    ],
    logFile,
    ready: signal => pollUntil('an answer', async () => (await ask('/readyz')).status === 200, { signal }),
  });
  const { status, body } = await ask('/readyz?verbose');
  assert.equal(status, 200);
  assert.match(body, /^\[-\]oidc failed, not required: reason withheld$/m);
  const failures = /^binnacle_oidc_key_fetches_total\{outcome="failure"\} [1-9]/m;
  await pollUntil('the failure in the metrics', async () => failures.test((await ask('/metrics')).body));
  await using tokenReview = connectRpc(tokenReviewContract, {
    insecure: true,
    addresses: [`127.0.0.1:${port}`],
    serverName: 'token-review',
    log: silentLogger,
    metrics: createMetrics({ process: false }),
  });
  const claims = {
    iss: provider.url,
    aud: 'binnacle',
    sub: 'alice',
    hd: 'a,b',
    exp: Date.now() / 1000 + 600,
  };
  const token = signToken(claims, key);
  const review = async () => {
    using call = createCallContext({ timeoutMs: 5_000 });
    return await tokenReview.review({ token, audiences: [] }, call);
  };
  const { authenticated, error } = await review();
  assert.deepEqual([authenticated, error], [false, 'invalid bearer token']);
  const undecided = /^binnacle_oidc_undecided_tokens_total [1-9]/m;
  assert.match((await ask('/metrics')).body, undecided);
  await provider.up();
  await pollUntil('the keys to be fetched', async () =>
    (await ask('/readyz?verbose')).body.includes('[+]oidc ok'),
  );
  assert.equal((await review()).user?.username, 'alice');
  const log = readFileSync(logFile, 'utf8');
  assert.match(log, /cannot fetch the signing keys of the OpenID provider, retrying/);
  for (const part of token.split('.')) assert.ok(!log.includes(part));
  rmSync(directory, { recursive: true });
});
