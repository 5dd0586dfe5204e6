import { type BackendAddress, BackendRefusal, speaksTls } from '@binnacle/backend-access';
import { wasNotSent } from './grpc-code.ts';

/** Milliseconds for which an answer stands: requests that fail by the thousand ask once. */
const answerMs = 1000;

/**
 * Finds out why plaintext connections to etcd fail: a server that wants TLS ends them without a word, so it is asked what
 * it speaks. The result is the refusal that a failed request stands for, or undefined.
 */
export function createPlaintextProbe(
  endpoints: readonly string[],
): (thrown: unknown) => Promise<BackendRefusal | undefined> {
  const addresses = endpoints.map(parseEndpoint);
  let askedAt = Number.NEGATIVE_INFINITY;
  let wantsTls = Promise.resolve(false);
  const ask = async (): Promise<boolean> => {
    return (await Promise.all(addresses.map(speaksTls))).includes(true);
  };
  return async thrown => {
    // Nothing listens at all, or the name is not known: there is nothing to ask.
    const isAway = thrown instanceof Error && /ECONNREFUSED|resolution/.test(thrown.message);
    if (!wasNotSent(thrown) || isAway) return undefined;
    if (performance.now() - askedAt >= answerMs) {
      askedAt = performance.now();
      wantsTls = ask();
    }
    return (await wantsTls) ? new BackendRefusal('etcd', 'tls', { cause: thrown }) : undefined;
  };
}

/** The address of an endpoint, with or without its scheme. */
function parseEndpoint(endpoint: string): BackendAddress {
  const { hostname, port } = new URL(endpoint.includes('://') ? endpoint : `http://${endpoint}`);
  return { host: hostname.replaceAll(/^\[|\]$/g, ''), port: Number(port || 80) };
}
