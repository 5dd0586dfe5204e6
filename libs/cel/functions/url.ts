import { sizeOf, traversalCost } from '../cost/call-costs.ts';
import { type CelType, types } from '../types/type.ts';
import { CelError } from '../values/cel-error.ts';
import type { UrlValue } from '../values/url-value.ts';
import type { Value } from '../values/value.ts';
import { constantCost, traversalRange } from './estimates.ts';
import type { FunctionDefinition, LibraryFunction } from './function-definition.ts';
import { global } from './overloads.ts';
import { parseUrl } from './parse-url.ts';

/** The type of a parsed URL. */
export const urlType: CelType = { kind: 'opaque', name: 'net.URL', parameters: [] };

/** `url(text)`: an absolute URL or an absolute path. */
export const url: FunctionDefinition = {
  name: 'url',
  overloads: [global('string_to_url', [types.string], urlType)],
  evaluate: parsing(parsed => parsed),
  estimate: ({ first }) => ({ cost: traversalRange(first.size) }),
};

/** `isURL(text)`: whether `url(text)` succeeds. */
export const isUrl: FunctionDefinition = {
  name: 'isURL',
  overloads: [global('is_url_string', [types.string], types.bool)],
  evaluate: parsing(parsed => !(parsed instanceof CelError)),
  estimate: constantCost,
};

function parsing(result: (parsed: UrlValue | CelError) => Value): LibraryFunction {
  return ([text, ...more], frame) => {
    if (typeof text !== 'string' || more.length > 0) return undefined;
    frame.charge(traversalCost(sizeOf(text)));
    return result(parseUrl(text));
  };
}
