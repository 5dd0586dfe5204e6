import type { ResourceDefinition } from '@binnacle/api-types';
import type { ApiVersionAlias } from '../render/api-version-alias.ts';
import type { Framing } from './framing/framing.ts';

/** The facts that every format of a watch uses. */
export interface FormatContext {
  readonly definition: ResourceDefinition;
  readonly alias: ApiVersionAlias;
  readonly framing: Framing;
  /** Annotations of the bookmark that closes the existing objects. */
  readonly initialEventsEnd: Readonly<Record<string, string>>;
}
