import { apiVersionOf } from '@binnacle/api-objects';
import type { AliasNames, ResourceDefinition } from '@binnacle/api-types';
import { objectPrefix } from '@binnacle/codecs';
import type { RequestInfo } from '../pipeline/api-request.ts';
import { aliasNamesFor } from '../versions/alias-form.ts';

/** How an answer spells the apiVersion of its objects, and names in them: as the client spelt the group in its path. */
export interface Spelling {
  readonly apiVersion: string;
  /** Stands before the metadata of a stored object in place of what is stored; undefined when that is the same. */
  readonly prefix: Buffer | undefined;
  /** The names that objects are shown with; undefined: their own. */
  readonly names: AliasNames | undefined;
}

const known = new WeakMap<ResourceDefinition, Map<string, Spelling>>();

/** The spelling for a request, built once for each way to spell a group. */
export function spellingFor(definition: ResourceDefinition, info: RequestInfo): Spelling {
  const spellings = known.get(definition) ?? new Map<string, Spelling>();
  known.set(definition, spellings);
  let spelling = spellings.get(info.group);
  if (spelling === undefined) {
    const apiVersion = apiVersionOf({ group: info.group, version: definition.version });
    const isAsStored = info.group === definition.group && definition.rules.webhookClients === undefined;
    const prefix = isAsStored ? undefined : objectPrefix(definition.kind, apiVersion);
    spelling = { apiVersion, prefix, names: aliasNamesFor(definition, info) };
    spellings.set(info.group, spelling);
  }
  return spelling;
}
