import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import {
  type ManagedProcess,
  type ManagedProcessOptions,
  pollUntil,
  startManagedProcess,
} from '@binnacle/backends';

const configurationFile = join(import.meta.dirname, 'haproxy.cfg');

/** The ports that the local load balancer listens on and passes connections to; all on 127.0.0.1. */
interface LocalBalancerPorts {
  readonly port: number;
  readonly gateways: readonly number[];
}

/** Options of the local load balancer. */
interface LocalBalancerOptions
  extends LocalBalancerPorts,
    Omit<ManagedProcessOptions, 'name' | 'command' | 'arguments' | 'environment' | 'ready'> {
  /** Gets the configuration. */
  readonly directory: string;
}

/** Connections at a time; the containers' number needs more descriptors than a session of a user may have. */
const maxConnections = 400;

/** The program of HAProxy; undefined where it is not installed. Debian has it outside the search path of users. */
export function haproxyProgram(): string | undefined {
  return ['/usr/sbin/haproxy', '/usr/bin/haproxy', '/usr/local/sbin/haproxy'].find(existsSync);
}

/**
 * The address from which the local load balancer connects to gateways: its connections begin with a header of the PROXY
 * protocol, those of clients that come to a gateway directly do not.
 */
export const localBalancerAddress = '127.0.0.2';

/**
 * The configuration of the containers' load balancer with the addresses of this machine: the one port, and a server for
 * each gateway instead of those that a name server knows. What a container's health check asks is left out.
 *
 * Throws when the configuration has no line to put them in.
 */
export function localBalancerText(text: string, { port, gateways }: LocalBalancerPorts): string {
  const lines = text.replace(/^frontend health\n(?:(?: .*)?\n)*/m, '');
  const [line, indent = '', options = ''] = /^( *)server-template +\S+ +\S+ +\S+(.*)$/m.exec(lines) ?? [];
  const bind = /^( *)bind +.*$/gm;
  if (line === undefined || lines.match(bind)?.length !== 1)
    throw new Error(`${configurationFile} must have one "bind" and one "server-template"`);
  const kept = options.replace(/ (resolvers|init-addr|resolve-prefer|resolve-opts) +\S+/g, '');
  const servers = gateways.map(
    (gateway, index) =>
      `${indent}server gateway-${index + 1} 127.0.0.1:${gateway} source ${localBalancerAddress}${kept}`,
  );
  return lines.replace(line, () => servers.join('\n')).replace(bind, `$1bind 127.0.0.1:${port}`);
}

/** Starts HAProxy before the gateways; resolves once it accepts connections. Undefined where it is not installed. */
export async function startLocalBalancer(options: LocalBalancerOptions): Promise<ManagedProcess | undefined> {
  const { directory, port, gateways, ...managed } = options;
  const command = haproxyProgram();
  if (command === undefined) return undefined;
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'haproxy.cfg');
  writeFileSync(file, localBalancerText(readFileSync(configurationFile, 'utf8'), { port, gateways }));
  return startManagedProcess({
    ...managed,
    name: 'balancer-1',
    command,
    arguments: ['-db', '-n', String(maxConnections), '-f', file],
    ready: signal => pollUntil(`port ${port} to accept connections`, () => accepts(port), { signal }),
  });
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', reject);
  });
}
