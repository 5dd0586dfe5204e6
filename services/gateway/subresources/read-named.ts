import type { ApiObject } from '@binnacle/api-objects';
import { objectKey, type TypeRegistry } from '@binnacle/api-types';
import { decodeStored } from '@binnacle/codecs';
import { notFound, resourceNotFound } from '@binnacle/status-errors';
import { findStorageKey, type Storage } from '@binnacle/storage-contract';
import type { ApiRequest } from '../request/api-request.ts';

/** Services that read named objects. */
export interface NamedObjectServices {
  readonly registry: TypeRegistry;
  readonly storage: Storage;
}

/** An object of the core group in the request's namespace, as it is in the store now; throws NotFound when there is none. */
export async function readNamed(
  request: ApiRequest,
  services: NamedObjectServices,
  { resource, name }: { readonly resource: string; readonly name: string },
): Promise<ApiObject> {
  const definition = services.registry.resource('', 'v1', resource);
  if (definition === undefined) throw resourceNotFound();
  const missing = notFound({ group: '', resource }, name);
  const key = findStorageKey(objectKey(definition, request.info.namespace, name));
  if (key === undefined || name === '' || name.includes('/')) throw missing;
  const { record } = await services.storage.get(key, request.call);
  if (record === undefined) throw missing;
  return decodeStored(record.value, record.revision);
}
