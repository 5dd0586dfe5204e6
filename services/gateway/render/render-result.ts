import { type ApiObject, type JsonValue, type ListMeta, parseApiVersion } from '@binnacle/api-objects';
import { messageNamed, type ResourceDefinition } from '@binnacle/api-types';
import {
  decodeStored,
  encodeProtobufList,
  parseIncludeObject,
  partialMetadataFrom,
  partialMetadataListFrom,
  renderStored,
  renderStoredList,
  type StoredList,
  storedItem,
  type Table,
  type TableSource,
  tableFrom,
} from '@binnacle/codecs';
import { StatusError } from '@binnacle/status-errors';
import type { Representation } from '../negotiate/representation.ts';
import type { ApiRequest, ApiResult } from '../pipeline/api-request.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import { bytesInVersion, isStoredForm } from '../versions/stored-form.ts';
import { leaseChunkBuffer } from './chunk-buffers.ts';
import { encodeValue, metaMessage } from './encode-value.ts';
import { type Spelling, spellingFor } from './spelling.ts';
import { writeChunks, writeResponse } from './write-response.ts';

/** How a result is to be shown. */
export interface Rendering {
  readonly request: ApiRequest;
  readonly representation: Representation;
  readonly now: number;
}

type ListResult = Extract<ApiResult, { kind: 'list' }>;

/** Answers with what a verb gave, in the form that the client asked for. */
export async function renderResult(
  exchange: Exchange,
  result: ApiResult,
  rendering: Rendering,
): Promise<void> {
  const contentType = rendering.representation.mediaType;
  if (result.kind === 'list' && isPlainJson(rendering)) {
    const list = plainList(result, rendering);
    using lease = leaseChunkBuffer();
    await writeChunks(exchange, {
      code: 200,
      contentType,
      size: list.size,
      chunks: list.chunks(lease.buffer),
    });
    return;
  }
  const code = result.kind === 'list' || result.kind === 'success' ? 200 : result.code;
  await writeResponse(exchange, { code, contentType, body: bodyOf(result, rendering) });
}

/** Whether stored bytes are the answer as they lie. */
function isPlainJson({ representation }: Rendering): boolean {
  return (
    representation.encoding === 'json' && !representation.pretty && representation.transform === undefined
  );
}

function bodyOf(result: ApiResult, rendering: Rendering): Buffer {
  const { request, representation } = rendering;
  const spelling = spellingFor(request.definition, request.info);
  switch (result.kind) {
    case 'success':
      return encodeValue(successStatus(result.details, request), representation, metaMessage('Status'));
    case 'object':
      return renderObject(result.object, rendering, spelling);
    case 'stored':
      return renderStoredObject(result, rendering);
    case 'list':
      return renderList(listInVersion(result, request.definition), rendering, spelling);
  }
}

function renderStoredObject(
  { stored, revision }: Extract<ApiResult, { kind: 'stored' }>,
  rendering: Rendering,
): Buffer {
  const { definition, info } = rendering.request;
  const spelling = spellingFor(definition, info);
  const bytes = bytesInVersion(definition, stored);
  if (isPlainJson(rendering)) return renderStored(bytes, revision, spelling.prefix);
  return renderObject(decodeStored(bytes, revision), rendering, spelling);
}

function listInVersion(result: ListResult, definition: ResourceDefinition): ListResult {
  const { storage, rules } = definition;
  if (storage === undefined && rules.upkeep === undefined) return result;
  if (result.items.every(({ stored }) => isStoredForm(definition, stored))) return result;
  const items = result.items.map(({ stored, revision }) =>
    storedItem(bytesInVersion(definition, stored), revision),
  );
  return { ...result, items };
}

function plainList(result: ListResult, { request }: Rendering): StoredList {
  const { definition, info } = request;
  const { apiVersion, prefix = 'stored' } = spellingFor(definition, info);
  const { items } = listInVersion(result, definition);
  const head = { kind: definition.listKind, apiVersion, metadata: listMetaOf(result) };
  // Clients that know a kind by its schema alone look at what each item says of itself.
  return renderStoredList(isDescribed(definition) ? { ...head, itemPrefix: prefix } : head, items);
}

function isDescribed({ message }: ResourceDefinition): boolean {
  return message.structure !== undefined;
}

