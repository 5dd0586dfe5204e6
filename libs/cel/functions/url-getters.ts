import { figures } from '../cost/figures.ts';
import { type CelType, types } from '../types/type.ts';
import { mapOfEntries } from '../values/map-value.ts';
import { UrlValue } from '../values/url-value.ts';
import { ListValue, type Value } from '../values/value.ts';
import { constantCost } from './estimates.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { method } from './overloads.ts';
import { urlType } from './url.ts';

const { string } = types;

/** The getters of URLs. */
export const urlGetters: readonly FunctionDefinition[] = [
  getter('getScheme', { id: 'url_get_scheme', result: string }, ({ scheme }) => scheme),
  getter('getHost', { id: 'url_get_host', result: string }, ({ host }) => host),
  getter('getHostname', { id: 'url_get_hostname', result: string }, ({ hostname }) => hostname),
  getter('getPort', { id: 'url_get_port', result: string }, ({ port }) => port),
  getter('getEscapedPath', { id: 'url_get_escaped_path', result: string }, ({ escapedPath }) => escapedPath),
  getter('getQuery', { id: 'url_get_query', result: types.map(string, types.list(string)) }, ({ rawQuery }) =>
    parseQuery(rawQuery),
  ),
];

function getter(
  name: string,
  { id, result }: { id: string; result: CelType },
  read: (url: UrlValue) => Value,
): FunctionDefinition {
  return {
    name,
    overloads: [method(id, [urlType], result)],
    evaluate([url, ...more], frame) {
      frame.charge(figures.call);
      if (!(url instanceof UrlValue) || more.length > 0) return undefined;
      frame.traverse(url.rawQuery.length >>> 4);
      return read(url);
    },
    estimate: constantCost,
  };
}

/** Parses all unescaped values of each name; skips pairs with invalid escapes or semicolons. */
function parseQuery(rawQuery: string): Value {
  const values = new Map<string, string[]>();
  for (const pair of rawQuery.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const equals = pair.indexOf('=');
    const name = unescaped(equals < 0 ? pair : pair.slice(0, equals));
    const value = unescaped(equals < 0 ? '' : pair.slice(equals + 1));
    if (name === undefined || value === undefined) continue;
    const others = values.get(name);
    if (others === undefined) values.set(name, [value]);
    else others.push(value);
  }
  return mapOfEntries(Array.from(values, ([name, list]) => [name, ListValue.of(list)]));
}

function unescaped(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
