import { apiVersionOf } from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import { objectPrefix } from '@binnacle/codecs';
import type { RequestInfo } from '../pipeline/api-request.ts';

/** How an answer spells the apiVersion of its objects: as the client spelt the group in its path. */
export interface Spelling {
  readonly apiVersion: string;
  /** Stands before the metadata of a stored object in place of what is stored; undefined when that is the same. */
  readonly prefix: Buffer | undefined;
}

const known = new WeakMap<ResourceDefinition, Map<string, Spelling>>();

/** The spelling for a request, built once for each way to spell a group. */
export function spellingFor(definition: ResourceDefinition, info: RequestInfo): Spelling {
  const spellings = known.get(definition) ?? new Map<string, Spelling>();
  known.set(definition, spellings);
  let spelling = spellings.get(info.group);
  if (spelling === undefined) {
    const apiVersion = apiVersionOf({ group: info.group, version: definition.version });
    const prefix = info.group === definition.group ? undefined : objectPrefix(definition.kind, apiVersion);
    spelling = { apiVersion, prefix };
    spellings.set(info.group, spelling);
  }
  return spelling;
}
