import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { suite, test } from 'node:test';
import { fuzz, tryKept } from './run-fuzz.ts';
import { allTargets } from './targets/all-targets.ts';

/** Inputs for a slow target; others are given a multiple of it. */
const inputs = 300;
const fixedSeed = 20_260_101;

for (const target of allTargets) {
  suite(`the parser of ${target.name}`, () => {
    test('accepts or refuses the stored inputs', async () => {
      const result = await tryKept(target);
      assert.equal(result.kind, 'done', JSON.stringify(result));
      assert.ok(result.kind === 'done' && result.accepted > 0, 'no input is accepted');
    });

    for (const [what, seed] of [
      ['of always', fixedSeed],
      ['chosen at random', randomInt(2 ** 31)],
    ] as const)
      test(`accepts or refuses inputs from a seed ${what}`, async context => {
        context.diagnostic(`seed ${seed}`);
        const result = await fuzz(target, { seed, count: inputs * (target.pace ?? 1) });
        assert.equal(result.kind, 'done', `seed ${seed}: ${JSON.stringify(result)}`);
        assert.ok(result.kind === 'done' && result.inputs > 0, 'no input was tried');
      });
  });
}
