import { groups } from '@binnacle/api-names';
import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import { type ApiClient, metadataMediaType } from '@binnacle/client';
import { StatusError } from '@binnacle/status-errors';

/** The path of the collection of definitions. */
export const definitionsPath = `/apis/${groups.apiextensions}/v1/customresourcedefinitions`;

/** Which objects are meant: those of a definition in a version that is served. */
export interface CustomCollection {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

/** The API calls of the definition controllers. */
export interface DefinitionApi {
  /** Replaces the status and gives what is stored then; undefined when the definition changed meanwhile or is gone. */
  writeStatus(definition: ApiObject, status: JsonObject): Promise<ApiObject | undefined>;
  /** Replaces the finalizers; a definition that changed meanwhile or is gone is left alone. */
  writeFinalizers(definition: ApiObject, finalizers: readonly string[]): Promise<void>;
  /** The namespaces in which objects are, '' for those without one; not all of them at once when there are many. */
  listNamespaces(collection: CustomCollection): Promise<ReadonlySet<string>>;
  deleteAll(collection: CustomCollection, namespace: string): Promise<void>;
}

interface ObjectList {
  readonly items: readonly Pick<ApiObject, 'metadata'>[];
}

const pageSize = 500;
/** Objects are found and deleted by their metadata: what else they hold need not be read. */
const accept = metadataMediaType('PartialObjectMetadataList');

/** The API as the duties see it, over a client. */
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

async function unlessCode<T>(codes: readonly number[], request: () => Promise<T>): Promise<T | undefined> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof StatusError && codes.includes(error.code)) return undefined;
    throw error;
  }
}
