import { integerFlag, listFlag, parseProgramFlags, stringFlag } from '@binnacle/flags';
import { measureStalls, type Stall } from './measure-stalls.ts';

const flags = {
  tree: stringFlag({ description: 'Source tree of the server, to compare with; this one by default.' }),
  only: listFlag({ description: 'Parts of the names of the requests to run; all by default.' }),
  runs: integerFlag({ description: 'Runs of each request.', default: 5, min: 1 }),
};

const { tree, only, runs } = parseProgramFlags(flags);
const stalls = await measureStalls({ ...(tree && { tree }), only, runs, progress: print });
process.exitCode = stalls.every(({ longestMs, limitMs }) => longestMs <= limitMs) ? 0 : 1;

/** Prints the time for which a heavy request delays another client. */
function print({ name, status, seconds, bytes, longestMs, limitMs }: Stall): void {
  const verdict = longestMs <= limitMs ? 'met' : 'MISSED';
  console.log(
    `${name.padEnd(46)} ${String(status).padStart(3)} ${seconds.toFixed(2).padStart(6)} s ${(bytes / 1e6).toFixed(1).padStart(6)} MB   longest wait ${longestMs.toFixed(0).padStart(5)} ms (target at most ${limitMs}: ${verdict})`,
  );
}
