import { type BackendAddress, BackendRefusal, speaksTls } from '@binnacle/backend-access';
import { wasNotSent } from './grpc-code.ts';

/** Milliseconds for which an answer is cached: thousands of failing requests share one probe. */
const answerMs = 1000;

/**
 * Creates a probe for failing plaintext connections to etcd: a server that requires TLS closes them without an error, so the probe
 * detects what it speaks. The probe returns the refusal for a failed request, or undefined.
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
    // No server listens, or the name does not resolve: there is nothing to probe.
    const isAway = thrown instanceof Error && /ECONNREFUSED|resolution/.test(thrown.message);
    if (!wasNotSent(thrown) || isAway) return undefined;
    if (performance.now() - askedAt >= answerMs) {
      askedAt = performance.now();
      wantsTls = ask();
    }
    return (await wantsTls) ? new BackendRefusal('etcd', 'tls', { cause: thrown }) : undefined;
  };
}

/** Parses the address of an endpoint, with or without its scheme. */
function parseEndpoint(endpoint: string): BackendAddress {
  const { hostname, port } = new URL(endpoint.includes('://') ? endpoint : `http://${endpoint}`);
  return { host: hostname.replaceAll(/^\[|\]$/g, ''), port: Number(port || 80) };
}
