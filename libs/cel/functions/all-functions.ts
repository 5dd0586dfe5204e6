import { lowerAscii, upperAscii } from './ascii-case.ts';
import { charAt } from './char-at.ts';
import { contains } from './contains.ts';
import { find } from './find.ts';
import { findAll } from './find-all.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { indexOf, lastIndexOf } from './index-of.ts';
import { isSorted } from './is-sorted.ts';
import { join } from './join.ts';
import { matches } from './matches.ts';
import { max, min } from './min-max.ts';
import { replace } from './replace.ts';
import { size } from './size.ts';
import { split } from './split.ts';
import { substring } from './substring.ts';
import { sum } from './sum.ts';
import { endsWith, startsWith } from './text-ends.ts';
import { timeGetters } from './time-getters.ts';
import { toBool } from './to-bool.ts';
import { toBytes } from './to-bytes.ts';
import { toDouble } from './to-double.ts';
import { toDuration } from './to-duration.ts';
import { toDyn } from './to-dyn.ts';
import { toInt } from './to-int.ts';
import { toText } from './to-text.ts';
import { toTimestamp } from './to-timestamp.ts';
import { toUint } from './to-uint.ts';
import { trim } from './trim.ts';
import { typeOf } from './type-of.ts';
import { isUrl, url } from './url.ts';
import { urlGetters } from './url-getters.ts';

/** All functions that expressions can call by name (specification 2, "Expression language"). */
export const allFunctions: readonly FunctionDefinition[] = [
  ...[size, typeOf, toDyn],
  ...[toBool, toBytes, toDouble, toDuration, toInt, toText, toTimestamp, toUint],
  ...[contains, endsWith, startsWith, matches, find, findAll],
  ...[charAt, indexOf, lastIndexOf, join, lowerAscii, upperAscii, replace, split, substring, trim],
  ...[isSorted, sum, max, min],
  ...timeGetters,
  ...[isUrl, url],
  ...urlGetters,
];
