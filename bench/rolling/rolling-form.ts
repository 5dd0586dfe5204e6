import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { groups } from '@binnacle/api-names';
import type { ApiObject } from '@binnacle/api-objects';
import { findFreePort } from '@binnacle/backends';
import { type ApiClient, createApiClient, loadClientConfiguration } from '@binnacle/client';
import { type Distributed, startDistributed } from '@binnacle/compose';
import { pkiPaths } from '@binnacle/tls';
import { startHooks } from '../stalls/hook-server.ts';
import type { FollowFigures } from './followed-watches.ts';
import { LoadClient } from './load-client.ts';
import { GatewayTurns, ReadyGateways } from './ready-gateways.ts';
import { RollingWrites } from './rolling-writes.ts';
import { WatchProcess } from './watch-process.ts';

/** Options of a form under load. */
interface RollingOptions {
  /** Holds everything. */
  readonly directory: string;
  readonly gateways: number;
  /** Connections that the writes share. */
  readonly writeConnections: number;
  readonly watchers: number;
  /** Connections that the watches share, and processes that hold them. */
  readonly watchConnections: number;
  readonly watchProcesses: number;
  /** Shortest seconds that a watch asks for. */
  readonly watchTimeout: number;
  /** Namespaces that the writes and watches are spread over. */
  readonly namespaces: number;
  /** Chance of a GOAWAY with each request. */
  readonly goawayChance: number;
}

/** A distributed form with writes and watches that go on. */
export interface RollingForm extends AsyncDisposable {
  readonly form: Distributed;
  /** The gateways that clients connect to. */
  readonly ready: ReadyGateways;
  readonly writes: RollingWrites;
  readonly watches: readonly WatchProcess[];
  /** Requests of writers that were sent again because they were not processed. */
  resent(): number;
  /** The figures of all watches since the last call. */
  takeFigures(): Promise<FollowFigures>;
}

/** The users of the load: no administrators, so that flow control and roles apply. */
const usersGroup = 'rolling';
const users = 40;
/** Longer than any service takes by itself. */
const stopTimeoutMs = 20_000;

