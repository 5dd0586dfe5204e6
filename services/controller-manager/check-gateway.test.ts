import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiClient } from '@binnacle/client';
import { forbidden, notFound, serviceUnavailable } from '@binnacle/status-errors';
import { checkGateways } from './check-gateway.ts';

const leases = { group: 'coordination.cluster.io', resource: 'leases' };

/** A gateway that answers with an object, fails, or is silent until the question is withdrawn. */
function gateway(answer: object | Error | 'silent'): {
  client: Pick<ApiClient, 'request'>;
  withdrawn: () => boolean;
} {
  let signal: AbortSignal | undefined;
  const request: ApiClient['request'] = async <T>(options: { readonly signal?: AbortSignal }) => {
    signal = options.signal;
    if (answer instanceof Error) throw answer;
    if (answer !== 'silent') return answer as T; // The check does not look at it.
    return await new Promise<T>((_, reject) =>
      signal?.addEventListener('abort', () => reject(signal?.reason)),
    );
  };
  return { client: { request }, withdrawn: () => signal?.aborted === true };
}

const { signal } = new AbortController();

test('one gateway that answers is enough, and the request to a silent one is aborted', async () => {
  const silent = gateway('silent');
  await checkGateways([silent.client, gateway({}).client], signal);
  assert.ok(silent.withdrawn());
});

test('a missing lease counts as an answer', async () => {
  await checkGateways([gateway(notFound(leases, 'controllers')).client], signal);
});

test('when all gateways fail the first failure is thrown', async () => {
  const refused = forbidden(leases, 'controllers', 'no');
  const away = serviceUnavailable('away');
  await assert.rejects(checkGateways([gateway(refused).client, gateway(away).client], signal), refused);
});
