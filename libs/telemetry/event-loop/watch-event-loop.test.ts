import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorkNotes } from '@binnacle/event-loop/testing';
import type { LogFields } from '../log/logger.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { watchEventLoop } from './watch-event-loop.ts';

/** Creates a watched event loop with a clock that the test advances. */
function handTurned() {
  let time = 0;
  let tick = (): void => {};
  const waits: number[] = [];
  const lines: [message: string, fields: LogFields | undefined][] = [];
  const metrics = createMetrics({ process: false });
  const notes = createWorkNotes(() => time);
  const watching = watchEventLoop({
    metrics,
    notes,
    log: { warn: (message, fields) => lines.push([message, fields]) },
    now: () => time,
    after: (ms, callback) => {
      tick = callback;
      waits.push(ms);
      return () => {
        tick = () => {};
      };
    },
  });
  return {
    lines,
    metrics,
    notes,
    watching,
    waits,
    pass: (ms: number) => {
      time += ms;
    },
    tickAfter: (ms: number) => {
      time += ms;
      tick();
    },
  };
}

const holder = (path: string) => ({ method: 'POST', path, auditId: 'id', user: { username: 'ada' } });

test('a delay is measured, and a long one is logged with the request that blocked the loop', async () => {
  const { lines, metrics, notes, pass, tickAfter } = handTurned();
  tickAfter(25);
  tickAfter(60);
  assert.deepEqual(lines, []);
  notes.run(holder('/short'), () => pass(3));
  notes.run(holder('/api/v1/pods'), () => pass(250));
  tickAfter(5);
  assert.deepEqual(lines, [
    [
      'a request blocked the event loop',
      { milliseconds: 233, method: 'POST', path: '/api/v1/pods', user: 'ada', auditId: 'id' },
    ],
  ]);
  const { body } = await metrics.render();
  assert.match(body, /binnacle_event_loop_delay_seconds_bucket\{le="0\.025"\} 1\n/);
  assert.match(body, /binnacle_event_loop_delay_seconds_bucket\{le="0\.25"\} 3\n/);
  assert.match(body, /binnacle_event_loop_delay_seconds_count 3\n/);
});

test('a delay without a request is logged without one', () => {
  const { lines, notes, pass, tickAfter } = handTurned();
  notes.run(holder('/short'), () => pass(20));
  notes.begin();
  tickAfter(405);
  assert.deepEqual(lines, [['the event loop was blocked', { milliseconds: 400 }]]);
});

test('lines are at least a second apart and count the omitted ones, and texts of clients are shortened', () => {
  const { lines, notes, pass, tickAfter } = handTurned();
  for (let i = 0; i < 3; i++) {
    notes.begin();
    tickAfter(225);
  }
  assert.equal(lines.length, 1);
  notes.begin();
  tickAfter(25);
  pass(400);
  notes.run(holder(`/${'x'.repeat(5000)}`), () => pass(600));
  tickAfter(0);
  assert.equal(lines.length, 2);
  const { notLogged, path } = lines[1]?.[1] ?? {};
  assert.equal(notLogged, 2);
  assert.equal(String(path).length, 259);
});

test('the loop is checked rarely while it is idle, and often while there is work', () => {
  const { lines, notes, waits, pass, tickAfter } = handTurned();
  const request = holder('/a');
  tickAfter(25);
  tickAfter(25);
  tickAfter(1000);
  assert.deepEqual(waits, [25, 25, 1000, 1000]);
  pass(400);
  notes.run(request, () => pass(300));
  tickAfter(0);
  assert.deepEqual(waits.slice(4), [25, 25]);
  assert.equal(lines.length, 1);
  assert.equal(lines[0]?.[1]?.['milliseconds'], 275);
});

test('checks end when they are stopped', () => {
  const { lines, watching, tickAfter } = handTurned();
  watching[Symbol.dispose]();
  tickAfter(5000);
  assert.deepEqual(lines, []);
});
