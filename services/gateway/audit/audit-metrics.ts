import type { Metrics } from '@binnacle/telemetry';
import type { AuditLevel } from '../request/exchange.ts';
import { auditLevels } from './policy/audit-policy.ts';

/** Counters of the audit, under the names of kube-apiserver's metrics. */
export interface AuditMetrics {
  event(): void;
  /** Counts events that a backend lost. */
  lost(plugin: string, events: number): void;
  /** Counts a request that was refused because its first event could not be delivered. */
  rejected(): void;
  /** Counts a request by the level that the policy has for it. */
  decided(level: AuditLevel): void;
}

/** Registers the metrics of the audit. */
export function createAuditMetrics(metrics: Metrics, plugins: readonly string[]): AuditMetrics {
  const events = metrics
    .counter({ name: 'apiserver_audit_event_total', help: 'Audit events that were generated.' })
    .labels();
  const errors = metrics.counter({
    name: 'apiserver_audit_error_total',
    help: 'Audit events that a backend lost.',
    labelNames: ['plugin'],
  });
  for (const plugin of plugins) errors.labels(plugin).inc(0);
  const rejections = metrics
    .counter({
      name: 'apiserver_audit_requests_rejected_total',
      help: 'Requests refused because they could not be audited.',
    })
    .labels();
  const levels = metrics.counter({
    name: 'apiserver_audit_level_total',
    help: 'Requests by the level that the audit policy has for them.',
    labelNames: ['level'],
  });
  const byLevel = new Map(auditLevels.map(level => [level, levels.labels(level)]));
  return {
    event: () => events.inc(),
    lost: (plugin, count) => errors.labels(plugin).inc(count),
    rejected: () => rejections.inc(),
    decided: level => byLevel.get(level)?.inc(),
  };
}