function renderObject(object: ApiObject, rendering: Rendering, spelling: Spelling): Buffer {
  const { representation, request } = rendering;
  const { definition } = request;
  const shown = object.kind === definition.kind ? { ...object, apiVersion: spelling.apiVersion } : object;
  switch (representation.transform?.kind) {
    case undefined:
      return encodeValue(shown, representation, messageOf(definition, object));
    case 'Table': {
      const { resourceVersion } = object.metadata;
      const listMeta = resourceVersion === undefined ? {} : { resourceVersion };
      const source = object.kind === definition.kind ? definition : plainTable;
      const table = tableOf([shown], listMeta, { ...rendering, source });
      return encodeValue(table, representation, metaMessage('Status'));
    }
    case 'PartialObjectMetadata': {
      const partial = partialMetadataFrom(shown, representation.transform.apiVersion);
      return encodeValue(partial, representation, metaMessage('PartialObjectMetadata'));
    }
    case 'PartialObjectMetadataList':
      throw otherShape('PartialObjectMetadataList', 'is not a list');
  }
}

function renderList(result: ListResult, rendering: Rendering, spelling: Spelling): Buffer {
  const { representation, request } = rendering;
  const { definition } = request;
  const objects = result.items.map(item => decodeStored(item.stored, item.revision));
  const metadata = listMetaOf(result);
  switch (representation.transform?.kind) {
    case undefined: {
      const { apiVersion } = spelling;
      if (representation.encoding === 'protobuf') {
        return encodeProtobufList(definition, objects, { listMeta: metadata, apiVersion });
      }
      const items = isDescribed(definition)
        ? objects.map(object => ({ ...object, apiVersion }))
        : objects.map(({ kind: _kind, apiVersion: _apiVersion, ...item }): JsonValue => item);
      const list = { kind: definition.listKind, apiVersion, metadata, items };
      return encodeValue(list, representation, definition);
    }
    case 'Table': {
      const shown = objects.map(object => ({ ...object, apiVersion: spelling.apiVersion }));
      const table = tableOf(shown, metadata, { ...rendering, source: definition });
      return encodeValue(table, representation, metaMessage('Status'));
    }
    case 'PartialObjectMetadataList': {
      const partial = partialMetadataListFrom(objects, metadata, representation.transform.apiVersion);
      return encodeValue(partial, representation, metaMessage('PartialObjectMetadataList'));
    }
    case 'PartialObjectMetadata':
      throw otherShape('PartialObjectMetadata', 'is a list');
  }
}

/** The Table of objects that have no columns of their own: those of subresources of another kind. */
const plainTable: TableSource = { rules: {} };

function tableOf(
  objects: readonly ApiObject[],
  listMeta: ListMeta,
  { request, representation, now, source }: Rendering & { readonly source: TableSource },
): Table {
  const includeObject = parseIncludeObject(request.query.get('includeObject') ?? '');
  const apiVersion = representation.transform?.apiVersion;
  return tableFrom(source, objects, {
    listMeta,
    includeObject,
    now,
    ...(apiVersion === undefined ? {} : { apiVersion }),
  });
}

function listMetaOf(result: ListResult): ListMeta {
  return {
    resourceVersion: String(result.revision),
    ...(result.continue === undefined ? {} : { continue: result.continue }),
    ...(result.remainingItemCount === undefined ? {} : { remainingItemCount: result.remainingItemCount }),
  };
}

function successStatus(details: { name: string; uid: string }, request: ApiRequest): JsonValue {
  const { group, resource } = request.definition;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name: details.name, ...(group === '' ? {} : { group }), kind: resource, uid: details.uid },
  };
}

/** The message of an answer's kind: the resource's own, or that of a subresource, which may be of another group. */
function messageOf(definition: ResourceDefinition, { kind, apiVersion }: ApiObject) {
  if (kind === definition.kind) return definition;
  if (kind === 'Status') return metaMessage('Status');
  const { group, version } = parseApiVersion(apiVersion);
  return messageNamed(`cluster.io.api.${group === '' ? 'core' : group.split('.', 1)[0]}.${version}.${kind}`);
}

function otherShape(wanted: string, what: string): StatusError {
  const message = `${wanted} was asked for, but what the request is about ${what}`;
  return new StatusError({ reason: 'NotAcceptable', code: 406, message });
}
