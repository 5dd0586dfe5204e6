import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  booleanFlag,
  choiceFlag,
  durationFlag,
  type Flag,
  FlagError,
  type FlagValues,
  integerFlag,
  listFlag,
  parseProgramFlags,
  stringFlag,
} from '@binnacle/flags';
import { errorMessage } from '@binnacle/status-errors';
import { ceremonyLimits } from './ceremony/ceremony-limits.ts';
import { measureCeremony } from './ceremony/measure-ceremony.ts';
import { type Axis, type AxisChoice, axes, chooseAxes } from './growth/axes.ts';
import { renderGrowthHtml } from './growth/growth-html.ts';
import type { GrowthReport } from './growth/growth-report.ts';
import { renderGrowthText } from './growth/growth-text.ts';
import { runGrowth } from './growth/run-growth.ts';
import { measureForm } from './measure-form.ts';
import type { BenchReport } from './report/bench-report.ts';
import { type Comparison, compareForms } from './report/compare-forms.ts';
import { renderComparisonText } from './report/comparison-text.ts';
import { renderComparisonHtml, renderHtml } from './report/html-report.ts';
import { renderText } from './report/text-report.ts';
import { textTable } from './report/text-table.ts';
import { comparedScenarios, scenarios } from './scenarios/all-scenarios.ts';
import { attachMeasuredServer, startDistributedServer } from './server/measured-server.ts';
import { startStandaloneServer } from './server/standalone-server.ts';

const forms = ['distributed', 'standalone', 'both'] as const;

const profiles = ['scenarios', 'growth'] as const;

/** Undefined when it is not given, for a server that runs already has its form. */
const formFlag: Flag<(typeof forms)[number] | undefined> = {
  ...choiceFlag(forms, {
    description: `Form that is started and measured. With "both", each runs the same scenarios in turn (${comparedScenarios.join(', ')}, unless --only names others), and the report compares them: CPU a unit of work, ratios, units a second.`,
    default: 'distributed',
  }),
  defaultValue: undefined,
};

const flags = {
  form: formFlag,
  objects: integerFlag({ description: 'Objects that are created and worked on.', default: 5000, min: 1 }),
  objectBytes: integerFlag({
    description: 'Bytes of data in each object.',
    default: 1024,
    min: 1,
    max: 1_000_000,
  }),
  connections: integerFlag({ description: 'Connections that send requests.', default: 32, min: 1 }),
  watchers: integerFlag({
    description: 'Watchers of a fan-out, each on a connection of its own.',
    default: 1000,
    min: 1,
  }),
  events: integerFlag({ description: 'Events of a fan-out.', default: 200, min: 1 }),
  rate: integerFlag({ description: 'Events a second of the steady fan-out.', default: 40, min: 1 }),
  only: listFlag({ description: `Scenarios to run: ${scenarios.map(({ name }) => name).join(', ')}.` }),
  server: stringFlag({
    description: 'https address of a server that runs already, instead of starting one; not with --form.',
  }),
  dataDir: stringFlag({ description: 'Data directory of that server.', default: '.binnacle' }),
  ceremony: booleanFlag({
    description:
      'Instead of a load test: promises, timers and kilobytes of a request by verb, in one process, beside the limits that tests hold.',
    default: false,
  }),
  profile: choiceFlag(profiles, {
    description:
      'With "growth", instead of the scenarios: how the cost of a unit of work, memory and latencies grow with watchers, gateways, objects and so on, step by step. The flags of sizes do not count then.',
    default: 'scenarios',
  }),
  axes: listFlag({ description: `Axes of the growth profile: ${axes.map(({ name }) => name).join(', ')}.` }),
  most: listFlag({
    description: 'Greatest steps of axes of the growth profile: objects=20000,watchers=1000.',
  }),
  timeBudget: durationFlag({
    description:
      'Time for all axes of the growth profile together; steps that would take longer are left out, and named.',
    default: 55 * 60_000,
    min: 1,
  }),
  stepDuration: durationFlag({
    description: 'Length of one measurement of the growth profile.',
    default: 5_000,
    min: 100,
  }),
  out: stringFlag({
    description: 'Directory for report.html and report.json, or growth.html and growth.json.',
    default: 'bench/reports',
  }),
};

/** Requests of each verb when its ceremony is measured. */
const ceremonyRequests = 4_000;

/** For hundreds of thousands of objects and their history. */
const growthQuotaBytes = 4 * 1024 ** 3;

const starts = {
  distributed: (directory: string) => startDistributedServer(directory, { plainGateway: true }),
  standalone: startStandaloneServer,
} as const;

