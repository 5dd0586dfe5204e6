import type { CelError } from './cel-error.ts';
import type { Duration } from './duration.ts';
import type { ListValue } from './list-value.ts';
import type { MapValue } from './map-value.ts';
import type { Timestamp } from './timestamp.ts';
import type { TypeValue } from './type-value.ts';
import type { Uint } from './uint.ts';
import type { UrlValue } from './url-value.ts';

/**
 * What an expression yields: int is a bigint within 64 bits, double a number, bytes a Uint8Array; lists and maps may be
 * views of JSON that is read in place.
 */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint
  | Uint8Array
  | Timestamp
  | Duration
  | ListValue
  | MapValue
  | TypeValue
  | UrlValue
  | CelError;
