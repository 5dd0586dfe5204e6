import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../journeys/api-server.ts';
import { createTemporaryDirectory } from '../journeys/setup/temporary-directory.ts';
import { type ConformanceServer, type Sent, users } from './drivers/conformance-server.ts';
import { createHttpDriver, followWatch, readAnswer } from './drivers/http-driver.ts';
import type { RunningForm, StartForm, VariantNeeds } from './drivers/running-form.ts';

/** The webhooks of tests are on this machine. */
const usualFlags = {
  // Namespaces hold the config maps that tests make, and no others.
  controllers: '*,tokencleaner,bootstrapsigner,-root-ca-cert-publisher',
  'allow-loopback-webhooks': 'true',
};

/** Starts a form, with the users of the suite, in a folder that goes with it. */
export async function startConformanceServer(
  start: StartForm,
  flags: Readonly<Record<string, string>> = {},
): Promise<ConformanceServer & AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const directory = stack.use(await createTemporaryDirectory());
  const dataDirectory = join(directory.path, 'data');
  const tokenAuthFile = join(directory.path, 'tokens.csv');
  await mkdir(dataDirectory);
  await writeFile(tokenAuthFile, users.map(userLine).join(''));
  const form = stack.use(await start({ dataDirectory, tokenAuthFile, flags: { ...usualFlags, ...flags } }));
  return conformanceServer(form, { start, stack: stack.move() });
}

function conformanceServer(
  form: RunningForm,
  { start, stack }: { readonly start: StartForm; readonly stack: AsyncDisposableStack },
): ConformanceServer & AsyncDisposable {
  const variants = new Map<string, Promise<ConformanceServer & AsyncDisposable>>();
  const startVariant = async (flags: Readonly<Record<string, string>>, needs: VariantNeeds) => {
    const other = await form.withFlags(flags, needs);
    if (other === undefined) return startConformanceServer(start, flags);
    const own = new AsyncDisposableStack();
    own.use(other);
    const { protocol = 'http/1.1' } = form;
    return conformanceServer({ ...other, protocol }, { start, stack: own });
  };
  stack.defer(async () => {
    for (const variant of variants.values())
      await variant.then(
        server => server[Symbol.asyncDispose](),
        () => {},
      );
  });
  return {
    ...createServer(form, stack),
    variant(flags, needs = {}) {
      const key = JSON.stringify([...Object.entries(flags).sort(), needs]);
      const variant = variants.get(key) ?? startVariant(flags, needs);
      variants.set(key, variant);
      return variant;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Over all servers of this process: a variant may share its store with others. */
let namespaces = 0;

function userLine(user: (typeof users)[number]): string {
  return `${user}-token,${user},u-${user}${user === 'admin' ? ',system:masters' : ''}\n`;
}

function createServer(form: RunningForm, stack: AsyncDisposableStack): Omit<ConformanceServer, 'variant'> {
  const drivers = form.gateways.map(url => stack.use(createHttpDriver(url, form.ca, form.protocol)));
  let turn = 0;
  const driverFor = ({ gateway = turn++ }: Sent = {}) => {
    const driver = drivers[gateway % drivers.length];
    if (driver === undefined) throw new Error('a form without gateways');
    return driver;
  };
  const request: ConformanceServer['request'] = async (method, path, sent) =>
    readAnswer(await driverFor(sent).open(method, path, sent));
  const expect: ConformanceServer['expect'] = async (code, method, path, sent) => {
    const answer = await request(method, path, sent);
    if (answer.code !== code)
      throw new Error(`${method} ${path}: ${answer.code} instead of ${code}: ${answer.text}`);
    return answer;
  };
  return {
    gateways: form.gateways,
    ca: form.ca,
    dataDirectory: form.dataDirectory,
    protocol: form.protocol ?? 'http/1.1',
    request,
    expect,
    watch: async (path, sent) => followWatch(await driverFor(sent).open('GET', path, sent)),
    open: (method, path, sent) => driverFor(sent).open(method, path, sent),
    upgrade: (path, sent) => driverFor(sent).upgrade(path, sent),
    async namespace(labels = {}) {
      const name = `conformance-${++namespaces}`;
      await expect(201, 'POST', '/api/v1/namespaces', { body: { metadata: { name, labels } } });
      return name;
    },
    async restart(gateway) {
      await form.processes[gateway]?.restart();
      await until('the gateway is ready', async () => {
        const answer = await request('GET', '/readyz', { gateway }).catch(() => undefined);
        return answer?.code === 200;
      });
    },
    async log(gateway) {
      const file = form.logFiles?.[gateway] ?? form.processes[gateway]?.logFile;
      if (file === undefined) throw new Error(`there is no gateway ${gateway}`);
      return readFile(file, 'utf8');
    },
    signal(gateway, signal) {
      const pid = form.processes[gateway]?.pid;
      if (pid === undefined) throw new Error(`gateway ${gateway} does not run`);
      process.kill(pid, signal);
    },
  };
}
