import { sizeOf, traversalOf } from '../cost/call-costs.ts';
import { figures } from '../cost/figures.ts';
import { CelError } from '../values/cel-error.ts';
import { ListValue } from '../values/list-value.ts';
import { mapOfEntries } from '../values/map-value.ts';
import { UrlValue } from '../values/url-value.ts';
import type { Value } from '../values/value.ts';
import type { FunctionLibrary, LibraryFunction } from './library-function.ts';
import { parseUrl } from './parse-url.ts';

/** The URL library: absolute URLs and absolute paths. */
export const urls: FunctionLibrary = {
  isURL: parsing(url => !(url instanceof CelError)),
  url: parsing(url => url),
  getScheme: accessor(url => url.scheme),
  getHost: accessor(url => url.host),
  getHostname: accessor(url => url.hostname),
  getPort: accessor(url => url.port),
  getEscapedPath: accessor(url => url.escapedPath),
  getQuery: accessor(url => queryOf(url.rawQuery)),
};

function parsing(result: (url: UrlValue | CelError) => Value): LibraryFunction {
  return ([text, ...more], frame) => {
    if (typeof text !== 'string' || more.length > 0) return undefined;
    frame.charge(traversalOf(sizeOf(text)));
    return result(parseUrl(text));
  };
}

function accessor(part: (url: UrlValue) => Value): LibraryFunction {
  return ([url, ...more], frame) => {
    frame.charge(figures.call);
    if (!(url instanceof UrlValue) || more.length > 0) return undefined;
    frame.traverse(url.rawQuery.length >>> 4);
    return part(url);
  };
}

/** All values of each name, unescaped; pairs that cannot be unescaped, or that hold a semicolon, are left out. */
function queryOf(rawQuery: string): Value {
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
