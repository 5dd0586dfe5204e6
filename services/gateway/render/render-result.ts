import { type ApiObject, type JsonValue, type ObjectMeta, parseApiVersion } from '@binnacle/api-objects';
import { messageNamed, type ResourceDefinition, scaleTable } from '@binnacle/api-types';
import {
  partialMetadataFrom,
  renderStored,
  type StoredItem,
  type TableSource,
  tableFrom,
} from '@binnacle/codecs';
import type { ApiRequest } from '../request/api-request.ts';
import type { Exchange } from '../request/exchange.ts';
import {
  longObjectShown,
  metadataBytes,
  servedBytes,
  type VersionItem,
  withAliasNames,
} from '../versions/alias-form.ts';
import { type ApiVersionAlias, apiVersionAliasFor } from './api-version-alias.ts';
import { leaseChunkBuffer } from './chunk-buffers.ts';
import { encodeLongValue, encodeValue, metaMessage } from './encode-value.ts';
import { PieceWriter } from './piecewise.ts';
import {
  isList,
  isPlainJson,
  type ListRendering,
  otherShape,
  partialFrom,
  readTableOptions,
  renderList,
} from './render-list.ts';
import type { MetadataRendering, Rendering, ShownAs } from './rendering.ts';
import type { Representation } from './representation.ts';
import { writeChunks, writePieces, writeResponse } from './write-response.ts';

/** Answers with the result of a verb, in the form that the client asked for. */
export function renderResult(exchange: Exchange, rendering: Rendering): void | Promise<void> {
  if (isList(rendering)) return sendList(exchange, rendering);
  const { result, representation } = rendering;
  const { mediaType: contentType } = representation;
  const code = result.kind === 'success' || result.kind === 'list' ? 200 : result.code;
  const body = renderBody(rendering);
  return body instanceof Promise
    ? body.then(made => writeResponse(exchange, { code, contentType, body: made }))
    : writeResponse(exchange, { code, contentType, body });
}

async function sendList(exchange: Exchange, rendering: ListRendering): Promise<void> {
  const { mediaType: contentType } = rendering.representation;
  const head = { code: 200, contentType };
  using lease = leaseChunkBuffer();
  const { buffer } = lease;
  const list = await renderList(rendering);
  switch (list.kind) {
    case 'plain':
      return await writeChunks(exchange, { ...head, size: list.size, chunks: list.chunks(buffer) });
    case 'whole':
      return await writeResponse(exchange, { ...head, body: list.body });
    case 'sized':
      return await writeChunks(exchange, { ...head, ...list });
    case 'pieces':
      return await writePieces(
        exchange,
        head,
        new PieceWriter({ texts: list.texts, signal: rendering.request.call.signal }, buffer),
      );
  }
}

/** The whole body of an answer that is no list; that of a long object is made in slices. */
export function renderBody(rendering: Rendering): Buffer | Promise<Buffer> {
  const { request, representation } = rendering;
  const { definition, info, notes } = request;
  switch (rendering.result.kind) {
    case 'success':
      return encodeValue(
        successStatus(rendering.result.details, request),
        representation,
        metaMessage('Status'),
      );
    case 'object': {
      const alias = apiVersionAliasFor(definition, info);
      const { object } = rendering.result;
      const form = { names: alias.names, encoding: representation.encoding };
      const shown = object.kind === definition.kind ? withAliasNames(object, form) : object;
      return renderObject(shown, rendering, { alias, bytes: notes.workBytes });
    }
    case 'stored':
      return rendering.shows === 'metadata'
        ? renderStoredMetadata(rendering.result, rendering)
        : renderStoredObject(rendering.result, rendering);
    case 'list':
      throw new Error('a list has no body of one piece');
  }
}

function renderStoredObject(item: VersionItem, rendering: Rendering): Buffer | Promise<Buffer> {
  const { representation, request } = rendering;
  const { definition, info } = request;
  const alias = apiVersionAliasFor(definition, info);
  const { names, prefix } = alias;
  const { stored, revision } = item;
  if (isPlainJson(rendering)) return renderStored(servedBytes(definition, stored, names), revision, prefix);
  const form = { names, encoding: representation.encoding };
  const how = { alias, bytes: stored.length };
  const shown = longObjectShown(definition, item, form);
  return shown instanceof Promise
    ? shown.then(object => renderObject(object, rendering, how))
    : renderObject(shown, rendering, how);
}

function renderStoredMetadata(
  { stored, revision }: Pick<StoredItem, 'stored' | 'revision'>,
  { representation, request }: MetadataRendering,
): Buffer {
  const { definition, info } = request;
  const { kind, apiVersion = '' } = representation.transform ?? {};
  if (kind === 'PartialObjectMetadataList') throw otherShape(kind, 'is not a list');
  const { names } = apiVersionAliasFor(definition, info);
  const partial = partialFrom(metadataBytes(definition, stored, names), revision, apiVersion);
  return encodeValue(partial, representation, metaMessage('PartialObjectMetadata'));
}

function renderObject(
  object: ApiObject,
  rendering: ShownAs,
  { alias, bytes }: { readonly alias: ApiVersionAlias; readonly bytes: number },
): Buffer | Promise<Buffer> {
  const { representation, request } = rendering;
  const { definition } = request;
  const shown = object.kind === definition.kind ? { ...object, apiVersion: alias.apiVersion } : object;
  switch (representation.transform?.kind) {
    case undefined:
      return encodeLongValue(shown, bytes, { representation, source: findMessage(definition, object) });
    case 'Table': {
      const { resourceVersion } = object.metadata;
      const listMeta = resourceVersion === undefined ? {} : { resourceVersion };
      const source = findTableSource(definition, object);
      const table = tableFrom(source, [shown], readTableOptions(rendering, listMeta));
      return encodeLongValue(table, bytes, { representation, source: metaMessage('Status') });
    }
    case 'PartialObjectMetadata':
      return renderMetadata(object.metadata, representation, representation.transform);
    case 'PartialObjectMetadataList':
      throw otherShape('PartialObjectMetadataList', 'is not a list');
  }
}

function renderMetadata(
  metadata: ObjectMeta,
  representation: Representation,
  { apiVersion }: NonNullable<Representation['transform']>,
): Buffer {
  const partial = partialMetadataFrom({ metadata }, apiVersion);
  return encodeValue(partial, representation, metaMessage('PartialObjectMetadata'));
}

/** The rules that know the columns of an object; most subresources of another kind have no columns of their own. */
function findTableSource(
  definition: TableSource & { readonly kind: string },
  { kind }: ApiObject,
): TableSource {
  if (kind === definition.kind) return definition;
  return { rules: kind === 'Scale' ? scaleTable : {} };
}

function successStatus(details: { name: string; uid: string }, request: ApiRequest): JsonValue {
  const { info, definition } = request;
  const { name, uid } = details;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      // A collection has neither.
      ...(name === '' ? {} : { name }),
      ...(info.group === '' ? {} : { group: info.group }),
      kind: definition.resource,
      ...(uid === '' ? {} : { uid }),
    },
  };
}

/** The message of an answer's kind: the resource's own, or that of a subresource, which may be of another group. */
function findMessage(definition: ResourceDefinition, { kind, apiVersion }: ApiObject) {
  if (kind === definition.kind) return definition;
  if (kind === 'Status') return metaMessage('Status');
  const { group, version } = parseApiVersion(apiVersion);
  return messageNamed(`${group === '' ? 'core' : group.split('.', 1)[0]}.${version}.${kind}`);
}
