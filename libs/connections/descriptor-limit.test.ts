import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitConnections, readDescriptorLimit } from './descriptor-limit.ts';

test('the descriptor limit of this process is read where the system provides it', () => {
  const limit = readDescriptorLimit();
  if (process.platform === 'linux') assert.ok(limit === undefined || limit > 0);
  assert.equal(readDescriptorLimit('/does/not/exist'), undefined);
});

test('the number of connections leaves descriptors for other files of the server', () => {
  const cases: [wanted: number, descriptors: number | undefined, fits: number][] = [
    [20_000, undefined, 20_000],
    [20_000, 1_048_576, 20_000],
    [20_000, 20_000, 19_000],
    [20_000, 1024, 768],
    [500, 1024, 500],
    [0, undefined, 0],
    [0, 20_000, 19_000],
    [20_000, 1, 1],
  ];
  for (const [wanted, descriptors, fits] of cases)
    assert.equal(fitConnections(wanted, descriptors), fits, `${wanted} of ${descriptors}`);
});
