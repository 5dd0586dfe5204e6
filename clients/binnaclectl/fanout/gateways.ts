import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import type { DirectClient } from '@binnacle/client';
import { StatusError } from '@binnacle/status-errors';
import { textIn } from '../objects/page.ts';
import { CommandError } from '../output/errors.ts';
import type { Session } from '../session/session.ts';

/** A gateway whose metrics can be read. */
export interface Gateway {
  /** `host:port`. */
  readonly name: string;
  readonly client: DirectClient;
}

/**
 * The gateways that are given, or the API server and the addresses of its service's endpoints (`default/cluster`), each once. A user
 * who may not read the endpoints has the API server alone.
 */
export async function findGateways(session: Session, given: readonly string[]): Promise<Gateway[]> {
  if (given.length > 0) return given.map(text => gatewayAt(session, addressFrom(text)));
  const { server } = session.client;
  const own = { name: server.host, client: session.client };
  const addresses = await endpointAddresses(session);
  const others = addresses.filter(address => new URL(address).host !== server.host);
  return [own, ...others.map(address => gatewayAt(session, address))];
}

function gatewayAt(session: Session, address: string): Gateway {
  return { name: new URL(address).host, client: session.connectTo(address) };
}

function addressFrom(text: string): string {
  const address = text.includes('://') ? text : `https://${text}`;
  const { protocol } = URL.parse(address) ?? {};
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new CommandError(`--gateways: "${text}" is not the address of a server`);
  return address;
}

async function endpointAddresses({ client }: Session): Promise<string[]> {
  try {
    const path = '/api/v1/namespaces/default/endpoints/cluster';
    return addressesIn(await client.json<JsonObject>({ method: 'GET', path }));
  } catch (error) {
    if (error instanceof StatusError && [403, 404].includes(error.code)) return [];
    throw error;
  }
}

/** The addresses of an Endpoints object, with its first port. */
export function addressesIn(endpoints: JsonObject): string[] {
  return objectsIn(endpoints['subsets']).flatMap(subset => {
    const port = objectsIn(subset['ports'])[0]?.['port'];
    if (typeof port !== 'number') return [];
    return objectsIn(subset['addresses']).map(address => {
      const ip = textIn(address, 'ip');
      return `https://${ip.includes(':') ? `[${ip}]` : ip}:${port}`;
    });
  });
}

function objectsIn(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
