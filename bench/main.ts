import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import {
  FlagError,
  HelpRequested,
  integerFlag,
  listFlag,
  parseFlags,
  stringFlag,
} from '@binnacle/service-kit';
import type { BenchReport } from './report/bench-report.ts';
import { renderHtml } from './report/html-report.ts';
import { ProgressBar } from './report/progress-bar.ts';
import { renderText } from './report/text-report.ts';
import { runScenarios } from './run-scenarios.ts';
import { scenarios } from './scenarios/all-scenarios.ts';
import { attachMeasuredServer, startMeasuredServer } from './server/measured-server.ts';

const flags = {
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
  rate: integerFlag({ description: 'Events a second of the steady fan-out.', default: 15, min: 1 }),
  only: listFlag({ description: `Scenarios to run: ${scenarios.map(({ name }) => name).join(', ')}.` }),
  server: stringFlag({
    description: 'https address of a server that runs already, instead of starting one.',
  }),
  dataDir: stringFlag({ description: 'Data directory of that server.', default: '.binnacle' }),
  out: stringFlag({ description: 'Directory for report.html and report.json.', default: 'bench/reports' }),
};

try {
  await main();
} catch (error) {
  if (!(error instanceof FlagError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error instanceof HelpRequested ? 0 : 2;
}

async function main(): Promise<void> {
  const { only, server: running, dataDir, out, ...settings } = parseFlags(flags);
  await using stack = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-bench-'));
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  const server = stack.use(
    running ? attachMeasuredServer(running, dataDir) : await startMeasuredServer(directory),
  );
  const bar = new ProgressBar();
  const results = await runScenarios(only, {
    target: server.target,
    writeTarget: server.writeTarget,
    plain: server.plain,
    pids: server.pids,
    gateway: server.gateway,
    settings,
    progress: (name, done, total) => bar.update(name, done, total),
  });
  bar.clear();
  const report: BenchReport = {
    startedAt: new Date().toISOString(),
    form: server.form,
    machine: {
      cores: cpus().length,
      cpu: cpus()[0]?.model ?? '',
      memoryBytes: totalmem(),
      node: process.versions.node,
    },
    settings,
    results,
  };
  await mkdir(out, { recursive: true });
  await writeFile(join(out, 'report.json'), `${JSON.stringify(report, null, 2)}\n`);
  await writeFile(join(out, 'report.html'), renderHtml(report));
  process.stdout.write(`${renderText(report)}\n${join(out, 'report.html')}\n`);
}
