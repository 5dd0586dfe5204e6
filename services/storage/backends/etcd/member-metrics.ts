import type { Metrics } from '@binnacle/telemetry';
import type { MemberState } from './member-probes.ts';

/**
 * Creates the metrics of the state of each member of etcd, by endpoint: `binnacle_etcd_member_up`,
 * `binnacle_etcd_member_has_leader`.
 */
export function createMemberMetrics(metrics: Metrics): (states: ReadonlyMap<string, MemberState>) => void {
  const up = metrics.gauge({
    name: 'binnacle_etcd_member_up',
    help: '1 while the member of etcd answers this process.',
    labelNames: ['endpoint'],
  });
  const hasLeader = metrics.gauge({
    name: 'binnacle_etcd_member_has_leader',
    help: '1 while the member of etcd answers this process and knows a leader, so that it can read and write.',
    labelNames: ['endpoint'],
  });
  return states => {
    for (const [endpoint, state] of states) {
      up.labels(endpoint).set(Number(state !== 'away'));
      hasLeader.labels(endpoint).set(Number(state === 'serving'));
    }
  };
}
