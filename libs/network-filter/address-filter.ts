import { addressBytes } from './address-bytes.ts';
import { embeddedAddresses } from './embedded-addresses.ts';
import type { KnownHosts } from './known-hosts.ts';
import { type Network, networkHolds, parseNetworks } from './network.ts';

/** Options of an address filter. */
interface AddressFilterOptions {
  /** Networks that are refused besides those that always are. */
  readonly denied: readonly Network[];
  /** Whether this machine's loopback addresses are allowed; default false. */
  readonly allowLoopback?: boolean | undefined;
  /** Whether link-local addresses, where clouds have their metadata services, are allowed; default false. */
  readonly allowLinkLocal?: boolean | undefined;
  /** The machines that this process itself depends on, which are refused too. */
  readonly backends?: Pick<KnownHosts, 'isKnown'> | undefined;
}

/**
 * Decides on the addresses that this server connects to at the wish of others.
 *
 * Loopback, link-local, site-local, unspecified, multicast, reserved and broadcast addresses are refused, and so are the
 * networks and machines that the filter was made with. What is refused as an IPv4 address is refused in every form of
 * IPv6 address that leads to it.
 */
export interface AddressFilter {
  /** Why an address is refused, in words that follow its name ("is a loopback address"); undefined: it is allowed. */
  refusal(address: string, port?: number): string | undefined;
}

interface Rule {
  readonly networks: readonly Network[];
  readonly refusal: string;
}

const loopback: Rule = {
  networks: parseNetworks(['127.0.0.0/8', '::1/128']),
  refusal: 'is a loopback address',
};
const linkLocal: Rule = {
  networks: parseNetworks(['169.254.0.0/16', 'fe80::/10']),
  refusal: 'is a link-local address',
};
const always: readonly Rule[] = [
  { networks: parseNetworks(['0.0.0.0/8', '::/128']), refusal: 'is an unspecified address' },
  { networks: parseNetworks(['fec0::/10']), refusal: 'is a site-local address' },
  { networks: parseNetworks(['224.0.0.0/4', 'ff00::/8']), refusal: 'is a multicast address' },
  { networks: parseNetworks(['240.0.0.0/4']), refusal: 'is a reserved address' },
];

/** Creates a filter. */
export function createAddressFilter(options: AddressFilterOptions): AddressFilter {
  const { denied, allowLoopback = false, allowLinkLocal = false, backends } = options;
  const rules = [
    ...always,
    ...(allowLoopback ? [] : [loopback]),
    ...(allowLinkLocal ? [] : [linkLocal]),
    { networks: denied, refusal: 'is in a denied network' },
  ];
  return {
    refusal(address, port) {
      const bytes = addressBytes(address);
      if (bytes === undefined) return 'is not an IP address';
      for (const form of [bytes, ...embeddedAddresses(bytes)]) {
        const rule = rules.find(({ networks }) => networks.some(network => networkHolds(network, form)));
        if (rule !== undefined) return rule.refusal;
        // On a loopback address the other ports belong to other programs.
        const isShared = loopback.networks.some(network => networkHolds(network, form));
        if (backends?.isKnown(form, isShared ? port : undefined))
          return 'is an address of the control plane itself';
      }
      return undefined;
    },
  };
}
