import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findLimits, type Observed } from './find-limits.ts';

const calm: Observed = {
  rate: { wanted: 100, reached: 99 },
  loadLoopUtilization: 0.5,
  machine: { busy: 0.6, others: 0.02, stolen: 0 },
  failures: {},
  busiest: { process: 'gateway-1', processors: 0.5 },
};

const cases: readonly {
  readonly what: string;
  readonly observed: Partial<Observed>;
  readonly limits: readonly (readonly [string, boolean])[];
}[] = [
  { what: 'nothing in the way', observed: {}, limits: [] },
  { what: 'no rate that was asked for', observed: { rate: undefined }, limits: [] },
  {
    what: 'a load that is late itself',
    observed: { loadLoopUtilization: 0.97 },
    limits: [['the event loop of the load is busy for 97 % of the time', false]],
  },
  {
    what: 'full processors',
    observed: {
      rate: { wanted: 2_000, reached: 812 },
      machine: { busy: 0.99, others: 0, stolen: 0.03 },
    },
    limits: [
      ['812 of 2000 requests a second: the processors are full', true],
      ['the processors are busy for 99 %', false],
      ['the host takes 3 %', false],
    ],
  },
  {
    what: 'one process that is full while processors are free',
    observed: { rate: { wanted: 100, reached: 50 }, busiest: { process: 'storage-1', processors: 0.98 } },
    limits: [['50 of 100 requests a second: storage-1 takes 98 % of a processor', true]],
  },
  {
    what: 'nothing that is full',
    observed: { rate: { wanted: 100, reached: 50 } },
    limits: [['50 of 100 requests a second: neither the processors nor a process are full', true]],
  },
  {
    what: 'answers that were no success, and other work on the machine',
    observed: { failures: { '429': 3 }, machine: { busy: 0.8, others: 0.3, stolen: 0 } },
    limits: [
      ['3 × 429', true],
      ['other processes take 30 %', false],
    ],
  },
];

for (const { what, observed, limits } of cases)
  test(`limits: ${what}`, () => {
    const found = findLimits({ ...calm, ...observed }).map(limit => [limit.what, limit.isOfLoad]);
    assert.deepEqual(found, limits);
  });
