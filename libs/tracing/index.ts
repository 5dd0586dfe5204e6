import { type FlagValues, readFlagFile, type tracingFlags } from '@binnacle/flags';
import type { TracedProcess, Tracing } from './tracing.ts';

export type { Tracing } from './tracing.ts';

/**
 * Starts the tracing that `--tracing-config-file` asks for; undefined without the flag, and for an empty one. OpenTelemetry is loaded only here. Throws a
 * FlagError that names the file and the field of a configuration that cannot be used.
 */
export async function tracingFromFlags(
  { tracingConfigFile }: FlagValues<typeof tracingFlags>,
  process: TracedProcess,
): Promise<Tracing | undefined> {
  if (tracingConfigFile === undefined || tracingConfigFile === '') return undefined;
  const { readTracingConfiguration } = await import('./tracing-configuration.ts');
  const configuration = await readFlagFile('tracingConfigFile', tracingConfigFile, readTracingConfiguration);
  const { startTracing } = await import('./start-tracing.ts');
  return startTracing(configuration, process);
}
