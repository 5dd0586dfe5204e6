import assert from 'node:assert/strict';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { after, before, test } from 'node:test';
import { createTypeRegistry } from '@binnacle/api-types';
import { millisecondsUntil } from '@binnacle/proto';
import { createMetrics } from '@binnacle/service-kit';
import { StatusError } from '@binnacle/status-errors';
import { createGatewayMetrics } from '../metrics/gateway-metrics.ts';
import { composeSteps, createExchange, type Exchange, type Step } from '../request/exchange.ts';
import { mastersGroup } from '../request/users.ts';
import { limitInFlight } from './limit-in-flight.ts';
import { limitTime } from './limit-time.ts';
import { clientErrorFrom } from './map-storage-errors.ts';
import { readTarget } from './read-target.ts';

const metrics = createGatewayMetrics(createMetrics({ process: false }), createTypeRegistry());
let server: Server;
let port = 0;
let handle: (exchange: Exchange) => Promise<void>;

before(async () => {
  server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const exchange = createExchange(request, response, Date.now);
    handle(exchange).then(
      () => response.end('done'),
      (error: unknown) => {
        response.statusCode = clientErrorFrom(error).code;
        response.end(error instanceof StatusError ? error.message : '');
      },
    );
  });
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
after(() => {
  server.close();
  server.closeAllConnections();
});

function send(path: string, method = 'GET'): Promise<{ code: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: '127.0.0.1', port, path, method }, response => {
      let text = '';
      response.on('data', data => {
        text += data;
      });
      response.on('end', () => resolve({ code: response.statusCode ?? 0, text }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

const target = readTarget(group => group);
const pods = '/api/v1/namespaces/t/pods';

/** A last step that waits until it is told to go on, and how many wait there. */
function gate(): { step: Step; open: () => void; arrived: (count: number) => Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  let waiting = 0;
  return {
    step: async () => {
      waiting++;
      await promise;
    },
    open: resolve,
    async arrived(count) {
      while (waiting < count) await new Promise(next => setTimeout(next, 2));
    },
  };
}

test('requests beyond the limit are turned away, reads and writes apart', async () => {
  const held = gate();
  handle = composeSteps([target, limitInFlight({ readOnly: 2, mutating: 1, metrics }), held.step]);
  const under = [send(pods), send(`${pods}/a`), send(pods, 'POST')];
  await held.arrived(3);
  assert.equal((await send(pods)).code, 429);
  assert.equal((await send(`${pods}/a`, 'DELETE')).code, 429);
  const exempt = [send('/healthz'), send(`${pods}?watch=1`)];
  await held.arrived(5);
  held.open();
  for (const { code } of await Promise.all([...under, ...exempt])) assert.equal(code, 200);
  assert.equal((await send(pods)).code, 200);
});

test('members of system:masters are not turned away', async () => {
  const held = gate();
  const asMaster: Step = async (exchange, next) => {
    exchange.user = { ...exchange.user, groups: [mastersGroup] };
    await next();
  };
  handle = composeSteps([target, asMaster, limitInFlight({ readOnly: 1, mutating: 1, metrics }), held.step]);
  const both = [send(pods), send(pods)];
  await held.arrived(2);
  held.open();
  for (const { code } of await Promise.all(both)) assert.equal(code, 200);
});

test('a request ends with its deadline, and a write then says that its outcome is unknown', async () => {
  const held = gate();
  handle = composeSteps([target, limitTime(60_000, metrics), held.step]);
  const read = await send(`${pods}?timeout=5ms`);
  assert.equal(read.code, 504);
  assert.doesNotMatch(read.text, /unknown/);
  const write = await send(`${pods}?timeout=5ms`, 'POST');
  assert.equal(write.code, 504);
  assert.match(write.text, /outcome of the write is unknown/);
  held.open();
});

test('the server bounds the timeout, and refuses one that is none', async () => {
  const deadlines: number[] = [];
  const note: Step = async exchange => {
    deadlines.push(millisecondsUntil(exchange.call.deadline));
  };
  handle = composeSteps([target, limitTime(600_000, metrics), note]);
  for (const query of ['', '?timeout=1h', '?timeout=0s', '?timeout=300s']) await send(pods + query);
  for (const left of deadlines) assert.ok(left > 0 && left <= 600_000, String(left));
  assert.ok((deadlines.at(-1) ?? 0) <= 300_000);
  assert.equal((await send(`${pods}?timeout=soon`)).code, 400);
  assert.equal((await send(`${pods}?timeout=-1s`)).code, 400);
});

test('a watch has no deadline', async () => {
  let deadline = 0;
  handle = composeSteps([
    target,
    limitTime(5, metrics),
    async exchange => {
      deadline = exchange.call.deadline;
    },
  ]);
  await send(`${pods}?watch=1`);
  assert.equal(deadline, Number.POSITIVE_INFINITY);
});
