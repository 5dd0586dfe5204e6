import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { makeBaseImages } from './base-images.ts';
import { balancerChecks } from './check-balancer.ts';
import { commandChecks } from './check-commands.ts';
import { containerChecks } from './check-containers.ts';
import { faultChecks } from './check-faults.ts';
import { lockChecks } from './check-locks.ts';
import { tourChecks } from './check-tour.ts';
import { traceChecks } from './check-traces.ts';
import { type Check, runChecks } from './checks.ts';
import { type ComposeFile, readComposeFile } from './compose-file.ts';
import { Composition } from './composition.ts';
import { podman } from './podman.ts';

const directory = resolve(import.meta.dirname, '../..');
const steps = ['images', 'up', 'check', 'down'] as const;
type Step = (typeof steps)[number];

/** The path in the containers, as docs/operations.md has it. */
const tracingFile = '/etc/binnacle/tracing/tracing.yaml';

const report = (line: string): void => console.log(line);

async function main(asked: string): Promise<number> {
  const isStep = (text: string): text is Step => steps.some(step => step === text);
  if (asked !== 'all' && !isStep(asked)) throw new Error(`usage: verify.sh [all|${steps.join('|')}]`);
  const port = process.env['BINNACLE_PORT'] ?? '16443';
  const profiles = process.env['VERIFY_PROFILE'] ?? 'full';
  const variables = {
    ...(profiles.split(',').includes('tracing') && { BINNACLE_TRACING_CONFIG_FILE: tracingFile }),
    ...process.env,
    BINNACLE_PORT: port,
  };
  const read = (wanted: string) => readComposeFile(`${directory}/docker-compose.yml`, variables, wanted);
  const file = read(profiles);
  const byHand = read('tools,backup');
  const composition = new Composition({ project: 'binnacle-verify', file, byHand, directory, report });
  const has = (step: Step) => asked === 'all' || asked === step;
  if (has('images')) {
    await makeBaseImages(Object.values(file.services), report);
    await composition.build();
  }
  if (has('up')) {
    await composition.down();
    await composition.up();
  }
  let failed = 0;
  if (has('check')) {
    failed = await check(composition, file);
    report('');
    for (const line of notChecked(composition.leftOut)) report(`not checked: ${line}`);
    report(failed === 0 ? 'every check passed' : `${failed} checks failed`);
  }
  if (has('down')) await composition.down();
  return failed === 0 ? 0 : 1;
}

const checks: readonly Check[] = [
  ...containerChecks,
  ...tourChecks,
  ...traceChecks,
  ...balancerChecks,
  ...lockChecks,
  ...faultChecks,
  ...commandChecks,
];

async function check(composition: Composition, file: ComposeFile): Promise<number> {
  const temporary = mkdtempSync(join(tmpdir(), 'binnacle-verify-'));
  try {
    const adminConfiguration = join(temporary, 'admin.conf');
    const [pki = ''] = composition.listContainers('pki');
    await podman(['cp', `${pki}:/var/lib/binnacle/administrator/admin.conf`, adminConfiguration]);
    const only = process.env['VERIFY_ONLY'];
    const chosen = checks
      .filter(({ needs }) => needs === undefined || needs in file.services)
      .filter(({ what }) => only === undefined || what.includes(only));
    return await runChecks(chosen, { composition, file, directory, adminConfiguration, report });
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** The statements that stand-ins and podman cannot show. */
function notChecked(leftOut: readonly string[]): string[] {
  return [
    ...leftOut.map(name => `${name}: there is no image of it without a registry`),
    "the official images: HAProxy, Redis, etcd and Prometheus are Debian's versions, Kafka has its jars of the release but stand-ins for its programs and Java 17 on Debian, Node is npm's package on Debian, Zipkin is its archive on Java 17, the collector is built from its modules with the parts that are used",
    'Docker Engine and Docker Compose: podman runs the containers, its DNS resolves their names, its logs rotate by size only, and a program of this folder reads docker-compose.yml',
    'the moment and the number of retries of health checks: a program of this folder runs them',
    'seccomp and AppArmor profiles of Docker, and machines with SELinux',
  ];
}

process.exitCode = await main(process.argv[2] ?? 'all');
