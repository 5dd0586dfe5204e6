import type { FunctionDeclaration, OverloadDeclaration } from '../types/declarations.ts';
import { type CelType, types } from '../types/type.ts';
import { declareFunction, global, method } from './declare.ts';

const { bool, int, uint, double, string, bytes, timestamp, duration } = types;
const a = types.parameter('A');
const listOfA = types.list(a);

/** The type of parsed URLs. */
export const urlType: CelType = { kind: 'opaque', name: 'net.URL', parameters: [] };

const summable: readonly (readonly [string, CelType])[] = [
  ['int', int],
  ['uint', uint],
  ['double', double],
  ['duration', duration],
];

const sortable: readonly (readonly [string, CelType])[] = [
  ...summable,
  ['bool', bool],
  ['timestamp', timestamp],
  ['string', string],
  ['bytes', bytes],
];

/** The extension libraries of lists, regular expressions and URLs (specification 2, "Expression language"). */
export const extensionFunctionDeclarations: readonly FunctionDeclaration[] = [
  declareFunction(
    'isSorted',
    ...sortable.map(([name, type]) => method(`list_${name}_is_sorted_bool`, [types.list(type)], bool)),
  ),
  declareFunction('sum', ...ofElements('sum', summable)),
  declareFunction('max', ...ofElements('max', sortable)),
  declareFunction('min', ...ofElements('min', sortable)),
  declareFunction('indexOf', method('list_a_index_of_int', [listOfA, a], int)),
  declareFunction('lastIndexOf', method('list_a_last_index_of_int', [listOfA, a], int)),
  declareFunction('find', method('string_find_string', [string, string], string)),
  declareFunction(
    'findAll',
    method('string_find_all_string', [string, string], types.list(string)),
    method('string_find_all_string_int', [string, string, int], types.list(string)),
  ),
  declareFunction('isURL', global('is_url_string', [string], bool)),
  declareFunction('url', global('string_to_url', [string], urlType)),
  declareFunction('getScheme', method('url_get_scheme', [urlType], string)),
  declareFunction('getHost', method('url_get_host', [urlType], string)),
  declareFunction('getHostname', method('url_get_hostname', [urlType], string)),
  declareFunction('getPort', method('url_get_port', [urlType], string)),
  declareFunction('getEscapedPath', method('url_get_escaped_path', [urlType], string)),
  declareFunction('getQuery', method('url_get_query', [urlType], types.map(string, types.list(string)))),
];

/** `list_int_max_int`: an element of the list, or what they come to. */
function ofElements(what: string, elements: readonly (readonly [string, CelType])[]): OverloadDeclaration[] {
  return elements.map(([name, type]) => method(`list_${name}_${what}_${name}`, [types.list(type)], type));
}
