import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installBackends, kafkaLibraryDirectory } from '@binnacle/backends';
import { defaultLimits, podman, tryPodman } from './podman.ts';

const runFile = promisify(execFile);

const debian = 'docker.io/library/debian:bookworm-slim';

/** The images that are made here: the target of `images/Dockerfile`, and the content of its build context. */
const standIns: readonly StandIn[] = [
  { image: 'docker.io/library/node:24-bookworm-slim', target: 'node', prepare: installNode },
  { image: 'docker.io/library/haproxy:3.0', target: 'haproxy' },
  { image: 'docker.io/library/redis:7.2-bookworm', target: 'redis' },
  { image: 'docker.io/prom/prometheus:v3.5.0', target: 'prometheus' },
  { image: 'docker.io/apache/kafka:3.9.1', target: 'kafka', prepare: installKafka },
  {
    image: 'docker.io/otel/opentelemetry-collector-contrib:0.148.0',
    target: 'collector',
    prepare: buildCollector,
  },
  { image: 'docker.io/openzipkin/zipkin:3.5.1', target: 'zipkin', prepare: fetchZipkin },
];

interface StandIn {
  readonly image: string;
  readonly target: string;
  /** Fills the build context. */
  readonly prepare?: (context: string) => Promise<void>;
}

/** Images for which there is no stand-in. */
export function isMissing(image: string): boolean {
  return image !== debian && !standIns.some(each => each.image.endsWith(`/${image}`));
}

/** Makes the base images of services and of the images that are built, where they are not there yet, under the official names. */
export async function makeBaseImages(
  services: readonly { readonly image: string }[],
  report: (line: string) => void,
): Promise<void> {
  if (!(await hasImage(debian))) {
    report(`making ${debian} with debootstrap`);
    await bootstrapDebian();
  }
  for (const standIn of standIns) {
    const isUsed =
      standIn.target === 'node' || services.some(({ image }) => standIn.image.endsWith(`/${image}`));
    if (!isUsed || (await hasImage(standIn.image))) continue;
    report(`making ${standIn.image}`);
    await buildStandIn(standIn);
  }
}

async function hasImage(image: string): Promise<boolean> {
  return (await tryPodman(['image', 'exists', image])).code === 0;
}

async function bootstrapDebian(): Promise<void> {
  await inTemporaryDirectory(async directory => {
    const root = join(directory, 'root');
    const mirror = process.env['DEBIAN_MIRROR'] ?? 'http://deb.debian.org/debian';
    await runFile('debootstrap', ['--variant=minbase', 'bookworm', root, mirror], { timeout: 600_000 });
    const archive = join(directory, 'root.tar');
    await runFile('tar', ['-C', root, '-cf', archive, '.'], { timeout: 120_000 });
    await podman(['import', archive, debian], { timeoutMs: 300_000 });
  });
}

async function buildStandIn({ image, target, prepare }: StandIn): Promise<void> {
  await inTemporaryDirectory(async directory => {
    cpSync(join(import.meta.dirname, 'images'), directory, { recursive: true });
    await prepare?.(directory);
    const file = join(directory, 'Dockerfile');
    await buildImage({ image, target, file, context: directory });
  });
}

/** npm's package of Node itself in the release that the project uses, and npm. */
async function installNode(context: string): Promise<void> {
  const directory = join(context, 'node');
  mkdirSync(directory);
  const packages = [`node@${process.versions.node}`, 'npm@11'];
  const options = ['--no-save', '--no-fund', '--no-audit', '--prefix', directory];
  await runFile('npm', ['install', ...options, ...packages], { cwd: directory, timeout: 300_000 });
}

async function installKafka(context: string): Promise<void> {
  await installBackends(['kafka']);
  cpSync(kafkaLibraryDirectory(), join(context, 'kafka'), { recursive: true });
}

/** The OpenTelemetry Collector with the parts that its configuration names. */
async function buildCollector(context: string): Promise<void> {
  const environment = { ...process.env, CGO_ENABLED: '0' };
  const build = ['build', '-trimpath', '-ldflags=-s -w', '-o', join(context, 'otelcol'), '.'];
  await runFile('go', build, { cwd: join(context, 'collector'), env: environment, timeout: 1_200_000 });
}

async function fetchZipkin(context: string): Promise<void> {
  const archive = 'io.zipkin:zipkin-server:3.5.1:jar:exec';
  const copy = ['dependency:copy', `-Dartifact=${archive}`, `-DoutputDirectory=${context}`];
  await runFile('mvn', ['-B', '-q', ...copy], { cwd: context, timeout: 300_000 });
  renameSync(join(context, 'zipkin-server-3.5.1-exec.jar'), join(context, 'zipkin.jar'));
}

/** One image: a target of a Dockerfile. */
interface ImageBuild {
  readonly image: string;
  readonly target: string;
  readonly file: string;
  readonly context: string;
  /** Build arguments by name; default: none. */
  readonly args?: Readonly<Record<string, string>>;
}

/** Builds an image with the network of the machine and its settings of npm, which do not become part of the image. */
export async function buildImage({ image, target, file, context, args = {} }: ImageBuild): Promise<void> {
  await inTemporaryDirectory(async directory => {
    const ignoreFile = `${file}.dockerignore`;
    const settings = join(directory, 'npmrc');
    writeFileSync(settings, await npmSettings());
    const mounts = [`${settings}:/root/.npmrc:ro`];
    if (existsSync(authorities)) mounts.push(`${authorities}:${authoritiesWithin}:ro`);
    await podman(
      [
        ...['build', '--format', 'docker', '--pull=never', '--network', 'host'],
        ...defaultLimits,
        ...mounts.flatMap(mount => ['--volume', mount]),
        ...(existsSync(ignoreFile) ? ['--ignorefile', ignoreFile] : []),
        ...Object.entries(args).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]),
        ...['--target', target, '--tag', image, '--file', file, context],
      ],
      { timeoutMs: 900_000 },
    );
  });
}

/** The authorities that this machine trusts, its registries' among them, and where a build finds them. */
const authorities = '/etc/ssl/certs/ca-certificates.crt';
const authoritiesWithin = '/root/authorities.crt';

/** The registry, proxy and authorities of this machine's npm, in npm's own format. */
async function npmSettings(): Promise<string> {
  const lines = await Promise.all(
    ['registry', 'https-proxy', 'proxy'].map(async name => {
      const { stdout } = await runFile('npm', ['config', 'get', name], { timeout: 30_000 });
      const value = stdout.trim();
      return value === '' || value === 'null' || value === 'undefined' ? '' : `${name}=${value}\n`;
    }),
  );
  return `${lines.join('')}${existsSync(authorities) ? `cafile=${authoritiesWithin}\n` : ''}`;
}

async function inTemporaryDirectory(work: (directory: string) => Promise<void>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-verify-'));
  try {
    await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
