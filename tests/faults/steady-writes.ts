import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ApiClient,
  type ClientConfiguration,
  createApiClient,
  loadClientConfiguration,
} from '@binnacle/client';
import type { Distributed } from '@binnacle/compose';
import { StatusError } from '@binnacle/status-errors';

/** How many writes ended how: by the code of the answer, or by the message of what went wrong before one. */
type WriteOutcomes = Readonly<Record<string, number>>;

/** Writes that go on at a steady rate. */
export interface SteadyWrites {
  /** Writes that were begun. */
  readonly begun: number;
  /** Those that were answered 201, in the order of their answers. */
  readonly created: readonly string[];
  /** Those that were sent again because their connection was cut. */
  readonly retried: number;
  /** Begins no more, waits for those under way, and counts. */
  stop(): Promise<WriteOutcomes>;
}

/** Who writes, where and how often. */
interface SteadyWriteOptions {
  readonly clients: readonly ApiClient[];
  readonly perSecond: number;
  /** Namespaced collections, of config maps or secrets: each gets every n-th write, `<prefix>-<n>`. */
  readonly collections: readonly string[];
  /** Of the names; default: `write`. */
  readonly prefix?: string;
  /**
   * Opens a client by which a write is sent again whose connection is cut, over a new connection, a few times with growing
   * pauses, as clients do; that it exists by then is success. Default: such a write has failed.
   */
  readonly openForRetry?: () => ApiClient;
}

/** Creates objects at a steady rate, by each client in turn; fewer while many are under way. */
export function startWrites(options: SteadyWriteOptions): SteadyWrites {
  const { clients, perSecond, collections, prefix = 'write', openForRetry } = options;
  const outcomes: Record<string, number> = {};
  const created: string[] = [];
  const pending = new Set<Promise<void>>();
  const startedAt = performance.now();
  let begun = 0;
  let left = 0;
  let retried = 0;
  let isOver = false;
  const write = async (client: ApiClient, number: number): Promise<void> => {
    const collection = itemAt(collections, number);
    const name = `${prefix}-${number}`;
    let outcome = await create(client, collection, name);
    if (openForRetry && isCut(outcome)) retried++;
    for (let attempt = 0; attempt < mostRepeats && openForRetry && isCut(outcome); attempt++) {
      await sleep(retryPauseMs * 2 ** attempt);
      await using other = openForRetry();
      outcome = await create(other, collection, name);
      if (outcome.startsWith('409 ')) outcome = '201';
    }
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    if (outcome === '201') created.push(name);
  };
  const running = (async () => {
    while (!isOver) {
      const due = Math.floor(((performance.now() - startedAt) / 1000) * perSecond);
      // A machine that is busy otherwise gets no more than it bears, rather than a queue that grows.
      for (; begun + left < due; begun++) {
        if (pending.size >= maxPending) {
          left = due - begun;
          break;
        }
        const writing = write(itemAt(clients, begun), begun).finally(() => pending.delete(writing));
        pending.add(writing);
      }
      await sleep(1000 / perSecond);
    }
  })();
  return {
    get begun() {
      return begun;
    },
    created,
    get retried() {
      return retried;
    },
    async stop() {
      isOver = true;
      await running;
      await Promise.all(pending);
      return outcomes;
    },
  };
}

/** The item whose turn it is. */
export function itemAt<T>(items: readonly T[], number: number): T {
  const item = items[number % items.length];
  if (item === undefined) throw new RangeError('there is nothing to choose from');
  return item;
}

const isCut = (outcome: string) => outcome.includes('cannot reach');

async function create(client: ApiClient, collection: string, name: string): Promise<string> {
  const body = { metadata: { name, annotations: { text: 'x'.repeat(200) } } };
  try {
    await client.request({ method: 'POST', path: collection, body });
    return '201';
  } catch (error) {
    return error instanceof StatusError ? `${error.code} ${error.message}` : String(error);
  }
}

/** Service accounts that may do everything, several for each server; their tokens are reviewed for each request. */
export async function createAccounts(
  form: Distributed,
  servers: readonly string[],
): Promise<ClientConfiguration[]> {
  const configuration = loadClientConfiguration(form.adminConfiguration);
  await using admin = createApiClient({ configuration, userAgent: 'faults' });
  const post = <T>(path: string, body: object) => admin.request<T>({ method: 'POST', path, body });
  const { metadata } = await post<{ metadata: { name: string } }>('/api/v1/namespaces', {
    metadata: { generateName: 'writers-' },
  });
  const namespace = metadata.name;
  await post('/apis/rbac.authorization.cluster.io/v1/clusterrolebindings', {
    metadata: { name: namespace },
    roleRef: { apiGroup: 'rbac.authorization.cluster.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [
      {
        kind: 'Group',
        apiGroup: 'rbac.authorization.cluster.io',
        name: `system:serviceaccounts:${namespace}`,
      },
    ],
  });
  const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
  const configurations: ClientConfiguration[] = [];
  for (const server of servers) {
    for (let number = 1; number <= accountsPerServer; number++) {
      const name = `writer-${servers.indexOf(server)}-${number}`;
      await post(accounts, { metadata: { name } });
      const { status } = await post<{ status: { token: string } }>(`${accounts}/${name}/token`, { spec: {} });
      const { certificateAuthority } = configuration;
      if (certificateAuthority === undefined) throw new Error('the administrator trusts no authority');
      configurations.push({ servers: [server], certificateAuthority, token: status.token });
    }
  }
  return configurations;
}

/** A client of each of these accounts. */
export async function accountClients(form: Distributed, servers: readonly string[]): Promise<ApiClient[]> {
  const accounts = await createAccounts(form, servers);
  return accounts.map(configuration => createApiClient({ configuration, userAgent: 'faults' }));
}

const accountsPerServer = 5;

/** Writes under way at most. */
const maxPending = 64;

/** A server that is killed takes a while to die on a busy machine, and connections that are made meanwhile are cut too. */
const retryPauseMs = 100;
const mostRepeats = 5;
