import { groups } from '@binnacle/api-names';
import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import { type ApiClient, metadataMediaType } from '@binnacle/client';
import { unlessCode } from '../requests/settled-writes.ts';

/** The path of the collection of definitions. */
export const definitionsPath = `/apis/${groups.apiextensions}/v1/customresourcedefinitions`;

/** The objects of a definition, in a served version. */
export interface CustomCollection {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

/** The API calls of the definition controllers. */
export interface DefinitionApi {
  /** Replaces the status and returns the stored definition; undefined when it changed meanwhile or is gone. */
  writeStatus(definition: ApiObject, status: JsonObject): Promise<ApiObject | undefined>;
  /** Replaces the finalizers, unless the definition changed meanwhile or is gone. */
  writeFinalizers(definition: ApiObject, finalizers: readonly string[]): Promise<void>;
  /** Lists the namespaces that have objects, '' for objects without one; only some of them when there are many objects. */
  listNamespaces(collection: CustomCollection): Promise<ReadonlySet<string>>;
  deleteAll(collection: CustomCollection, namespace: string): Promise<void>;
}

interface ObjectList {
  readonly items: readonly Pick<ApiObject, 'metadata'>[];
}

const pageSize = 500;
/** Media type of the lists: metadata suffices to find and delete objects. */
const accept = metadataMediaType('PartialObjectMetadataList');

/** Creates the API calls of the definition controllers over a client. */
export function createDefinitionApi(client: ApiClient): DefinitionApi {
  return {
    writeStatus: (definition, status) =>
      unlessCode([404, 409], () =>
        client.request<ApiObject>({
          method: 'PUT',
          path: `${definitionsPath}/${definition.metadata.name}/status`,
          body: { ...definition, status },
        }),
      ),
    async writeFinalizers(definition, finalizers) {
      const { metadata } = definition;
      await unlessCode([404, 409], () =>
        client.request({
          method: 'PUT',
          path: `${definitionsPath}/${metadata.name}`,
          body: { ...definition, metadata: { ...metadata, finalizers: [...finalizers] } },
        }),
      );
    },
    async listNamespaces({ group, version, plural }) {
      const path = `/apis/${group}/${version}/${plural}?limit=${pageSize}`;
      const { items } = await client.request<ObjectList>({ method: 'GET', path, accept });
      return new Set(items.map(({ metadata }) => metadata.namespace ?? ''));
    },
    async deleteAll({ group, version, plural, namespaced }, namespace) {
      const place = namespaced ? `namespaces/${namespace}/` : '';
      await unlessCode([404], () =>
        client.request({
          method: 'DELETE',
          path: `/apis/${group}/${version}/${place}${plural}`,
          body: { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background' },
          accept,
        }),
      );
    },
  };
}
