import type { ResourceDefinition } from '@binnacle/api-types';
import type { Spelling } from '../render/spelling.ts';
import type { Framing } from './framing/framing.ts';

/** What every form of a watch is made from. */
export interface FormatContext {
  readonly definition: ResourceDefinition;
  readonly spelling: Spelling;
  readonly framing: Framing;
  /** Annotations of the bookmark that closes the existing objects. */
  readonly initialEventsEnd: Readonly<Record<string, string>>;
}
