import type { Server } from 'node:net';
import { Refusal } from '@binnacle/backend-access';

/** The address on which a server listens. */
interface ListenAddress {
  readonly host: string;
  /** 0 chooses a free port. */
  readonly port: number;
  /** The settings of host and port, as error messages name them: `--port (BINNACLE_PORT)`. Default: generic names. */
  readonly settings?: { readonly host: string; readonly port: string };
}

/**
 * Starts listening; resolves with the port. Rejects with a Refusal that names the setting and the remedy if the address
 * is in use, not permitted or not local.
 */
export function listen(server: Server, address: ListenAddress): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(listenError(error, address));
    server.once('error', fail);
    server.listen(address.port, address.host, () => {
      server.off('error', fail);
      const bound = server.address();
      resolve(typeof bound === 'object' && bound !== null ? bound.port : address.port);
    });
  });
}

const unnamedSettings = { host: 'the address', port: 'the port' };

function listenError(error: NodeJS.ErrnoException, address: ListenAddress): Error {
  const { host, port, settings = unnamedSettings } = address;
  const refuse = (message: string) => new Refusal(message, { cause: error });
  const place = `port ${port} of ${host}`;
  switch (error.code) {
    case 'EADDRINUSE':
      return refuse(`${place} is in use by another process: end it, or set ${settings.port} to another port`);
    case 'EACCES':
      return refuse(
        `${place} is not open to this user: set ${settings.port} to 1024 or more, or give the process CAP_NET_BIND_SERVICE`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return refuse(
        `${host} is not an address of this machine: set ${settings.host} to one of its addresses`,
      );
    default:
      return error;
  }
}
