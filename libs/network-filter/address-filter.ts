import { addressBytes } from './address-bytes.ts';
import { embeddedAddresses } from './embedded-addresses.ts';
import type { KnownHosts } from './known-hosts.ts';
import { type Network, networkHolds, parseNetworks } from './network.ts';

/** Options of an address filter. */
interface AddressFilterOptions {
  /** Networks that are refused besides the built-in ones. */
  readonly denied: readonly Network[];
  /** Whether loopback addresses are allowed; default: false. */
  readonly allowLoopback?: boolean | undefined;
  /** Whether link-local addresses, such as cloud metadata services, are allowed; default: false. */
  readonly allowLinkLocal?: boolean | undefined;
  /** Hosts that this process depends on; their addresses are refused too. */
  readonly backends?: Pick<KnownHosts, 'isKnown'> | undefined;
}

/**
 * Decides to which addresses this server may connect on behalf of users.
 *
 * Loopback, link-local, site-local, unspecified, multicast, reserved and broadcast addresses are refused, as are the
 * denied networks and backends of the options. An IPv4 address that is refused is also refused in every IPv6 form that
 * leads to it.
 */
export interface AddressFilter {
  /** Returns why an address is refused, as a predicate ("is a loopback address"); undefined if it is allowed. */
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
        // On a loopback address other ports belong to other programs, so the port is compared too.
        const isShared = loopback.networks.some(network => networkHolds(network, form));
        if (backends?.isKnown(form, isShared ? port : undefined))
          return 'is an address of the control plane itself';
      }
      return undefined;
    },
  };
}
