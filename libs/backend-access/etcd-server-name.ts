import { isIP } from 'node:net';

/** What the etcd library and gRPC do not show of their connections. */
interface ClientInternals {
  readonly pool: { readonly hosts: readonly { readonly channelCredentials: ChannelCredentials }[] };
}
interface ChannelCredentials {
  _createSecureConnector?: (...of: unknown[]) => SecureConnector;
}
interface SecureConnector {
  readonly connectionOptions?: { host?: string; servername?: string };
}

/**
 * Has a client of the etcd library send no server name to a member that is found by its address: no server name is an address
 * (RFC 6066, section 3), and Node warns of one that is. Node compares the certificate with the host where there is no server name.
 */
export function leaveOutServerNames(client: object): void {
  const { hosts } = (client as ClientInternals).pool; // The tests of server names fail where this changes.
  for (const { channelCredentials } of new Map(hosts.map(host => [host.channelCredentials, host])).values()) {
    const create = channelCredentials._createSecureConnector?.bind(channelCredentials);
    if (create === undefined) continue;
    channelCredentials._createSecureConnector = (...of) => {
      const connector = create(...of);
      const options = connector.connectionOptions;
      if (options?.host !== undefined && isIP(options.host) !== 0) delete options.servername;
      return connector;
    };
  }
}
