import { performance } from 'node:perf_hooks';
import type { LoadUsage } from './protocol.ts';

/** Measures the use that this process makes of the machine from now on. */
export function measureOwnUsage(): () => LoadUsage {
  const cpu = process.cpuUsage();
  const loop = performance.eventLoopUtilization();
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    return {
      cpuMicros: user + system,
      loopUtilization: performance.eventLoopUtilization(loop).utilization,
    };
  };
}
