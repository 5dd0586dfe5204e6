import { type LookupAddress, lookup as lookUpAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

const loopbackAddresses = new BlockList();
loopbackAddresses.addSubnet('127.0.0.0', 8, 'ipv4');
loopbackAddresses.addSubnet('0.0.0.0', 8, 'ipv4');
loopbackAddresses.addAddress('::1', 'ipv6');
loopbackAddresses.addAddress('::', 'ipv6');

/** The code of the error for a name that only stands for this machine. */
export const loopbackErrorCode = 'ERR_LOOPBACK_TARGET';

/** Whether the host of a URL is this machine by its spelling: an address, `localhost`, or a name below it. */
export function isLoopbackHost(hostname: string): boolean {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  return isLoopbackAddress(host);
}

/** Looks a name up and leaves out addresses of this machine; so a name cannot lead where an address may not. */
export const lookupBeyondLoopback: LookupFunction = (hostname, options, callback) => {
  lookUpAddress(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, '', 0);
    const outside = addresses.filter(({ address }) => !isLoopbackAddress(address));
    const [first] = outside;
    if (first === undefined) return callback(loopbackError(hostname), '', 0);
    if (options.all === true) return callback(null, outside satisfies LookupAddress[]);
    return callback(null, first.address, first.family);
  });
};

function isLoopbackAddress(address: string): boolean {
  const family = isIP(address);
  // An IPv4 address in IPv6 form is matched by the IPv4 rules.
  return family !== 0 && loopbackAddresses.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

function loopbackError(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} is this machine, which this server does not call`), {
    code: loopbackErrorCode,
  });
}
