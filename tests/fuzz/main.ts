import { randomInt } from 'node:crypto';
import { integerFlag, parseProgramFlags, stringFlag } from '@binnacle/flags';
import { fuzz, tryKept } from './run-fuzz.ts';
import { allTargets } from './targets/all-targets.ts';
import type { FuzzTarget } from './targets/fuzz-target.ts';

const flags = parseProgramFlags({
  target: stringFlag({
    description: `Parser to try: ${allTargets.map(({ name }) => name).join(', ')}; all by default.`,
  }),
  minutes: stringFlag({ description: 'Minutes that all of them have together.', default: '10' }),
  seed: integerFlag({ description: 'Number that decides the inputs; a new one when not given.' }),
});
const targets = allTargets.filter(({ name }) => flags.target === undefined || name === flags.target);
if (targets.length === 0) {
  console.error(`there is no target ${flags.target}; see --help`);
  process.exit(2);
}
const minutes = Number(flags.minutes);
const { seed = randomInt(2 ** 31) } = flags;
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
