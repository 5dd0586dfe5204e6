import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Vocabulary } from '@binnacle/api-names';
import { groupTable } from '@binnacle/api-names/table';
import type { ApiClient } from '@binnacle/client';
import { errorMessage, serviceUnavailable } from '@binnacle/status-errors';
import { createLogger } from '@binnacle/telemetry';
import { GatewayNames } from './gateway-names.ts';

const [cluster, kubernetes] = groupTable.coordination;

/** Asks gateways that answer one after the other, the last one for ever. */
function askedAs(own: Vocabulary, answers: readonly (readonly string[] | 'down')[]) {
  const lines: string[] = [];
  const left = [...answers];
  const request: ApiClient['request'] = async <T>() => {
    const answer = left.length > 1 ? left.shift() : left[0];
    if (answer === 'down') throw serviceUnavailable('no gateway answers');
    return { groups: ['apps', ...(answer ?? [])].map(name => ({ name })) } as T;
  };
  const log = createLogger({
    level: 'info',
    format: 'json',
    fields: {},
    sink: line => lines.push(JSON.parse(line).message),
  });
  return { names: new GatewayNames({ client: { request }, log, own, retryMs: 1 }), lines };
}

const same: [Vocabulary, readonly string[]][] = [
  ['cluster', [cluster]],
  ['cluster', [cluster, kubernetes]],
  ['kubernetes', [kubernetes]],
];
for (const [own, groups] of same) {
  test(`${own} works with a gateway that lists ${groups.join(', ')}`, async () => {
    const { names, lines } = askedAs(own, [groups]);
    await names.untilSame(new AbortController().signal);
    names.assertSame();
    assert.deepEqual(lines, []);
  });
}

const others: [Vocabulary, readonly string[], readonly string[]][] = [
  ['cluster', [kubernetes], [cluster]],
  ['kubernetes', [cluster], [kubernetes]],
  ['kubernetes', [cluster, kubernetes], [kubernetes]],
];
for (const [own, groups, right] of others) {
  test(`${own} waits while a gateway lists ${groups.join(', ')}, and logs that once`, async () => {
    const { names, lines } = askedAs(own, [groups, groups, 'down', groups, right]);
    const seen: unknown[] = [];
    const signal = new AbortController().signal;
    const waiting = names.untilSame(signal);
    await new Promise(setImmediate);
    try {
      names.assertSame();
    } catch (thrown) {
      seen.push(errorMessage(thrown));
    }
    await waiting;
    names.assertSame();
    const other = own === 'cluster' ? 'kubernetes' : 'cluster';
    const message = `gateway has --api-names=${other}, this service --api-names=${own}; both need the same`;
    assert.deepEqual(seen, [message]);
    assert.deepEqual(
      lines.filter(line => line === message),
      [message],
    );
  });
}

test('the wait ends with the signal', async () => {
  const { names } = askedAs('cluster', ['down']);
  const stop = new AbortController();
  const waiting = names.untilSame(stop.signal);
  stop.abort();
  await waiting;
});
