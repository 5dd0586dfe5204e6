import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '@binnacle/backends';
import { type DistributedOptions, startDistributed } from '@binnacle/compose';
import { pkiPaths } from '@binnacle/tls';
import type { LoadTarget } from '../load/protocol.ts';

/** A server under load, and the processes that it consists of. */
export interface MeasuredServer extends AsyncDisposable {
  readonly form: string;
  readonly target: LoadTarget;
  /** A second gateway, for writes; the same one where there is no other. */
  readonly writeTarget: LoadTarget;
  /** A gateway without TLS. */
  readonly plain?: { readonly target: LoadTarget; readonly gateway: string };
  /** Every gateway with TLS. */
  readonly gateways: readonly LoadTarget[];
  readonly pids: ReadonlyMap<string, number>;
  /** The process that answers the load. */
  readonly gateway: string;
  /** Starts one more gateway: then it is among `gateways`, and its process among `pids`. Only the distributed form has it. */
  addGateway?(): Promise<void>;
}

/** Choices of the distributed form. */
interface DistributedChoices {
  /** A gateway without TLS beside the others. */
  readonly plainGateway: boolean;
  readonly gateways?: number;
  /** The size at which etcd stops accepting writes. */
  readonly etcdQuotaBytes?: number;
  /** Arguments after those of each service. */
  readonly arguments?: NonNullable<DistributedOptions['arguments']>;
}

/**
 * Starts the distributed form on free ports; its first gateway gets the load. A gateway without TLS beside the others follows
 * the change feed as they do: a comparison of forms goes without it.
 */
export async function startDistributedServer(
  dataDirectory: string,
  choices: DistributedChoices,
): Promise<MeasuredServer> {
  const tokenAuthFile = join(dataDirectory, 'tokens.csv');
  const token = randomBytes(24).toString('hex');
  await mkdir(dataDirectory, { recursive: true });
  await writeFile(tokenAuthFile, `${token},bench,bench,system:masters\n`, { mode: 0o600 });
  const form = await startDistributed({
    dataDirectory,
    port: await findFreePort(),
    tokenAuthFile,
    ...choices,
  });
  const gateways = form.gateways.map(gateway => createTarget(dataDirectory, gateway));
  const [target, writeTarget] = [gateways[0], gateways.at(-1)];
  if (target === undefined || writeTarget === undefined) throw new Error('the form has no gateway');
  const pids = readPids(dataDirectory);
  return {
    form: 'distributed',
    target,
    writeTarget,
    gateways,
    ...(form.plainGateway !== undefined && {
      plain: { target: { server: form.plainGateway, token }, gateway: 'gateway-3' },
    }),
    pids,
    gateway: 'gateway-1',
    async addGateway() {
      const { url, process } = await form.addGateway();
      gateways.push(createTarget(dataDirectory, url));
      if (process.pid !== undefined) pids.set(process.name, process.pid);
    },
    [Symbol.asyncDispose]: () => form.stop(),
  };
}

/** A server that runs already, with its data directory: both local forms keep their process ids there. */
export function attachMeasuredServer(server: string, dataDirectory: string): MeasuredServer {
  const pids = readPids(dataDirectory);
  const gateway = ['gateway-1', 'standalone-1'].find(name => pids.has(name));
  if (!gateway) throw new Error(`no gateway runs on ${dataDirectory}`);
  const target = createTarget(dataDirectory, server);
  return {
    form: gateway === 'standalone-1' ? 'standalone' : 'distributed',
    target,
    writeTarget: target,
    gateways: [target],
    pids,
    gateway,
    [Symbol.asyncDispose]: async () => {},
  };
}

function createTarget(dataDirectory: string, server: string): LoadTarget {
  const pki = pkiPaths(join(dataDirectory, 'pki'));
  const client = pki.clientDirectory('admin');
  return { server, caFile: pki.caFile, certFile: join(client, 'tls.crt'), keyFile: join(client, 'tls.key') };
}

function readPids(dataDirectory: string): Map<string, number> {
  const directory = join(dataDirectory, 'run');
  const files = readdirSync(directory).filter(
    file => file.endsWith('.pid') && !file.startsWith('distributed'),
  );
  return new Map(files.map(file => [file.slice(0, -4), Number(readFileSync(join(directory, file), 'utf8'))]));
}