/** Starts the form and the load; resolves when all watches are open, and one write a second is made. */
export async function startRollingForm(options: RollingOptions): Promise<RollingForm> {
  const { directory, namespaces, watchProcesses } = options;
  await using stack = new AsyncDisposableStack();
  const tokens = Array.from({ length: users }, () => randomBytes(16).toString('hex'));
  const tokenAuthFile = join(directory, 'tokens.csv');
  const lines = tokens.map((token, index) => `${token},user-${index},user-${index},${usersGroup}\n`);
  await writeFile(tokenAuthFile, lines.join(''), { mode: 0o600 });
  const hooks = stack.use(await startHooks(join(directory, 'hooks')));
  const dataDirectory = join(directory, 'form');
  const form = stack.use(
    await startDistributed({
      dataDirectory,
      port: await findFreePort(),
      gateways: options.gateways,
      tokenAuthFile,
      stopTimeoutMs,
      arguments: {
        gateway: [
          // Longer than the checks of readiness take.
          '--shutdown-delay-duration=1s',
          // The default of gateways: watches end within half of it.
          '--shutdown-drain-duration=10s',
          `--goaway-chance=${options.goawayChance}`,
        ],
        // Namespaces hold the config maps of the load, and no others.
        'controller-manager': ['--controllers=*,-root-ca-cert-publisher'],
        'webhook-dispatch': ['--allow-loopback-webhooks=true'],
      },
    }),
  );
  const configuration = loadClientConfiguration(form.adminConfiguration);
  await using admin = createApiClient({ configuration, userAgent: 'rolling' });
  const collections = await createCollections(admin, namespaces);
  await allowUsers(admin);
  await registerWebhook(admin, { url: `${hooks.url}/allow`, caBundle: hooks.caBundle });
  const watches = Array.from({ length: watchProcesses }, () => stack.use(new WatchProcess()));
  const turns = new GatewayTurns();
  const ready = stack.use(
    new ReadyGateways(gateways => {
      turns.use(gateways);
      for (const process of watches) process.use(gateways);
    }),
  );
  for (const gateway of form.gateways) await ready.add(gateway);
  const ca = await readFile(pkiPaths(join(dataDirectory, 'pki')).caFile, 'utf8');
  const user = (number: number) => ({ ca, token: tokens[number % users] ?? '' });
  const { metadata } = await admin.request<ApiObject>({ method: 'GET', path: '/api/v1/configmaps?limit=1' });
  const each = (all: number, process: number) => Math.floor((all + process) / watchProcesses);
  await Promise.all(
    watches.map((process, index) =>
      process.open({
        servers: Array.from({ length: each(options.watchConnections, index) }, (_, number) => user(number)),
        collections: Array.from(
          { length: each(options.watchers, index) },
          (_, number) => collections[number % namespaces] ?? '',
        ),
        version: metadata.resourceVersion ?? '',
        timeoutSeconds: options.watchTimeout,
      }),
    ),
  );
  const clients = Array.from({ length: options.writeConnections }, (_, number) =>
    stack.use(new LoadClient({ ...user(number), gateways: turns })),
  );
  const writes = new RollingWrites({ clients, collections });
  await writes.fill();
  writes.start();
  stack.defer(() => writes.stop());
  const owned = stack.move();
  return {
    ...{ form, ready, writes, watches },
    resent: () => clients.reduce((sum, { resent }) => sum + resent, 0),
    takeFigures: async () => sumFigures(await Promise.all(watches.map(process => process.take()))),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function createCollections(admin: ApiClient, namespaces: number): Promise<string[]> {
  const path = '/api/v1/namespaces';
  const names = Array.from({ length: namespaces }, (_, index) => `rolling-${index}`);
  for (const name of names) await admin.request({ method: 'POST', path, body: { metadata: { name } } });
  return names.map(name => `${path}/${name}/configmaps`);
}

async function allowUsers(admin: ApiClient): Promise<void> {
  const apiGroup = groups.rbac;
  await admin.request({
    method: 'POST',
    path: `/apis/${apiGroup}/v1/clusterrolebindings`,
    body: {
      metadata: { name: usersGroup },
      roleRef: { apiGroup, kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ apiGroup, kind: 'Group', name: usersGroup }],
    },
  });
}

/** Registers a webhook that reviews each creation. */
async function registerWebhook(
  admin: ApiClient,
  clientConfig: { readonly url: string; readonly caBundle: string },
): Promise<void> {
  await admin.request({
    method: 'POST',
    path: `/apis/${groups.admissionregistration}/v1/validatingwebhookconfigurations`,
    body: {
      metadata: { name: 'rolling' },
      webhooks: [
        {
          name: 'allow.rolling.test',
          clientConfig,
          rules: [
            { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] },
          ],
          failurePolicy: 'Fail',
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    },
  });
}

function sumFigures(all: readonly FollowFigures[]): FollowFigures {
  const sum = (pick: (figures: FollowFigures) => number) =>
    all.reduce((total, each) => total + pick(each), 0);
  const refused: Record<string, number> = {};
  for (const each of all)
    for (const [what, count] of Object.entries(each.refused)) refused[what] = (refused[what] ?? 0) + count;
  return {
    ended: sum(each => each.ended),
    endedWithoutBookmark: sum(each => each.endedWithoutBookmark),
    brokenOff: sum(each => each.brokenOff),
    expired: sum(each => each.expired),
    refused,
    repeated: sum(each => each.repeated),
    gapsMs: all.flatMap(({ gapsMs }) => gapsMs),
    delaysMs: all.flatMap(({ delaysMs }) => delaysMs),
    longestDelayMs: Math.max(...all.map(({ longestDelayMs }) => longestDelayMs)),
  };
}
