import { type ApiObject, type JsonValue, type ObjectMeta, parseApiVersion } from '@binnacle/api-objects';
import { messageNamed, type ResourceDefinition, scaleTable } from '@binnacle/api-types';
import {
  decodeStoredMetadata,
  partialMetadataFrom,
  renderStored,
  type StoredItem,
  type TableSource,
  tableFrom,
} from '@binnacle/codecs';
import type { ApiRequest, ApiResult } from '../request/api-request.ts';
import type { Exchange } from '../request/exchange.ts';
import { bytesOfMetadata, bytesShown, longObjectShown, withAliasNames } from '../versions/alias-form.ts';
import { assertComplete, incompleteWarning } from '../versions/incomplete-objects.ts';
import { bytesInVersion, prepareLong } from '../versions/stored-form.ts';
import { type ApiVersionAlias, apiVersionAliasFor } from './api-version-alias.ts';
import { leaseChunkBuffer } from './chunk-buffers.ts';
import { encodeLongValue, encodeValue, metaMessage } from './encode-value.ts';
import { PieceWriter } from './piecewise.ts';
import { type ListResult, otherShape, renderList, renderPlainList, tableOptionsOf } from './render-list.ts';
import type { Rendering } from './rendering.ts';
import type { Representation } from './representation.ts';
import { writeChunks, writePieces, writeResponse } from './write-response.ts';

/** Answers with what a verb gave, in the form that the client asked for. */
export function renderResult(
  exchange: Exchange,
  result: ApiResult,
  rendering: Rendering,
): void | Promise<void> {
  if (result.kind === 'list') return sendList(exchange, result, rendering);
  const contentType = rendering.representation.mediaType;
  const code = result.kind === 'success' ? 200 : result.code;
  const body = bodyOf(result, rendering);
  return body instanceof Promise
    ? body.then(made => writeResponse(exchange, { code, contentType, body: made }))
    : writeResponse(exchange, { code, contentType, body });
}

async function sendList(exchange: Exchange, result: ListResult, rendering: Rendering): Promise<void> {
  const { mediaType: contentType } = rendering.representation;
  const head = { code: 200, contentType };
  using lease = leaseChunkBuffer();
  const { buffer } = lease;
  if (isPlainJson(rendering)) {
    const { size, chunks } = await renderPlainList(result, rendering);
    await writeChunks(exchange, { ...head, size, chunks: chunks(buffer) });
    return;
  }
  const list = await renderList(result, rendering);
  switch (list.kind) {
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

/** Whether stored bytes are the answer as they lie. */
export function isPlainJson({ representation }: Rendering): boolean {
  return (
    representation.encoding === 'json' && !representation.pretty && representation.transform === undefined
  );
}

/** The whole body of an answer that is no list; that of a long object is made in slices. */
export function bodyOf(
  result: Exclude<ApiResult, ListResult>,
  rendering: Rendering,
): Buffer | Promise<Buffer> {
  const { request, representation } = rendering;
  const alias = apiVersionAliasFor(request.definition, request.info);
  switch (result.kind) {
    case 'success':
      return encodeValue(successStatus(result.details, request), representation, metaMessage('Status'));
    case 'object': {
      const { object } = result;
      const form = { names: alias.names, encoding: representation.encoding };
      const shown = object.kind === request.definition.kind ? withAliasNames(object, form) : object;
      return renderObject(shown, rendering, { alias, bytes: request.notes.workBytes });
    }
    case 'stored':
      return renderStoredObject(result, rendering);
  }
}

function renderStoredObject(
  { stored, revision }: Extract<ApiResult, { kind: 'stored' }>,
  rendering: Rendering,
): Buffer | Promise<Buffer> {
  const { request, representation } = rendering;
  // Metadata is shown as it is stored.
  const preparing =
    representation.transform?.kind === 'PartialObjectMetadata'
      ? undefined
      : prepareLong(request.definition, stored);
  const item = { stored, revision };
  return preparing === undefined
    ? renderPrepared(item, rendering)
    : preparing.then(() => renderPrepared(item, rendering));
}

function renderPrepared(
  { stored, revision }: Pick<StoredItem, 'stored' | 'revision'>,
  rendering: Rendering,
): Buffer | Promise<Buffer> {
  const { representation, request } = rendering;
  const { definition, info } = request;
  const alias = apiVersionAliasFor(definition, info);
  const { names, prefix } = alias;
  if (representation.transform?.kind === 'PartialObjectMetadata') {
    const metadata = decodeStoredMetadata(bytesOfMetadata(definition, stored, names), revision);
    return renderMetadata(metadata, representation, representation.transform);
  }
  if (definition.message.structure !== undefined) judgeCompleteness(request, stored);
  if (isPlainJson(rendering)) return renderStored(bytesShown(definition, stored, names), revision, prefix);
  const form = { names, encoding: representation.encoding };
  const how = { alias, bytes: stored.length };
  const shown = longObjectShown(definition, { stored, revision }, form);
  return shown instanceof Promise
    ? shown.then(object => renderObject(object, rendering, how))
    : renderObject(shown, rendering, how);
}

/** A client that reads an object relies on its defaults; one that changed it learns that they are missing. */
function judgeCompleteness({ definition, info, warnings }: ApiRequest, stored: Buffer): void {
  bytesInVersion(definition, stored);
  if (info.verb === 'get') assertComplete(definition, stored);
  const warning = incompleteWarning(definition, [stored]);
  if (warning !== undefined) warnings.push(warning);
}

function renderObject(
  object: ApiObject,
  rendering: Rendering,
  { alias, bytes }: { readonly alias: ApiVersionAlias; readonly bytes: number },
): Buffer | Promise<Buffer> {
  const { representation, request } = rendering;
  const { definition } = request;
  const shown = object.kind === definition.kind ? { ...object, apiVersion: alias.apiVersion } : object;
  switch (representation.transform?.kind) {
    case undefined:
      return encodeLongValue(shown, bytes, { representation, source: messageOf(definition, object) });
    case 'Table': {
      const { resourceVersion } = object.metadata;
      const listMeta = resourceVersion === undefined ? {} : { resourceVersion };
      const source = findTableSource(definition, object);
      const table = tableFrom(source, [shown], tableOptionsOf(rendering, listMeta));
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
function messageOf(definition: ResourceDefinition, { kind, apiVersion }: ApiObject) {
  if (kind === definition.kind) return definition;
  if (kind === 'Status') return metaMessage('Status');
  const { group, version } = parseApiVersion(apiVersion);
  return messageNamed(`${group === '' ? 'core' : group.split('.', 1)[0]}.${version}.${kind}`);
}
