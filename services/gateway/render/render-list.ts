import type { ApiObject, JsonObject, ListMeta } from '@binnacle/api-objects';
import type { MessageType, ResourceDefinition } from '@binnacle/api-types';
import {
  decodeStoredMetadata,
  encodeProtobufListItem,
  listText,
  type ProtobufListHead,
  parseIncludeObject,
  partialMetadataFrom,
  protobufListFrame,
  renderStoredList,
  type StoredItem,
  type StoredList,
  storedItem,
  type TableOptions,
  tableHeadFrom,
  tableRowFrom,
} from '@binnacle/codecs';
import { isLong, sharedSlices } from '@binnacle/event-loop';
import { StatusError } from '@binnacle/status-errors';
import type { ApiRequest, ApiResult } from '../request/api-request.ts';
import { bytesOfMetadata, bytesShown, objectShown } from '../versions/alias-form.ts';
import { incompleteWarning } from '../versions/incomplete-objects.ts';
import { bytesInVersion, isStoredForm } from '../versions/stored-form.ts';
import { type ApiVersionAlias, apiVersionAliasFor } from './api-version-alias.ts';
import { encodeValue, metaMessage } from './encode-value.ts';
import type { Rendering } from './rendering.ts';

/** Objects of one type with the list metadata. */
export type ListResult = Extract<ApiResult, { kind: 'list' }>;

/** A list in the form that the client asked for: whole, in pieces of known size, or in pieces that are made while it is sent. */
type RenderedList =
  | { readonly kind: 'whole'; readonly body: Buffer }
  | { readonly kind: 'sized'; readonly size: number; readonly chunks: Iterable<Buffer> }
  | { readonly kind: 'pieces'; readonly texts: Iterator<string> };

/** Renders a list as JSON from the stored bytes, for clients that asked for no other form. */
export async function renderPlainList(result: ListResult, { request }: Rendering): Promise<StoredList> {
  const { definition, info, call } = request;
  const alias = apiVersionAliasFor(definition, info);
  const { apiVersion, prefix = 'stored' } = alias;
  const items = await itemsShown(result.items, { definition, alias, signal: call.signal });
  warnOfIncomplete(request, result.items);
  const head = { kind: definition.listKind, apiVersion, metadata: listMetaOf(result) };
  // Clients that know a kind by its schema alone look at what each item says of itself.
  return renderStoredList(isDescribed(definition) ? { ...head, itemPrefix: prefix } : head, items);
}

/** Renders a list in any form but plain JSON. Each item is decoded and written by itself, in slices. */
export async function renderList(result: ListResult, rendering: Rendering): Promise<RenderedList> {
  const { representation, request } = rendering;
  const alias = apiVersionAliasFor(request.definition, request.info);
  const { document, member, shown, message } = listForm(result, rendering, alias);
  if (representation.transform?.kind !== 'PartialObjectMetadataList')
    await completeItems(request, result.items);
  if (representation.encoding === 'protobuf') {
    const { kind, apiVersion } = document;
    const head = { kind, apiVersion, listMeta: document.metadata };
    return await protobufList(head, result.items, {
      signal: request.call.signal,
      encode: item => encodeProtobufListItem(message, shown(item)),
    });
  }
  if (result.items.length === 0) {
    const body = encodeValue({ ...document, [member]: [] }, representation, metaMessage('Status'));
    return { kind: 'whole', body };
  }
  const text = listText(document, member, representation.pretty ? 'indented json' : representation.encoding);
  const texts = function* (): Generator<string, undefined> {
    yield text.start;
    for (const [index, item] of result.items.entries()) {
      if (isLong(item.stored.length)) yield* longPiece(text.itemSteps(shown(item), index));
      else yield text.item(shown(item), index);
    }
    yield text.end;
  };
  return { kind: 'pieces', texts: texts() };
}

/** A piece that is made in steps, with nothing between two of them. */
function* longPiece(work: Generator<void, string>): Generator<string, void> {
  // Reading the items before this one is a step of its own.
  yield '';
  for (;;) {
    const step = work.next();
    yield step.done ? step.value : '';
    if (step.done) return;
  }
}

/** Values that the columns of all rows of a Table may visit; columns beyond are empty. */
const mostColumnVisits = 2_000_000;

/** A list without its items, the name that these have in it, and what each of them looks like. */
interface ListForm {
  readonly document: JsonObject & { kind: string; apiVersion: string; metadata: ListMeta };
  readonly member: 'items' | 'rows';
  shown(item: StoredItem): JsonObject;
  /** Of the items. */
  readonly message: MessageType;
}

