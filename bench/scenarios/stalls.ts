import { measureStalls } from '../stalls/measure-stalls.ts';
import type { Scenario } from './scenario.ts';

/** Heavy requests to a standalone server of their own, and the wait of another client meanwhile. */
export const stallScenarios: readonly Scenario[] = [
  {
    name: 'stalls',
    description: 'the longest wait of another client while a heavy request runs',
    async run({ progress }) {
      const started = performance.now();
      const stalls = await measureStalls({ progress: (_, done, total) => progress('stalls', done, total) });
      return {
        name: 'stalls',
        parameters: {},
        unit: 'heavy request',
        units: stalls.length,
        seconds: (performance.now() - started) / 1000,
        latencies: undefined,
        cpuMicrosPerUnit: {},
        residentBytes: {},
        bytes: stalls.reduce((sum, { bytes }) => sum + bytes, 0),
        failures: {},
        targets: stalls.map(({ name, longestMs, limitMs }) => ({
          what: `longest wait, ${name}`,
          unit: 'ms',
          limit: limitMs,
          measured: longestMs,
        })),
      };
    },
  },
];
