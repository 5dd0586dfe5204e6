import type { JsonObject } from '@binnacle/api-objects';
import { pause } from '@binnacle/event-loop';
import { durationFlag, switchFlag, textsFlag } from '../arguments/flag.ts';
import { type FanoutFigures, fanoutFigures, stages } from '../fanout/fanout-figures.ts';
import { findGateways, type Gateway } from '../fanout/gateways.ts';
import { parseMetrics, type Sample } from '../fanout/parse-metrics.ts';
import { Columns } from '../output/columns.ts';
import { createList, documentText } from '../output/documents.ts';
import { errorText, UsageError } from '../output/errors.ts';
import { type OutputForm, outputForm } from '../output/output-form.ts';
import { defineCommand } from './command.ts';
import { outputFlag } from './output-flag.ts';

const defaultIntervalMs = 2_000;
const header = ['GATEWAY', 'WATCHERS', 'GROUPS', 'EVENTS', 'DELIVERED', 'LAG'];

/** A reading of one gateway: its metrics, or why there are none. */
type Reading = { readonly samples: readonly Sample[] } | { readonly failure: unknown };

/** By the names of gateways. */
type Readings = ReadonlyMap<string, Reading>;

interface Row {
  readonly gateway: string;
  readonly figures: FanoutFigures;
}

/** Shows how watches are served by each gateway. */
export const topFanout = defineCommand({
  name: 'top fanout',
  usage: '',
  summary:
    'Shows the watchers of each gateway, how far they are behind, and the time of each stage of an event.',
  examples: [
    'top fanout',
    'top fanout -w --interval=5s',
    'top fanout --gateways=https://10.0.0.7:6443,https://10.0.0.8:6443',
  ],
  flags: {
    gateways: textsFlag("addresses of gateways (default: the API server and its service's endpoints)", {
      placeholder: 'urls',
    }),
    watch: switchFlag('repetition, each time with the changes since the last time', { short: 'w' }),
    interval: durationFlag('time between two readings, with --watch (default 2s)'),
    output: outputFlag(['table', 'wide', 'json', 'yaml']),
    noHeaders: switchFlag('no header line'),
  },
  async run({ flags, words, open, terminal }) {
    if (words.length > 0) throw new UsageError(`unexpected arguments: ${words.join(' ')}`);
    const form = outputForm(flags.output, ['table', 'wide', 'json', 'yaml']);
    const gateways = await findGateways(open(), flags.gateways);
    const text = rowsWriter({ form, headers: !flags.noHeaders });
    let earlier: Readings = new Map();
    for (;;) {
      const readings = new Map(await Promise.all(gateways.map(readMetrics)));
      if (terminal.signal.aborted) return 1;
      const failed = failuresIn(readings);
      for (const line of failed) terminal.err(line);
      await terminal.out(text(rowsFrom(readings, flags.watch ? earlier : new Map())));
      if (!flags.watch) return failed.length === 0 ? 0 : 1;
      earlier = readings;
      await pause(flags.interval ?? defaultIntervalMs, terminal.signal);
    }
  },
});

async function readMetrics({ name, client }: Gateway): Promise<[string, Reading]> {
  try {
    const text = await client.text({ method: 'GET', path: '/metrics', accept: 'text/plain' });
    return [name, { samples: parseMetrics(text) }];
  } catch (failure) {
    return [name, { failure }];
  }
}

function failuresIn(readings: Readings): string[] {
  return [...readings].flatMap(([gateway, reading]) =>
    'failure' in reading ? [`${gateway}: ${errorText(reading.failure)}\n`] : [],
  );
}

function rowsFrom(readings: Readings, earlier: Readings): Row[] {
  return [...readings].flatMap(([gateway, reading]) => {
    if ('failure' in reading) return [];
    const before = earlier.get(gateway);
    const samples = before !== undefined && 'samples' in before ? before.samples : undefined;
    return [{ gateway, figures: fanoutFigures(reading.samples, samples) }];
  });
}

/** Writes the rows of one reading after the other; the header stands over the first. */
function rowsWriter({ form, headers }: { readonly form: OutputForm; readonly headers: boolean }) {
  const columns = new Columns();
  const isWide = form === 'wide';
  let needsHeader = headers;
  return (rows: readonly Row[]): string => {
    if (form === 'json' || form === 'yaml') return documentText(createList(rows.map(documentFromRow)), form);
    const lines = rows.map(row => lineFromRow(row, isWide));
    const head = [...header, ...stages.map(stage => stage.toUpperCase()), ...(isWide ? ['ENDED'] : [])];
    const text = columns.write(needsHeader ? [head, ...lines] : lines);
    needsHeader = false;
    return text;
  };
}

function lineFromRow({ gateway, figures }: Row, wide: boolean): string[] {
  const { watchers, groups, events, delivered, lag, ended } = figures;
  return [
    gateway,
    ...[watchers, groups, events, delivered].map(String),
    timeText(lag),
    ...stages.map(stage => {
      const { p50, p99 } = figures.stages[stage];
      return p50 === undefined ? '-' : `${timeText(p50)}/${timeText(p99)}`;
    }),
    ...(wide ? [String(ended)] : []),
  ];
}

/** Seconds as people read short times: `800µs`, `1.2ms`, `3.4s`. */
export function timeText(seconds: number | undefined): string {
  if (seconds === undefined) return '-';
  if (seconds < 0.001) return `${Math.round(seconds * 1e6)}µs`;
  return seconds < 1 ? `${shortNumber(seconds * 1000)}ms` : `${shortNumber(seconds)}s`;
}

function shortNumber(value: number): string {
  return value < 10 ? value.toFixed(1) : String(Math.round(value));
}

function documentFromRow({ gateway, figures }: Row): JsonObject {
  const { lag, stages: times, ...counts } = figures;
  return {
    gateway,
    ...counts,
    lagSeconds: lag ?? null,
    stageSeconds: Object.fromEntries(
      stages.map(stage => {
        const { mean = null, p50 = null, p99 = null } = times[stage];
        return [stage, { mean, p50, p99 }];
      }),
    ),
  };
}
