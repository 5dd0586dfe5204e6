import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  booleanFlag,
  choiceFlag,
  type Flag,
  FlagError,
  integerFlag,
  listFlag,
  parseProgramFlags,
  stringFlag,
} from '@binnacle/service-kit';
import { ceremonyLimits } from './ceremony/ceremony-limits.ts';
import { measureCeremony } from './ceremony/measure-ceremony.ts';
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
  out: stringFlag({ description: 'Directory for report.html and report.json.', default: 'bench/reports' }),
};

/** Of each verb, when its ceremony is measured. */
const ceremonyRequests = 4_000;

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
  const { form, only, server, dataDir, out, ceremony, ...settings } = parseProgramFlags(flags);
  if (ceremony) {
    await writeCeremony();
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
