import { resolve } from 'node:path';
import { installBackends } from '@binnacle/backends';
import { untilAborted } from '@binnacle/event-loop';
import { booleanFlag, integerFlag, parseProgramFlags, stringFlag } from '@binnacle/flags';
import { errorMessage } from '@binnacle/status-errors';
import { controlSocketFile, serveControlSocket } from './control-socket.ts';
import { mostGateways } from './service-instances.ts';
import { startDistributed } from './start-distributed.ts';
import { restartByName, Supervisor } from './supervise.ts';

const flags = {
  ha: booleanFlag({
    description: 'Starts three members of etcd and three brokers of Kafka instead of one.',
    default: false,
  }),
  dataDir: stringFlag({
    description: 'Folder that holds all state: admin.conf, pki, the stores, run.',
    default: '.binnacle',
  }),
  port: integerFlag({
    description: 'Port of the first gateway; the other gateways have the next ones, then the load balancer.',
    default: 6443,
    min: 1,
    max: 65_535 - mostGateways,
  }),
  gateways: integerFlag({ description: 'Gateways.', default: 2, min: 1, max: mostGateways }),
  tokenAuthFile: stringFlag({
    description: 'File of users by bearer token, in the format of kube-apiserver.',
  }),
};

/**
 * Runs the distributed form in the foreground until it is told to end. A process that ends by itself is started again, and
 * `make restart POD=gateway-1` restarts one.
 */
async function main(): Promise<void> {
  const { ha, dataDir: dataDirectory, port, gateways, tokenAuthFile } = parseProgramFlags(flags);
  const interruption = new AbortController();
  const ended = untilAborted(interruption.signal);
  // A second signal changes nothing: the first one already ends all, within 20 seconds.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interruption.abort());
  const keepAlive = setInterval(() => {}, 60_000);
  let supervisor: Supervisor | undefined;
  try {
    await installBackends(['etcd', 'redis', 'kafka'], line => console.log(line));
    await using distributed = await startDistributed({
      dataDirectory,
      port,
      gateways,
      ha,
      balancer: true,
      signal: interruption.signal,
      ...(tokenAuthFile ? { tokenAuthFile } : {}),
      onUnexpectedExit(description, managed) {
        console.error(description);
        supervisor?.ended(managed);
      },
    });
    await using watching = new Supervisor({ report: text => console.error(text) });
    supervisor = watching;
    for (const managed of distributed.processes.values()) if (!managed.running) watching.ended(managed);
    await using _ = await serveControlSocket(controlSocketFile(dataDirectory), name =>
      restartByName(name, distributed, watching),
    );
    const configuration = resolve(dataDirectory, 'admin.conf');
    console.log(`Binnacle is ready: ${distributed.gateways.join(', ')}; export KUBECONFIG=${configuration}`);
    console.log(
      distributed.balancer === undefined
        ? 'There is no load balancer: HAProxy is not installed (Debian: apt-get install haproxy)'
        : `A load balancer is before the gateways: ${distributed.balancer}`,
    );
    await ended;
  } catch (error) {
    // An interrupted start is an end that was asked for.
    if (!interruption.signal.aborted) throw error;
  } finally {
    clearInterval(keepAlive);
  }
}

try {
  await main();
} catch (error) {
  console.error(errorMessage(error));
  process.exitCode = 1;
}
