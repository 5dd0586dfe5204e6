import { badRequest } from '@binnacle/status-errors';

/** The parts of the name in the path of a proxied request: `name`, `name:port` or `scheme:name:port`. */
export interface ProxiedName {
  /** Undefined: it was not said. */
  readonly scheme: 'http' | 'https' | undefined;
  readonly name: string;
  /** A number or the name of a port; "" when it was not said. */
  readonly port: string;
}

/** Reads the name in the path of a proxied request; throws BadRequest for a form that it does not have. */
export function parseProxiedName(text: string, what: string): ProxiedName {
  const parts = text.split(':');
  const [scheme = '', name = '', port = ''] =
    parts.length === 3 ? parts : ['', parts[0] ?? '', parts[1] ?? ''];
  const isKnown = scheme === '' || scheme === 'http' || scheme === 'https';
  if (parts.length > 3 || name === '' || !isKnown || (parts.length === 2 && port === ''))
    throw badRequest(`invalid ${what} request ${JSON.stringify(text.slice(0, 300))}`);
  return { scheme: scheme === '' ? undefined : scheme, name, port };
}

/** A port by its number; undefined for a text that is none. */
export function portNumber(text: string): number | undefined {
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  return port > 0 && port < 65_536 ? port : undefined;
}
