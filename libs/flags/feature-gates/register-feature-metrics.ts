import type { Metrics } from '@binnacle/telemetry';
import type { FeatureGates, FeatureStage } from './feature-gate.ts';

const stageLabels: Readonly<Record<FeatureStage, string>> = {
  alpha: 'ALPHA',
  beta: 'BETA',
  GA: '',
  deprecated: 'DEPRECATED',
};

/** Exports each gate with an effect as `kubernetes_feature_enabled{name,stage}`: 1 is on, 0 is off. */
export function registerFeatureMetrics(metrics: Metrics, gates: FeatureGates): void {
  const enabled = metrics.gauge({
    name: 'kubernetes_feature_enabled',
    help: 'Feature gates with their stage: 1 is on, 0 is off.',
    labelNames: ['name', 'stage'],
  });
  for (const gate of gates.states)
    enabled.labels(gate.name, stageLabels[gate.stage]).set(gate.enabled ? 1 : 0);
}
