import type { LiveTypeRegistry, ResourceDefinition } from '@binnacle/api-types';
import type { Metrics } from '@binnacle/telemetry';

/** Forgets the series of a type that is served no more, so that definitions that come and go leave none behind. */
export function forgetSeries(
  metrics: Pick<Metrics, 'removeSeries'>,
  registry: LiveTypeRegistry,
  { group, version, resource, kind }: ResourceDefinition,
): void {
  metrics.removeSeries({ group, version, resource });
  metrics.removeSeries({ group, version, kind });
  if (registry.addedTo(group).resources.some(other => other.resource === resource)) return;
  const name = `${resource}.${group}`;
  for (const label of ['resource', 'crd_name', 'type']) metrics.removeSeries({ [label]: name });
}
