import type { Sample } from './parse-metrics.ts';

/** The stages of an event's way to the watchers, in order (`binnacle_watch_event_stage_seconds`). */
export const stages = ['published', 'received', 'written'] as const;

/** The time that events spent in a stage, in seconds; undefined where there were none. */
interface StageFigures {
  readonly mean: number | undefined;
  readonly p50: number | undefined;
  readonly p99: number | undefined;
}

/** Figures of a gateway's watches. Levels are those of the newer reading, the others are what came between the two. */
export interface FanoutFigures {
  readonly watchers: number;
  readonly groups: number;
  /** Changes that came to the gateway. */
  readonly events: number;
  /** Events written to watchers. */
  readonly delivered: number;
  /** Watches that were ended because the client did not keep up, or their place was no longer in the window. */
  readonly ended: number;
  /** Mean seconds from the write of an object to the write of its event to the watchers. */
  readonly lag: number | undefined;
  readonly stages: Readonly<Record<(typeof stages)[number], StageFigures>>;
}

type Reading = readonly Sample[];

/** Reads the figures of a gateway from its metrics, since `before` where that is given and since its start otherwise. */
export function fanoutFigures(reading: Reading, before: Reading = []): FanoutFigures {
  const risen = (name: string) => sumSamples(reading, name) - sumSamples(before, name);
  const figures = {
    published: stageFigures('published', reading, before),
    received: stageFigures('received', reading, before),
    written: stageFigures('written', reading, before),
  };
  const means = stages.map(stage => figures[stage].mean);
  const hasEvents = means.some(mean => mean !== undefined);
  return {
    watchers: sumSamples(reading, 'apiserver_registered_watchers'),
    groups: sumSamples(reading, 'binnacle_watch_groups'),
    events: risen('apiserver_watch_cache_events_received_total'),
    delivered: risen('apiserver_watch_events_total'),
    ended: risen('apiserver_terminated_watchers_total') + risen('binnacle_watches_expired_total'),
    lag: hasEvents ? means.reduce<number>((sum, mean) => sum + (mean ?? 0), 0) : undefined,
    stages: figures,
  };
}

function stageFigures(stage: string, reading: Reading, before: Reading): StageFigures {
  const of = (samples: Reading, suffix: string, edge?: string) =>
    samples
      .filter(({ name }) => name === `binnacle_watch_event_stage_seconds_${suffix}`)
      .filter(({ labels }) => labels['stage'] === stage && (edge === undefined || labels['le'] === edge))
      .reduce((sum, { value }) => sum + value, 0);
  const count = of(reading, 'count') - of(before, 'count');
  if (count <= 0) return { mean: undefined, p50: undefined, p99: undefined };
  const buckets = bucketEdges(reading, stage).map(edge => ({
    edge: edge === '+Inf' ? Number.POSITIVE_INFINITY : Number(edge),
    count: of(reading, 'bucket', edge) - of(before, 'bucket', edge),
  }));
  return {
    mean: (of(reading, 'sum') - of(before, 'sum')) / count,
    p50: quantile(buckets, 0.5),
    p99: quantile(buckets, 0.99),
  };
}

function bucketEdges(reading: Reading, stage: string): string[] {
  return reading.flatMap(({ name, labels }) =>
    name === 'binnacle_watch_event_stage_seconds_bucket' && labels['stage'] === stage
      ? [labels['le'] ?? '']
      : [],
  );
}

/** A quantile as Prometheus computes it: evenly within a bucket, and the last finite edge beyond that. */
export function quantile(
  buckets: readonly { readonly edge: number; readonly count: number }[],
  share: number,
): number | undefined {
  const sorted = buckets.toSorted((a, b) => a.edge - b.edge);
  const wanted = share * (sorted.at(-1)?.count ?? 0);
  let [lowerEdge, lowerCount] = [0, 0];
  for (const { edge, count } of sorted) {
    if (count >= wanted && count > 0) {
      if (edge === Number.POSITIVE_INFINITY) return lowerEdge;
      const within = count === lowerCount ? 1 : (wanted - lowerCount) / (count - lowerCount);
      return lowerEdge + (edge - lowerEdge) * within;
    }
    lowerEdge = edge;
    lowerCount = count;
  }
  return undefined;
}

function sumSamples(reading: Reading, name: string): number {
  return reading.filter(sample => sample.name === name).reduce((sum, { value }) => sum + value, 0);
}