try {
  await main();
} catch (error) {
  if (!(error instanceof FlagError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}

async function main(): Promise<void> {
  const values = parseProgramFlags(flags);
  const { form, only, server, dataDir, out, ceremony } = values;
  const { objects, objectBytes, connections, watchers, events, rate } = values;
  const settings = { objects, objectBytes, connections, watchers, events, rate };
  if (ceremony) {
    await writeCeremony();
    return;
  }
  if (values.profile === 'growth') {
    await measureGrowth(values);
    return;
  }
  if (server !== undefined) {
    if (form !== undefined)
      throw new FlagError('--form chooses what is started, and --server starts nothing');
    const start = async () => attachMeasuredServer(server, dataDir);
    await writeReport(out, await measureForm({ only, settings, start }));
  } else if (form === 'both') {
    const compared = only.length > 0 ? only : comparedScenarios;
    const standalone = await measureForm({ only: compared, settings, start: startStandaloneServer });
    const distributed = await measureForm({
      only: compared,
      settings,
      start: directory => startDistributedServer(directory, { plainGateway: false }),
    });
    await writeReport(join(out, 'standalone'), standalone);
    await writeReport(join(out, 'distributed'), distributed);
    await writeComparison(out, compareForms(standalone, distributed));
  } else {
    await writeReport(out, await measureForm({ only, settings, start: starts[form ?? 'distributed'] }));
  }
}

async function measureGrowth(values: FlagValues<typeof flags>): Promise<void> {
  const {
    form = 'distributed',
    server,
    only,
    most,
    out,
    timeBudget: budgetMs,
    stepDuration: stepMs,
  } = values;
  if (form === 'both' || server !== undefined || only.length > 0)
    throw new FlagError(
      '--profile=growth starts one form, and takes neither --form=both nor --server nor --only',
    );
  const choice = { only: values.axes, most, hasGateways: form === 'distributed' };
  const { axes: results } = await runGrowth({
    axes: chosenAxes(choice),
    form,
    budgetMs,
    stepMs,
    start: (directory, gateways) =>
      form === 'standalone'
        ? startStandaloneServer(directory)
        : startDistributedServer(directory, {
            plainGateway: false,
            gateways,
            etcdQuotaBytes: growthQuotaBytes,
          }),
    // The result of an axis is not lost when a later one fails.
    onAxis: report => writeGrowth(out, report),
  });
  if (results.some(({ steps }) => steps.length === 0)) process.exitCode = 1;
}

function chosenAxes(choice: AxisChoice): readonly Axis[] {
  try {
    return chooseAxes(choice);
  } catch (error) {
    throw new FlagError(`--axes, --most: ${errorMessage(error)}`);
  }
}

async function writeGrowth(out: string, report: GrowthReport): Promise<void> {
  await mkdir(out, { recursive: true });
  await writeFile(join(out, 'growth.json'), `${JSON.stringify(report, null, 2)}\n`);
  await writeFile(join(out, 'growth.html'), renderGrowthHtml(report));
  const last = { ...report, axes: report.axes.slice(-1) };
  process.stdout.write(`${renderGrowthText(last)}\n${join(out, 'growth.html')}\n`);
}

async function writeReport(out: string, report: BenchReport): Promise<void> {
  await mkdir(out, { recursive: true });
  await writeFile(join(out, 'report.json'), `${JSON.stringify(report, null, 2)}\n`);
  await writeFile(join(out, 'report.html'), renderHtml(report));
  process.stdout.write(`${renderText(report)}\n${join(out, 'report.html')}\n`);
}

async function writeComparison(out: string, comparison: Comparison): Promise<void> {
  await writeFile(join(out, 'comparison.json'), `${JSON.stringify(comparison.rows, null, 2)}\n`);
  await writeFile(join(out, 'comparison.html'), renderComparisonHtml(comparison));
  process.stdout.write(`\n${renderComparisonText(comparison)}\n${join(out, 'comparison.html')}\n`);
}

async function writeCeremony(): Promise<void> {
  const measured = await measureCeremony(ceremonyRequests);
  const rows = measured.map(({ verb, promises, timers, kilobytes }) => {
    const limit = ceremonyLimits[verb];
    return [
      verb,
      `${promises.toFixed(1)} promises (at most ${limit.promises})`,
      `${timers.toFixed(2)} timers (at most ${limit.timers})`,
      `${kilobytes.toFixed(0)} KB`,
    ];
  });
  process.stdout.write(`${textTable(rows).join('\n')}\n`);
}
