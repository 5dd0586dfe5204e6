import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import type { TestContext } from 'node:test';
import { errorMessage } from '@binnacle/status-errors';
import { createRandom, type Random } from '../fuzz/random.ts';

const { ROUND_TRIP_SEED, ROUND_TRIP_KIND, ROUND_TRIP_OBJECTS } = process.env;

/** Seeds one after the other; each makes one object of a kind, or one definition with its objects. */
interface SeedRange {
  readonly what: string;
  readonly first: number;
  readonly count: number;
}

/** Where a test of round trips stands, which is where it can be repeated. */
interface SeededTest {
  readonly folder: string;
  /** Of objects: their kind. Of generated definitions: `Definition`. */
  readonly kind: string;
}

/** Whether `ROUND_TRIP_KIND` leaves room for a kind; that of generated definitions is `Definition`. */
export function isChosenKind(kind: string): boolean {
  return (ROUND_TRIP_KIND ?? kind) === kind;
}

/**
 * The seeds of a run: those of always and those of the sources, as many of each as given. Each commit has seeds of its own, and the
 * same ones in every run, so that what fails once fails again. `ROUND_TRIP_SEED` names the first of other ones, or is `any` for
 * seeds at random, and `ROUND_TRIP_OBJECTS` says how many they are.
 */
export function chooseSeeds(
  fixedSeed: number,
  counts: { readonly fixed: number; readonly own: number },
): SeedRange[] {
  const atRandom = { what: 'chosen at random', first: randomInt(2 ** 31) };
  if (ROUND_TRIP_SEED === undefined && ROUND_TRIP_OBJECTS === undefined)
    return [
      { what: 'of always', first: fixedSeed, count: counts.fixed },
      { ...(ofSources() ?? atRandom), count: counts.own },
    ];
  const chosen =
    ROUND_TRIP_SEED === undefined || ROUND_TRIP_SEED === 'any'
      ? atRandom
      : { what: 'asked for', first: Number(ROUND_TRIP_SEED) };
  return [{ ...chosen, count: Number(ROUND_TRIP_OBJECTS ?? counts.own) }];
}

/** Undefined where there is no repository. */
function ofSources(): { readonly what: string; readonly first: number } | undefined {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD^{tree}'], { encoding: 'utf8' });
  return status === 0
    ? { what: 'of the sources', first: Number.parseInt(stdout.slice(0, 7), 16) }
    : undefined;
}

/** Runs with each seed. What fails says with which one, and how to repeat it. */
export async function runSeeds(
  context: TestContext,
  { folder, kind, seeds }: SeededTest & { readonly seeds: SeedRange },
  run: (random: Random) => Promise<void>,
): Promise<void> {
  const { first, count } = seeds;
  context.diagnostic(`seeds ${first} to ${first + count - 1}`);
  for (let seed = first; seed < first + count; seed++)
    try {
      await run(createRandom(seed));
    } catch (error) {
      const command = `ROUND_TRIP_SEED=${seed} ROUND_TRIP_KIND=${kind} ROUND_TRIP_OBJECTS=1 npm test -- ${folder}`;
      const message = errorMessage(error);
      throw new Error(`seed ${seed}: ${message}\nrepeat it with: ${command}`, { cause: error });
    }
}
