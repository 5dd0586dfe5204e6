import type { Metrics } from '@binnacle/telemetry';
import type { FlowMeters } from './fair-queuing/flow.ts';
import type { PriorityLevel } from './priority-levels/priority-levels.ts';
import type { DemandOfPeriod } from './priority-levels/seat-demand.ts';
import { mostExecuting } from './work/loop-gate.ts';

/** The metrics of flow control, under the names of kube-apiserver 1.26. */
export interface FlowControlMetrics {
  /** The meters of one schema's requests in one level; made once. */
  meters(level: string, schema: string): FlowMeters;
  /** Records a new division of seats, and the demand of the period that has ended. */
  seats(level: PriorityLevel, demand: DemandOfPeriod | undefined): void;
  /** Counts a request that was refused before it asked for a seat. */
  refused(level: string, schema: string, reason: string): void;
  /** Records the number of requests that one flow may execute at a time. */
  executingLimit(most: number): void;
}

const prefix = 'apiserver_flowcontrol';
const flowLabels = ['flow_schema', 'priority_level'];
const waitBuckets = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];
const executionBuckets = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];
const lengthBuckets = [0, 10, 25, 50, 100, 250, 500, 1000];
const seatBuckets = [1, 2, 4, 10];

/** Registers the metrics of flow control. */
export function createFlowControlMetrics(metrics: Metrics): FlowControlMetrics {
  const families = createFamilies(metrics);
  const metersByFlow = new Map<string, FlowMeters>();
  const refused = (level: string, schema: string, reason: string) =>
    families.rejected.labels(schema, level, reason).inc();
  const executingLimit = metrics
    .gauge({
      name: 'binnacle_flow_executing_limit',
      help: 'Requests that one flow may execute at a time; below 1, the part of the time in which it may execute one.',
    })
    .labels();
  executingLimit.set(mostExecuting);
  return {
    refused,
    meters(level, schema) {
      const key = `${level}/${schema}`;
      let meters = metersByFlow.get(key);
      if (meters === undefined) {
        meters = createMeters(families, level, schema);
        metersByFlow.set(key, meters);
      }
      return meters;
    },
    seats: seatMeter(metrics),
    executingLimit: most => executingLimit.set(most),
  };
}

type Families = ReturnType<typeof createFamilies>;

function createFamilies(metrics: Metrics) {
  const family = (name: string, help: string, labelNames: readonly string[] = flowLabels) => ({
    name: `${prefix}_${name}`,
    help,
    labelNames,
  });
  return {
    rejected: metrics.counter(
      family('rejected_requests_total', 'Requests refused by flow control.', [...flowLabels, 'reason']),
    ),
    dispatched: metrics.counter(family('dispatched_requests_total', 'Requests that began to execute.')),
    inQueue: metrics.gauge(family('current_inqueue_requests', 'Requests that wait in queues.')),
    length: metrics.histogram({
      ...family('request_queue_length_after_enqueue', 'Length of the queue that a request came into.'),
      buckets: lengthBuckets,
    }),
    executing: metrics.gauge(family('current_executing_requests', 'Requests that execute.')),
    seatsInUse: metrics.gauge(family('request_concurrency_in_use', 'Seats that requests occupy.')),
    waited: metrics.histogram({
      ...family('request_wait_duration_seconds', 'Time that requests waited for a seat.', [
        'execute',
        ...flowLabels,
      ]),
      buckets: waitBuckets,
    }),
    ran: metrics.histogram({
      ...family('request_execution_seconds', 'Time that requests held their seat.', [...flowLabels, 'type']),
      buckets: executionBuckets,
    }),
    estimated: metrics.histogram({
      ...family('work_estimated_seats', 'Seats that requests were estimated to need.'),
      buckets: seatBuckets,
    }),
  };
}

function createMeters(families: Families, level: string, schema: string): FlowMeters {
  const children = {
    dispatched: families.dispatched.labels(schema, level),
    inQueue: families.inQueue.labels(schema, level),
    executing: families.executing.labels(schema, level),
    seatsInUse: families.seatsInUse.labels(schema, level),
    length: families.length.labels(schema, level),
    waited: families.waited.labels('true', schema, level),
    ran: families.ran.labels(schema, level, 'regular'),
    estimated: families.estimated.labels(schema, level),
  };
  return {
    enqueued(length) {
      children.inQueue.inc();
      children.length.observe(length);
    },
    dequeued: () => children.inQueue.dec(),
    started(seats, waitedMs) {
      children.dispatched.inc();
      children.executing.inc();
      children.seatsInUse.inc(seats);
      children.estimated.observe(seats);
      children.waited.observe(waitedMs / 1000);
    },
    finished(ranMs, isWatch) {
      children.executing.dec();
      const ran = isWatch ? families.ran.labels(schema, level, 'watch') : children.ran;
      ran.observe(ranMs / 1000);
    },
    released: seats => children.seatsInUse.dec(seats),
    refused(reason, waitedMs) {
      families.rejected.labels(schema, level, reason).inc();
      families.waited.labels('false', schema, level).observe(waitedMs / 1000);
    },
  };
}

function seatMeter(metrics: Metrics): FlowControlMetrics['seats'] {
  const gauge = (name: string, help: string) =>
    metrics.gauge({ name: `${prefix}_${name}`, help, labelNames: ['priority_level'] });
  const limit = gauge('request_concurrency_limit', 'Seats that a priority level has by its shares.');
  const nominal = gauge('nominal_limit_seats', 'Seats that a priority level has by its shares.');
  const lower = gauge('lower_limit_seats', 'Seats that a priority level has at least.');
  const upper = gauge('upper_limit_seats', 'Seats that a priority level has at most.');
  const current = gauge('current_limit_seats', 'Seats that a priority level has now.');
  const highest = gauge('demand_seats_high_watermark', 'Highest demand for seats in the last period.');
  const average = gauge('demand_seats_average', 'Average demand for seats in the last period.');
  const deviation = gauge('demand_seats_stdev', 'Standard deviation of the demand in the last period.');
  return ({ config, seats }, demand) => {
    if (seats === undefined) return;
    const { name } = config;
    limit.labels(name).set(seats.nominal);
    nominal.labels(name).set(seats.nominal);
    lower.labels(name).set(seats.least);
    upper.labels(name).set(seats.most);
    current.labels(name).set(seats.current);
    if (demand === undefined) return;
    highest.labels(name).set(demand.highest);
    average.labels(name).set(demand.average);
    deviation.labels(name).set(demand.deviation);
  };
}
