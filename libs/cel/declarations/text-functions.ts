import type { FunctionDeclaration } from '../types/declarations.ts';
import { types } from '../types/type.ts';
import { declareFunction, method } from './declare.ts';

const { int, string } = types;
const strings = types.list(string);

/** The extension library of texts: positions are counted in code points. */
export const textFunctionDeclarations: readonly FunctionDeclaration[] = [
  declareFunction('charAt', method('string_char_at_int', [string, int], string)),
  declareFunction(
    'indexOf',
    method('string_index_of_string', [string, string], int),
    method('string_index_of_string_int', [string, string, int], int),
  ),
  declareFunction(
    'lastIndexOf',
    method('string_last_index_of_string', [string, string], int),
    method('string_last_index_of_string_int', [string, string, int], int),
  ),
  declareFunction(
    'join',
    method('list_join', [strings], string),
    method('list_join_string', [strings, string], string),
  ),
  declareFunction('lowerAscii', method('string_lower_ascii', [string], string)),
  declareFunction('upperAscii', method('string_upper_ascii', [string], string)),
  declareFunction(
    'replace',
    method('string_replace_string_string', [string, string, string], string),
    method('string_replace_string_string_int', [string, string, string, int], string),
  ),
  declareFunction(
    'split',
    method('string_split_string', [string, string], strings),
    method('string_split_string_int', [string, string, int], strings),
  ),
  declareFunction(
    'substring',
    method('string_substring_int', [string, int], string),
    method('string_substring_int_int', [string, int, int], string),
  ),
  declareFunction('trim', method('string_trim', [string], string)),
];