function listForm(result: ListResult, rendering: Rendering, alias: ApiVersionAlias): ListForm {
  const { representation, request } = rendering;
  const { definition } = request;
  const { apiVersion, names } = alias;
  const metadata = listMetaOf(result);
  const { message } = definition;
  const form = { names, encoding: representation.encoding };
  const whole = (item: StoredItem) => objectShown(definition, item, form);
  switch (representation.transform?.kind) {
    case undefined:
      return {
        document: { kind: definition.listKind, apiVersion, metadata },
        member: 'items',
        shown: isDescribed(definition)
          ? item => ({ ...whole(item), apiVersion })
          : item => withoutKind(whole(item)),
        message,
      };
    case 'Table': {
      const options = { ...tableOptionsOf(rendering, metadata), work: { left: mostColumnVisits } };
      return {
        document: { ...tableHeadFrom(definition, options) },
        member: 'rows',
        shown: item => tableRowFrom(definition, { ...whole(item), apiVersion }, options),
        message,
      };
    }
    case 'PartialObjectMetadataList': {
      const { kind, apiVersion: version } = representation.transform;
      return {
        document: { kind, apiVersion: version, metadata },
        member: 'items',
        shown: ({ stored, revision }) =>
          partialMetadataFrom(
            { metadata: decodeStoredMetadata(bytesOfMetadata(definition, stored, names), revision) },
            version,
          ),
        message: metaMessage('PartialObjectMetadata'),
      };
    }
    case 'PartialObjectMetadata':
      throw otherShape('PartialObjectMetadata', 'is a list');
  }
}

function withoutKind({ kind: _kind, apiVersion: _apiVersion, ...item }: ApiObject): JsonObject {
  return item;
}

async function protobufList(
  head: ProtobufListHead,
  items: readonly StoredItem[],
  { encode, signal }: { readonly encode: (item: StoredItem) => Buffer; readonly signal: AbortSignal },
): Promise<RenderedList> {
  const encoded = await mapInSlices(items, encode, signal);
  const itemBytes = encoded.reduce((sum, item) => sum + item.length, 0);
  const { start, end } = protobufListFrame(head, itemBytes);
  const chunks = joinedChunks([start, ...encoded, end]);
  return { kind: 'sized', size: start.length + itemBytes + end.length, chunks };
}

const bytesOfChunk = 256 * 1024;

/** Buffers put together into chunks of about a size that is worth a write. */
function* joinedChunks(buffers: readonly Buffer[]): Generator<Buffer, void> {
  let first = 0;
  let bytes = 0;
  for (const [index, buffer] of buffers.entries()) {
    bytes += buffer.length;
    if (bytes < bytesOfChunk && index < buffers.length - 1) continue;
    yield Buffer.concat(buffers.slice(first, index + 1), bytes);
    first = index + 1;
    bytes = 0;
  }
}

/** Items as the version and the group's name have them; those of the stored version, under the own name, as they lie. */
async function itemsShown(
  items: readonly StoredItem[],
  how: {
    readonly definition: ResourceDefinition;
    readonly alias: ApiVersionAlias;
    readonly signal: AbortSignal;
  },
): Promise<readonly StoredItem[]> {
  const { definition, alias, signal } = how;
  const { names } = alias;
  const { storage, rules } = definition;
  if (names === undefined) {
    if (storage === undefined && rules.migration === undefined) return items;
    if (items.every(({ stored }) => isStoredForm(definition, stored))) return items;
  }
  return await mapInSlices(
    items,
    ({ stored, revision }) => storedItem(bytesShown(definition, stored, names), revision),
    signal,
  );
}

/** Brings objects that were stored under another schema up to date before the answer begins: what they lack is said in its head. */
async function completeItems(request: ApiRequest, items: readonly StoredItem[]): Promise<void> {
  const { definition, call } = request;
  if (definition.message.structure === undefined) return;
  const others = items.filter(({ stored }) => !isStoredForm(definition, stored));
  await mapInSlices(others, ({ stored }) => bytesInVersion(definition, stored), call.signal);
  warnOfIncomplete(request, others);
}

function warnOfIncomplete({ definition, warnings }: ApiRequest, items: readonly StoredItem[]): void {
  if (definition.message.structure === undefined) return;
  const warning = incompleteWarning(
    definition,
    items.map(({ stored }) => stored),
  );
  if (warning !== undefined) warnings.push(warning);
}

async function mapInSlices<T, U>(
  items: readonly T[],
  map: (item: T) => U,
  signal: AbortSignal,
): Promise<U[]> {
  const mapped: U[] = [];
  for (const item of items) {
    if (sharedSlices.isOver()) await sharedSlices.yield(signal);
    mapped.push(map(item));
  }
  return mapped;
}

function isDescribed({ message }: ResourceDefinition): boolean {
  return message.structure !== undefined;
}

/** How a Table is made for a request. */
export function tableOptionsOf(
  { request, representation, now }: Rendering,
  listMeta: ListMeta,
): TableOptions {
  const includeObject = parseIncludeObject(request.query.get('includeObject') ?? '');
  const apiVersion = representation.transform?.apiVersion;
  return { listMeta, includeObject, now, ...(apiVersion === undefined ? {} : { apiVersion }) };
}

/** 406 for a client that wants an object as a list, or a list as an object. */
export function otherShape(wanted: string, what: string): StatusError {
  const message = `${wanted} was asked for, but what the request is about ${what}`;
  return new StatusError({ reason: 'NotAcceptable', code: 406, message });
}

function listMetaOf(result: ListResult): ListMeta {
  return {
    resourceVersion: String(result.revision),
    ...(result.continue === undefined ? {} : { continue: result.continue }),
    ...(result.remainingItemCount === undefined ? {} : { remainingItemCount: result.remainingItemCount }),
  };
}
