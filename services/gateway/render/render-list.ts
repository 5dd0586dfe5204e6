import type { ApiObject, JsonObject, ListMeta } from '@binnacle/api-objects';
import type { MessageType, ResourceDefinition } from '@binnacle/api-types';
import {
  decodeStoredMetadata,
  encodeProtobufListItem,
  listText,
  type MetadataBytes,
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
import { isLong } from '@binnacle/event-loop';
import { StatusError } from '@binnacle/status-errors';
import type { ApiResult } from '../request/api-request.ts';
import { metadataBytes, objectShown, servedBytes, servedItems } from '../versions/alias-form.ts';
import type { VersionBytes } from '../versions/kept-forms.ts';
import { mapInSlices } from '../versions/result-in-version.ts';
import { apiVersionAliasFor } from './api-version-alias.ts';
import { encodeValue, metaMessage } from './encode-value.ts';
import type { MetadataRendering, Rendering, ShownAs, WholeRendering } from './rendering.ts';

/** The rendering of a list. */
export type ListRendering =
  | (WholeRendering & { readonly result: ListResult<VersionBytes> })
  | (MetadataRendering & { readonly result: ListResult });
type ListResult<Bytes extends Buffer = Buffer> = Extract<ApiResult<Bytes>, { kind: 'list' }>;

/** A list in the form that the client asked for: whole, in pieces of known size, or in pieces that are made while it is sent. */
type RenderedList =
  | ({ readonly kind: 'plain' } & StoredList)
  | { readonly kind: 'whole'; readonly body: Buffer }
  | { readonly kind: 'sized'; readonly size: number; readonly chunks: Iterable<Buffer> }
  | { readonly kind: 'pieces'; readonly texts: Iterator<string> };

/** Whether the result is a list. */
export function isList(rendering: Rendering): rendering is ListRendering {
  return rendering.result.kind === 'list';
}

/** Renders a list: plain JSON from the bytes of its objects; in any other form each item is decoded and written by itself, in slices. */
export async function renderList(rendering: ListRendering): Promise<RenderedList> {
  if (rendering.shows === 'metadata') return await renderItems(rendering, metadataForm(rendering));
  if (isPlainJson(rendering)) return { kind: 'plain', ...(await renderPlainList(rendering)) };
  return await renderItems(rendering, wholeForm(rendering));
}

/** Whether the answer consists of the objects' bytes unchanged. */
export function isPlainJson({ representation }: ShownAs): boolean {
  return (
    representation.encoding === 'json' && !representation.pretty && representation.transform === undefined
  );
}

async function renderPlainList({
  result,
  request,
}: WholeRendering & { readonly result: ListResult<VersionBytes> }): Promise<StoredList> {
  const { definition, info, call } = request;
  const { apiVersion, prefix = 'stored', names } = apiVersionAliasFor(definition, info);
  const served = ({ stored, revision }: StoredItem<VersionBytes>) =>
    storedItem(servedBytes(definition, stored, names), revision);
  const items =
    names === undefined ? servedItems(result.items) : await mapInSlices(result.items, served, call.signal);
  const head = { kind: definition.listKind, apiVersion, metadata: createListMeta(result) };
  // Clients that know a kind by its schema alone read kind and apiVersion of each item.
  return renderStoredList(isDescribed(definition) ? { ...head, itemPrefix: prefix } : head, items);
}

async function renderItems<Item extends StoredItem>(
  { representation, request }: ShownAs,
  { document, member, items, shown, message }: ListForm<Item>,
): Promise<RenderedList> {
  if (representation.encoding === 'protobuf') {
    const { kind, apiVersion } = document;
    const head = { kind, apiVersion, listMeta: document.metadata };
    const { signal } = request.call;
    const encoded = await mapInSlices(items, item => encodeProtobufListItem(message, shown(item)), signal);
    return protobufList(head, encoded);
  }
  if (items.length === 0) {
    const body = encodeValue({ ...document, [member]: [] }, representation, metaMessage('Status'));
    return { kind: 'whole', body };
  }
  const text = listText(document, member, representation.pretty ? 'indented json' : representation.encoding);
  const texts = function* (): Generator<string, undefined> {
    yield text.start;
    for (const [index, item] of items.entries()) {
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

/** The form of a list: its fields besides the items, the name of the items, and the form of each item. */
interface ListForm<Item extends StoredItem> {
  readonly document: JsonObject & { kind: string; apiVersion: string; metadata: ListMeta };
  readonly member: 'items' | 'rows';
  readonly items: readonly Item[];
  shown(item: Item): JsonObject;
  /** The message of the items. */
  readonly message: MessageType;
}

function wholeForm(
  rendering: WholeRendering & { readonly result: ListResult<VersionBytes> },
): ListForm<StoredItem<VersionBytes>> {
  const { representation, request, result } = rendering;
  const { definition, info } = request;
  const { apiVersion, names } = apiVersionAliasFor(definition, info);
  const metadata = createListMeta(result);
  const { message } = definition;
  const { items } = result;
  const form = { names, encoding: representation.encoding };
  const whole = (item: StoredItem<VersionBytes>) => objectShown(definition, item, form);
  if (representation.transform === undefined)
    return {
      document: { kind: definition.listKind, apiVersion, metadata },
      member: 'items',
      items,
      shown: isDescribed(definition)
        ? item => ({ ...whole(item), apiVersion })
        : item => withoutKind(whole(item)),
      message,
    };
  const options = { ...readTableOptions(rendering, metadata), work: { left: mostColumnVisits } };
  return {
    document: { ...tableHeadFrom(definition, options) },
    member: 'rows',
    items,
    shown: item => tableRowFrom(definition, { ...whole(item), apiVersion }, options),
    message,
  };
}

function metadataForm({
  representation,
  request,
  result,
}: MetadataRendering & { readonly result: ListResult }): ListForm<StoredItem> {
  const { definition, info } = request;
  const { names } = apiVersionAliasFor(definition, info);
  const { kind = '', apiVersion = '' } = representation.transform ?? {};
  if (kind !== 'PartialObjectMetadataList') throw otherShape('PartialObjectMetadata', 'is a list');
  return {
    document: { kind, apiVersion, metadata: createListMeta(result) },
    member: 'items',
    items: result.items,
    shown: ({ stored, revision }) =>
      partialFrom(metadataBytes(definition, stored, names), revision, apiVersion),
    message: metaMessage('PartialObjectMetadata'),
  };
}

/** The metadata of an object alone, as an object. */
export function partialFrom(bytes: MetadataBytes, revision: number, apiVersion: string) {
  return partialMetadataFrom({ metadata: decodeStoredMetadata(bytes, revision) }, apiVersion);
}

function withoutKind({ kind: _kind, apiVersion: _apiVersion, ...item }: ApiObject): JsonObject {
  return item;
}

function protobufList(head: ProtobufListHead, items: readonly Buffer[]): RenderedList {
  const itemBytes = items.reduce((sum, item) => sum + item.length, 0);
  const { start, end } = protobufListFrame(head, itemBytes);
  const chunks = joinedChunks([start, ...items, end]);
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

function isDescribed({ message }: ResourceDefinition): boolean {
  return message.structure !== undefined;
}

/** Reads the options of a Table from a request. */
export function readTableOptions(
  { request, representation, now }: ShownAs,
  listMeta: ListMeta,
): TableOptions {
  const includeObject = parseIncludeObject(request.query.get('includeObject') ?? '');
  const apiVersion = representation.transform?.apiVersion;
  return { listMeta, includeObject, now, ...(apiVersion === undefined ? {} : { apiVersion }) };
}

/** 406 for a client that wants an object as a list, or a list as an object. */
export function otherShape(wanted: string, what: string): StatusError {
  const message = `${wanted} was requested, but the result ${what}`;
  return new StatusError({ reason: 'NotAcceptable', code: 406, message });
}

function createListMeta(result: ListResult): ListMeta {
  return {
    resourceVersion: String(result.revision),
    ...(result.continue === undefined ? {} : { continue: result.continue }),
    ...(result.remainingItemCount === undefined ? {} : { remainingItemCount: result.remainingItemCount }),
  };
}
