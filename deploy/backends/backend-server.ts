import { join } from 'node:path';
import { createDataDirectory } from './data-directory.ts';
import { findFreePorts } from './free-port.ts';
import { type ManagedProcess, type ManagedProcessOptions, startManagedProcess } from './managed-process.ts';

/** Options of every backend server. */
export interface BackendOptions {
  /** Names the process in messages and files; the backend's own name and `-1` by default. */
  readonly name?: string;
  /** The port for clients; a free one by default. */
  readonly port?: number;
  /** Holds the data and outlives the server; by default a temporary folder that goes with `dispose`. */
  readonly dataDirectory?: string;
  /** `<data folder>/server.log` by default. */
  readonly logFile?: string;
  readonly pidFile?: string;
  /** Added to the environment of the server. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Ends a start that is under way. */
  readonly signal?: AbortSignal;
  /** Milliseconds between the stop signal and SIGKILL; 10,000 by default. */
  readonly stopTimeoutMs?: number;
  /** Called with the process when the server ends by itself. */
  onUnexpectedExit?(description: string, managed: ManagedProcess): void;
}

/** A running backend server that can be killed and started again on the same port and data. */
export interface BackendServer extends ManagedProcess {
  /** The port for clients. */
  readonly port: number;
  /** `host:port` for clients. */
  readonly address: string;
  readonly dataDirectory: string;
}

/** The place of a backend server in a cluster of several on this machine. */
export interface ClusterMember {
  /** From 1. */
  readonly number: number;
  /** The port on which it listens for the other members. */
  readonly peerPort: number;
  /** The ports at which members reach each other, in the order of their numbers: their own, or those of links before them. */
  readonly peers: readonly number[];
}

/** The parts of a server that differ between backends. */
interface BackendDescription {
  readonly name: string;
  /** Number of ports besides the one for clients. */
  readonly extraPorts: number;
  /** Builds the process from the ports (the one for clients first); may prepare the data folder. */
  prepare(
    ports: readonly number[],
    dataDirectory: string,
  ): Promise<Pick<ManagedProcessOptions, 'command' | 'arguments' | 'environment' | 'ready'>>;
}

/**
 * Starts a backend server on 127.0.0.1 and waits until it serves. Where the ports are free to choose, a
 * start that fails is retried on other ports: between the choice and the start another process may take
 * one. Disposing stops the server and removes a temporary data folder; `stop` and `kill` keep the folder.
 */
export async function startBackend(
  description: BackendDescription,
  options: BackendOptions,
): Promise<BackendServer> {
  const attempts = options.port === undefined ? 3 : 1;
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(description, options);
    } catch (error) {
      if (attempt >= attempts || options.signal?.aborted) throw error;
    }
  }
}

async function startOnce(description: BackendDescription, options: BackendOptions): Promise<BackendServer> {
  const data = createDataDirectory(description.name, options.dataDirectory);
  const port = options.port ?? (await findFreePorts(1))[0]!; // One was asked for.
  const ports = [port, ...(await findFreePorts(description.extraPorts))];
  try {
    const { onUnexpectedExit } = options;
    const prepared = await description.prepare(ports, data.path);
    const managed = await startManagedProcess({
      ...prepared,
      environment: { ...prepared.environment, ...options.environment },
      name: options.name ?? `${description.name}-1`,
      logFile: options.logFile ?? join(data.path, 'server.log'),
      ...(options.pidFile === undefined ? {} : { pidFile: options.pidFile }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      ...(options.stopTimeoutMs === undefined ? {} : { stopTimeoutMs: options.stopTimeoutMs }),
      ...(onUnexpectedExit === undefined ? {} : { onUnexpectedExit }),
    });
    return serverFrom(managed, port, data);
  } catch (error) {
    data.remove();
    throw error;
  }
}

function serverFrom(
  managed: ManagedProcess,
  port: number,
  data: { readonly path: string; remove(): void },
): BackendServer {
  return {
    name: managed.name,
    logFile: managed.logFile,
    port,
    address: `127.0.0.1:${port}`,
    dataDirectory: data.path,
    get pid() {
      return managed.pid;
    },
    get running() {
      return managed.running;
    },
    get ending() {
      return managed.ending;
    },
    stop: signal => managed.stop(signal),
    kill: () => managed.kill(),
    restart: () => managed.restart(),
    async [Symbol.asyncDispose]() {
      await managed.stop();
      data.remove();
    },
  };
}
