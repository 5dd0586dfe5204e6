import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { fuzz, tryKept } from './run-fuzz.ts';
import { allTargets } from './targets/all-targets.ts';
import type { FuzzTarget } from './targets/fuzz-target.ts';

const { values } = parseArgs({
  options: { target: { type: 'string' }, minutes: { type: 'string' }, seed: { type: 'string' } },
});
const targets = allTargets.filter(({ name }) => values.target === undefined || name === values.target);
if (targets.length === 0) {
  console.error(
    `there is no target ${values.target}; there are ${allTargets.map(({ name }) => name).join(', ')}`,
  );
  process.exit(2);
}
const minutes = Number(values.minutes ?? 10);
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
let broken = 0;
for (const target of targets) if (!(await isSound(target))) broken++;
process.exit(broken === 0 ? 0 : 1);

/** Fuzzes a target for its share of the time; tells whether nothing broke it. */
async function isSound(target: FuzzTarget): Promise<boolean> {
  const kept = await tryKept(target);
  const endsAt = Date.now() + (minutes * 60_000) / targets.length;
  const result = kept.kind === 'broken' ? kept : await fuzz(target, { seed, endsAt });
  if (result.kind === 'done') {
    const { inputs, accepted } = result;
    console.log(`${target.name}: seed ${seed}, ${inputs} inputs, ${accepted} accepted`);
    return true;
  }
  console.log(`${target.name}: seed ${seed}, broken by ${result.path}\n${result.message}`);
  return false;
}
