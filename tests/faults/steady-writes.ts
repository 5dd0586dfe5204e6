import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiClient, createApiClient, loadClientConfiguration } from '@binnacle/client';
import type { Distributed } from '@binnacle/compose';
import { StatusError } from '@binnacle/status-errors';

/** How many writes ended how: by the code of the answer, or by the message of what went wrong before one. */
export type WriteOutcomes = Readonly<Record<string, number>>;

/** Writes that go on at a steady rate. */
export interface SteadyWrites {
  /** Writes that were begun. */
  readonly begun: number;
  /** Those that were answered 201, in the order of their answers. */
  readonly created: readonly string[];
  /** Begins no more, waits for those under way, and counts. */
  stop(): Promise<WriteOutcomes>;
}

/** Who writes, where and how often. */
export interface SteadyWriteOptions {
  readonly clients: readonly ApiClient[];
  readonly perSecond: number;
  /** The namespaced collection of config maps. */
  readonly collection: string;
}

/** Creates config maps at a steady rate, by each client in turn. */
export function startWrites({ clients, perSecond, collection }: SteadyWriteOptions): SteadyWrites {
  const outcomes: Record<string, number> = {};
  const created: string[] = [];
  const pending = new Set<Promise<void>>();
  const startedAt = performance.now();
  let begun = 0;
  let isOver = false;
  const write = async (client: ApiClient, name: string): Promise<void> => {
    const outcome = await create(client, collection, name);
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    if (outcome === '201') created.push(name);
  };
  const running = (async () => {
    while (!isOver) {
      const due = Math.floor(((performance.now() - startedAt) / 1000) * perSecond);
      for (; begun < due; begun++) {
        const client = clients[begun % clients.length];
        if (client === undefined) throw new Error('there are no clients');
        const writing = write(client, `write-${begun}`).finally(() => pending.delete(writing));
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
    async stop() {
      isOver = true;
      await running;
      await Promise.all(pending);
      return outcomes;
    },
  };
}

async function create(client: ApiClient, collection: string, name: string): Promise<string> {
  const body = { metadata: { name }, data: { text: 'x'.repeat(200) } };
  try {
    await client.request({ method: 'POST', path: collection, body });
    return '201';
  } catch (error) {
    return error instanceof StatusError ? `${error.code} ${error.message}` : String(error);
  }
}

/** Clients of service accounts that may do everything, several for each server; their tokens are reviewed for each request. */
export async function accountClients(form: Distributed, servers: readonly string[]): Promise<ApiClient[]> {
  const configuration = loadClientConfiguration(form.adminConfiguration);
  await using admin = createApiClient({ configuration, userAgent: 'faults' });
  const post = <T>(path: string, body: object) => admin.request<T>({ method: 'POST', path, body });
  await post('/apis/rbac.authorization.cluster.io/v1/clusterrolebindings', {
    metadata: { name: 'writers' },
    roleRef: { apiGroup: 'rbac.authorization.cluster.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [
      { kind: 'Group', apiGroup: 'rbac.authorization.cluster.io', name: 'system:serviceaccounts:default' },
    ],
  });
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  const clients: ApiClient[] = [];
  for (const server of servers) {
    for (let number = 1; number <= accountsPerServer; number++) {
      const name = `writer-${servers.indexOf(server)}-${number}`;
      await post(accounts, { metadata: { name } });
      const { status } = await post<{ status: { token: string } }>(`${accounts}/${name}/token`, { spec: {} });
      const { certificateAuthority } = configuration;
      if (certificateAuthority === undefined) throw new Error('the administrator trusts no authority');
      const access = { servers: [server], certificateAuthority, token: status.token };
      clients.push(createApiClient({ configuration: access, userAgent: 'faults' }));
    }
  }
  return clients;
}

const accountsPerServer = 5;
