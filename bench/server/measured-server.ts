import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '@binnacle/backends';
import { startDistributed } from '@binnacle/compose';
import { pkiPaths } from '@binnacle/service-kit';
import type { LoadTarget } from '../load/protocol.ts';

/** A server under load, and the processes that it consists of. */
export interface MeasuredServer extends AsyncDisposable {
  readonly form: string;
  readonly target: LoadTarget;
  /** A second gateway, for writes; the same one where there is no other. */
  readonly writeTarget: LoadTarget;
  /** A gateway without TLS. */
  readonly plain?: { readonly target: LoadTarget; readonly gateway: string };
  readonly pids: ReadonlyMap<string, number>;
  /** The process that answers the load. */
  readonly gateway: string;
}

/**
 * Starts the distributed form on free ports; its first gateway gets the load. A gateway without TLS beside the others follows
 * the change feed as they do: a comparison of forms goes without it.
 */
export async function startDistributedServer(
  dataDirectory: string,
  { plainGateway }: { readonly plainGateway: boolean },
): Promise<MeasuredServer> {
  const tokenAuthFile = join(dataDirectory, 'tokens.csv');
  const token = randomBytes(24).toString('hex');
  await mkdir(dataDirectory, { recursive: true });
  await writeFile(tokenAuthFile, `${token},bench,bench,system:masters\n`, { mode: 0o600 });
  const form = await startDistributed({
    dataDirectory,
    port: await findFreePort(),
    tokenAuthFile,
    plainGateway,
  });
  return {
    form: 'distributed',
    target: targetOf(dataDirectory, form.gateways[0] ?? ''),
    writeTarget: targetOf(dataDirectory, form.gateways[1] ?? ''),
    ...(form.plainGateway !== undefined && {
      plain: { target: { server: form.plainGateway, token }, gateway: 'gateway-3' },
    }),
    pids: readPids(dataDirectory),
    gateway: 'gateway-1',
    [Symbol.asyncDispose]: () => form.stop(),
  };
}

/** A server that runs already, with its data directory: both local forms keep their process ids there. */
export function attachMeasuredServer(server: string, dataDirectory: string): MeasuredServer {
  const pids = readPids(dataDirectory);
  const gateway = ['gateway-1', 'standalone-1'].find(name => pids.has(name));
  if (!gateway) throw new Error(`no gateway runs on ${dataDirectory}`);
  return {
    form: gateway === 'standalone-1' ? 'standalone' : 'distributed',
    target: targetOf(dataDirectory, server),
    writeTarget: targetOf(dataDirectory, server),
    pids,
    gateway,
    [Symbol.asyncDispose]: async () => {},
  };
}

function targetOf(dataDirectory: string, server: string): LoadTarget {
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
