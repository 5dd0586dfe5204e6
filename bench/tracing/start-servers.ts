import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { groups } from '@binnacle/api-names';
import { findFreePort } from '@binnacle/backends';
import type { CountCommand, Counts } from '../ceremony/counts.ts';
import type { LoadTarget } from '../load/protocol.ts';
import { attachMeasuredServer, startDistributedServer } from '../server/measured-server.ts';

/** Servers of one form, in the same processes. */
interface TracedServers extends AsyncDisposable {
  /** The last one records traces. */
  readonly targets: readonly LoadTarget[];
  /** The processes that requests pass through, without backends. */
  readonly pids: ReadonlyMap<string, number>;
  /** Counts in the process; undefined where there are several. */
  readonly ask?: (command: CountCommand) => Promise<Counts>;
}

/** Starts three servers of the standalone form in one process, of which two have no traces. */
export async function startStandaloneServers(directory: string): Promise<TracedServers> {
  await using stack = new AsyncDisposableStack();
  const traced = [`--tracing-config-file=${await startCollector(directory, stack)}`];
  const flags: string[][] = [];
  for (const tracing of [[], [], traced]) {
    const folder = join(directory, `server-${flags.length + 1}`);
    flags.push([`--data-dir=${folder}`, `--port=${await findFreePort()}`, '--log-level=error', ...tracing]);
  }
  const child = fork(
    join(import.meta.dirname, 'serve-standalone.ts'),
    flags.map(line => JSON.stringify(line)),
  );
  stack.defer(async () => {
    const ended = once(child, 'exit');
    if (child.kill('SIGTERM')) await ended;
  });
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`the servers ended with ${code}`);
  });
  failed.catch(() => {});
  const answer = async () => (await Promise.race([once(child, 'message'), failed]))[0] as unknown;
  const urls = (await answer()) as string[]; // The first message.
  const running = stack.move();
  return {
    targets: urls.map(
      (url, index) => attachMeasuredServer(url, join(directory, `server-${index + 1}`)).target,
    ),
    pids: new Map(child.pid === undefined ? [] : [['standalone', child.pid]]),
    async ask(command) {
      const answered = answer();
      child.send(command);
      return (await answered) as Counts; // The answer to `stop`; no other is looked at.
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Starts the distributed form, of which every service that requests pass through records traces. */
export async function startTracedServices(directory: string): Promise<TracedServers> {
  await using stack = new AsyncDisposableStack();
  const traced = [`--tracing-config-file=${await startCollector(directory, stack)}`];
  const { target, pids } = stack.use(
    await startDistributedServer(join(directory, 'form'), {
      plainGateway: false,
      arguments: { gateway: traced, admission: traced, storage: traced },
    }),
  );
  const running = stack.move();
  return {
    targets: [target],
    pids: new Map([...pids].filter(([name]) => /^(gateway|admission|storage)-/.test(name))),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/**
 * Starts a collector that takes every request over gRPC and looks at none. Returns a configuration that sends spans there and draws for
 * every request that brings no trace, of which it samples one in a million.
 */
async function startCollector(directory: string, stack: AsyncDisposableStack): Promise<string> {
  const collector = createServer();
  collector.on('stream', stream => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.on('error', () => {});
    // A message without fields: not compressed, of no bytes.
    stream.resume().on('end', () => stream.end(Buffer.alloc(5)));
  });
  await new Promise<void>(resolve => collector.listen(0, '127.0.0.1', resolve));
  stack.defer(() => void collector.close());
  const { port } = collector.address() as AddressInfo; // It listens on a port.
  const file = join(directory, 'tracing.yaml');
  await writeFile(
    file,
    `{ apiVersion: ${groups.apiserverConfig}/v1alpha1, kind: TracingConfiguration, endpoint: '127.0.0.1:${port}', samplingRatePerMillion: 1 }`,
  );
  return file;
}
