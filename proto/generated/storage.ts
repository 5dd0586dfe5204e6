// Generated from proto/internal/storage.proto by tools/generate-contracts; edit that file and run `npm run generate`.
import type { MessageCodec, ServiceContract, StreamingMethod, UnaryMethod } from '../runtime/contract.ts';
import { assertEnd, messageEnd, newWriter, noBytes, readerOf, type Reader, type Writer } from '../runtime/wire.ts';
import { readWatchEvent, writeWatchEvent, type WatchEvent } from './watch-event.ts';

/** `Record` of `storage.proto`. */
export interface Record {
  key: string;
  value: Uint8Array;
  /** The revision of the last write of the key. */
  revision: number;
  /** Whether a write of the same value would be stored otherwise, because other keys encrypt now. */
  stale?: boolean | undefined;
}

/** Turns `Record` into bytes and back. */
export const recordCodec: MessageCodec<Record> = {
  encode: message => writeRecord(message, newWriter()).finish(),
  decode: bytes => readRecord(readerOf(bytes), bytes.length),
};

/** Appends a `Record` without its length. */
export function writeRecord(message: Record, writer: Writer): Writer {
  if (message.key) writer.uint32(10).string(message.key);
  if (message.value?.length) writer.uint32(18).bytes(message.value);
  if (message.revision) writer.uint32(25).double(message.revision);
  if (message.stale !== undefined) writer.uint32(32).bool(message.stale);
  return writer;
}

/** Reads a `Record` that ends at `end`. */
export function readRecord(reader: Reader, end: number): Record {
  const message: Record = { key: '', value: noBytes, revision: 0 };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.key = reader.string();
        break;
      case 18:
        message.value = reader.bytes();
        break;
      case 25:
        message.revision = reader.double();
        break;
      case 32:
        message.stale = reader.bool();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** `GetRequest` of `storage.proto`. */
export interface GetRequest {
  key: string;
}

/** Turns `GetRequest` into bytes and back. */
export const getRequestCodec: MessageCodec<GetRequest> = {
  encode: message => writeGetRequest(message, newWriter()).finish(),
  decode: bytes => readGetRequest(readerOf(bytes), bytes.length),
};

/** Appends a `GetRequest` without its length. */
export function writeGetRequest(message: GetRequest, writer: Writer): Writer {
  if (message.key) writer.uint32(10).string(message.key);
  return writer;
}

/** Reads a `GetRequest` that ends at `end`. */
export function readGetRequest(reader: Reader, end: number): GetRequest {
  const message: GetRequest = { key: '' };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.key = reader.string();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** `GetResponse` of `storage.proto`. */
export interface GetResponse {
  record?: Record | undefined;
  /** The store's revision at the time of the read. */
  revision: number;
}

/** Turns `GetResponse` into bytes and back. */
export const getResponseCodec: MessageCodec<GetResponse> = {
  encode: message => writeGetResponse(message, newWriter()).finish(),
  decode: bytes => readGetResponse(readerOf(bytes), bytes.length),
};

/** Appends a `GetResponse` without its length. */
export function writeGetResponse(message: GetResponse, writer: Writer): Writer {
  if (message.record !== undefined) writeRecord(message.record, writer.uint32(10).fork()).ldelim();
  if (message.revision) writer.uint32(17).double(message.revision);
  return writer;
}

/** Reads a `GetResponse` that ends at `end`. */
export function readGetResponse(reader: Reader, end: number): GetResponse {
  const message: GetResponse = { revision: 0 };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.record = readRecord(reader, messageEnd(reader));
        break;
      case 17:
        message.revision = reader.double();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** `ListRequest` of `storage.proto`. */
export interface ListRequest {
  prefix: string;
  /** Only keys greater than this one; empty for the first page. */
  startAfter: string;
  /** At most this many records; 0 means the server's page size. */
  limit: number;
  /** The revision to read at; 0 means the current one. */
  atRevision: number;
}

/** Turns `ListRequest` into bytes and back. */
export const listRequestCodec: MessageCodec<ListRequest> = {
  encode: message => writeListRequest(message, newWriter()).finish(),
  decode: bytes => readListRequest(readerOf(bytes), bytes.length),
};

/** Appends a `ListRequest` without its length. */
export function writeListRequest(message: ListRequest, writer: Writer): Writer {
  if (message.prefix) writer.uint32(10).string(message.prefix);
  if (message.startAfter) writer.uint32(18).string(message.startAfter);
  if (message.limit) writer.uint32(24).uint32(message.limit);
  if (message.atRevision) writer.uint32(33).double(message.atRevision);
  return writer;
}

/** Reads a `ListRequest` that ends at `end`. */
export function readListRequest(reader: Reader, end: number): ListRequest {
  const message: ListRequest = { prefix: '', startAfter: '', limit: 0, atRevision: 0 };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.prefix = reader.string();
        break;
      case 18:
        message.startAfter = reader.string();
        break;
      case 24:
        message.limit = reader.uint32();
        break;
      case 33:
        message.atRevision = reader.double();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** `ListResponse` of `storage.proto`. */
export interface ListResponse {
  records: Record[];
  /** The revision that the page shows. */
  revision: number;
  more: boolean;
  /** Records below the prefix after the last one of this page. */
  remaining: number;
}

/** Turns `ListResponse` into bytes and back. */
export const listResponseCodec: MessageCodec<ListResponse> = {
  encode: message => writeListResponse(message, newWriter()).finish(),
  decode: bytes => readListResponse(readerOf(bytes), bytes.length),
};

/** Appends a `ListResponse` without its length. */
export function writeListResponse(message: ListResponse, writer: Writer): Writer {
  for (const item of message.records ?? []) writeRecord(item, writer.uint32(10).fork()).ldelim();
  if (message.revision) writer.uint32(17).double(message.revision);
  if (message.more) writer.uint32(24).bool(message.more);
  if (message.remaining) writer.uint32(33).double(message.remaining);
  return writer;
}

/** Reads a `ListResponse` that ends at `end`. */
export function readListResponse(reader: Reader, end: number): ListResponse {
  const message: ListResponse = { records: [], revision: 0, more: false, remaining: 0 };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.records.push(readRecord(reader, messageEnd(reader)));
        break;
      case 17:
        message.revision = reader.double();
        break;
      case 24:
        message.more = reader.bool();
        break;
      case 33:
        message.remaining = reader.double();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** `Precondition` of `storage.proto`. */
export interface Precondition {
  key: string;
  /** 0: the key must be absent. Otherwise the revision that the key must be at. */
  revision: number;
}

/** Turns `Precondition` into bytes and back. */
export const preconditionCodec: MessageCodec<Precondition> = {
  encode: message => writePrecondition(message, newWriter()).finish(),
  decode: bytes => readPrecondition(readerOf(bytes), bytes.length),
};

/** Appends a `Precondition` without its length. */
export function writePrecondition(message: Precondition, writer: Writer): Writer {
  if (message.key) writer.uint32(10).string(message.key);
  if (message.revision) writer.uint32(17).double(message.revision);
  return writer;
}

/** Reads a `Precondition` that ends at `end`. */
export function readPrecondition(reader: Reader, end: number): Precondition {
  const message: Precondition = { key: '', revision: 0 };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.key = reader.string();
        break;
      case 17:
        message.revision = reader.double();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** `Put` of `storage.proto`. */
export interface Put {
  key: string;
  value: Uint8Array;
}

/** Turns `Put` into bytes and back. */
export const putCodec: MessageCodec<Put> = {
  encode: message => writePut(message, newWriter()).finish(),
  decode: bytes => readPut(readerOf(bytes), bytes.length),
};

/** Appends a `Put` without its length. */
export function writePut(message: Put, writer: Writer): Writer {
  if (message.key) writer.uint32(10).string(message.key);
  if (message.value?.length) writer.uint32(18).bytes(message.value);
  return writer;
}

/** Reads a `Put` that ends at `end`. */
export function readPut(reader: Reader, end: number): Put {
  const message: Put = { key: '', value: noBytes };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.key = reader.string();
        break;
      case 18:
        message.value = reader.bytes();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** `TransactRequest` of `storage.proto`. */
export interface TransactRequest {
  preconditions: Precondition[];
  puts: Put[];
  deletes: string[];
}

/** Turns `TransactRequest` into bytes and back. */
export const transactRequestCodec: MessageCodec<TransactRequest> = {
  encode: message => writeTransactRequest(message, newWriter()).finish(),
  decode: bytes => readTransactRequest(readerOf(bytes), bytes.length),
};

/** Appends a `TransactRequest` without its length. */
export function writeTransactRequest(message: TransactRequest, writer: Writer): Writer {
  for (const item of message.preconditions ?? []) writePrecondition(item, writer.uint32(10).fork()).ldelim();
  for (const item of message.puts ?? []) writePut(item, writer.uint32(18).fork()).ldelim();
  for (const item of message.deletes ?? []) writer.uint32(26).string(item);
  return writer;
}

/** Reads a `TransactRequest` that ends at `end`. */
export function readTransactRequest(reader: Reader, end: number): TransactRequest {
  const message: TransactRequest = { preconditions: [], puts: [], deletes: [] };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.preconditions.push(readPrecondition(reader, messageEnd(reader)));
        break;
      case 18:
        message.puts.push(readPut(reader, messageEnd(reader)));
        break;
      case 26:
        message.deletes.push(reader.string());
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** `TransactResponse` of `storage.proto`. */
export interface TransactResponse {
  committed: boolean;
  /** Of the transaction when committed, of the store when not. */
  revision: number;
  /** Index of the first precondition that failed; meaningful when not committed. */
  failedPrecondition: number;
  /** The current record of the failed precondition's key, absent when the key is. */
  current?: Record | undefined;
}

/** Turns `TransactResponse` into bytes and back. */
export const transactResponseCodec: MessageCodec<TransactResponse> = {
  encode: message => writeTransactResponse(message, newWriter()).finish(),
  decode: bytes => readTransactResponse(readerOf(bytes), bytes.length),
};

/** Appends a `TransactResponse` without its length. */
export function writeTransactResponse(message: TransactResponse, writer: Writer): Writer {
  if (message.committed) writer.uint32(8).bool(message.committed);
  if (message.revision) writer.uint32(17).double(message.revision);
  if (message.failedPrecondition) writer.uint32(24).uint32(message.failedPrecondition);
  if (message.current !== undefined) writeRecord(message.current, writer.uint32(34).fork()).ldelim();
  return writer;
}

/** Reads a `TransactResponse` that ends at `end`. */
export function readTransactResponse(reader: Reader, end: number): TransactResponse {
  const message: TransactResponse = { committed: false, revision: 0, failedPrecondition: 0 };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 8:
        message.committed = reader.bool();
        break;
      case 17:
        message.revision = reader.double();
        break;
      case 24:
        message.failedPrecondition = reader.uint32();
        break;
      case 34:
        message.current = readRecord(reader, messageEnd(reader));
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** `TypeRevisionRequest` of `storage.proto`. */
export interface TypeRevisionRequest {
  /** "/<group or core>/<resource>/"; empty asks for the store's revision. */
  typePrefix: string;
}

/** Turns `TypeRevisionRequest` into bytes and back. */
export const typeRevisionRequestCodec: MessageCodec<TypeRevisionRequest> = {
  encode: message => writeTypeRevisionRequest(message, newWriter()).finish(),
  decode: bytes => readTypeRevisionRequest(readerOf(bytes), bytes.length),
};

/** Appends a `TypeRevisionRequest` without its length. */
export function writeTypeRevisionRequest(message: TypeRevisionRequest, writer: Writer): Writer {
  if (message.typePrefix) writer.uint32(10).string(message.typePrefix);
  return writer;
}

/** Reads a `TypeRevisionRequest` that ends at `end`. */
export function readTypeRevisionRequest(reader: Reader, end: number): TypeRevisionRequest {
  const message: TypeRevisionRequest = { typePrefix: '' };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.typePrefix = reader.string();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** `TypeRevisionResponse` of `storage.proto`. */
export interface TypeRevisionResponse {
  revision: number;
}

/** Turns `TypeRevisionResponse` into bytes and back. */
export const typeRevisionResponseCodec: MessageCodec<TypeRevisionResponse> = {
  encode: message => writeTypeRevisionResponse(message, newWriter()).finish(),
  decode: bytes => readTypeRevisionResponse(readerOf(bytes), bytes.length),
};

/** Appends a `TypeRevisionResponse` without its length. */
export function writeTypeRevisionResponse(message: TypeRevisionResponse, writer: Writer): Writer {
  if (message.revision) writer.uint32(9).double(message.revision);
  return writer;
}

/** Reads a `TypeRevisionResponse` that ends at `end`. */
export function readTypeRevisionResponse(reader: Reader, end: number): TypeRevisionResponse {
  const message: TypeRevisionResponse = { revision: 0 };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 9:
        message.revision = reader.double();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** `ChangesRequest` of `storage.proto`. */
export interface ChangesRequest {
  /** Changes with a greater revision are sent. */
  afterRevision: number;
  /** Starts as far back as history reaches, and ignores after_revision. */
  fromWindowStart: boolean;
  /** Leaves out changes of types that are no control types; counts only without from_window_start. */
  controlTypesOnly?: boolean | undefined;
}

/** Turns `ChangesRequest` into bytes and back. */
export const changesRequestCodec: MessageCodec<ChangesRequest> = {
  encode: message => writeChangesRequest(message, newWriter()).finish(),
  decode: bytes => readChangesRequest(readerOf(bytes), bytes.length),
};

/** Appends a `ChangesRequest` without its length. */
export function writeChangesRequest(message: ChangesRequest, writer: Writer): Writer {
  if (message.afterRevision) writer.uint32(9).double(message.afterRevision);
  if (message.fromWindowStart) writer.uint32(16).bool(message.fromWindowStart);
  if (message.controlTypesOnly !== undefined) writer.uint32(24).bool(message.controlTypesOnly);
  return writer;
}

/** Reads a `ChangesRequest` that ends at `end`. */
export function readChangesRequest(reader: Reader, end: number): ChangesRequest {
  const message: ChangesRequest = { afterRevision: 0, fromWindowStart: false };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 9:
        message.afterRevision = reader.double();
        break;
      case 16:
        message.fromWindowStart = reader.bool();
        break;
      case 24:
        message.controlTypesOnly = reader.bool();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** `ChangeBatch` of `storage.proto`. */
export interface ChangeBatch {
  events: WatchEvent[];
  /** Every change up to this revision has been sent with this batch or before it. */
  revision: number;
}

/** Turns `ChangeBatch` into bytes and back. */
export const changeBatchCodec: MessageCodec<ChangeBatch> = {
  encode: message => writeChangeBatch(message, newWriter()).finish(),
  decode: bytes => readChangeBatch(readerOf(bytes), bytes.length),
};

/** Appends a `ChangeBatch` without its length. */
export function writeChangeBatch(message: ChangeBatch, writer: Writer): Writer {
  for (const item of message.events ?? []) writeWatchEvent(item, writer.uint32(10).fork()).ldelim();
  if (message.revision) writer.uint32(17).double(message.revision);
  return writer;
}

/** Reads a `ChangeBatch` that ends at `end`. */
export function readChangeBatch(reader: Reader, end: number): ChangeBatch {
  const message: ChangeBatch = { events: [], revision: 0 };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.events.push(readWatchEvent(reader, messageEnd(reader)));
        break;
      case 17:
        message.revision = reader.double();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** `CompactRequest` of `storage.proto`. */
export interface CompactRequest {
  revision: number;
}

/** Turns `CompactRequest` into bytes and back. */
export const compactRequestCodec: MessageCodec<CompactRequest> = {
  encode: message => writeCompactRequest(message, newWriter()).finish(),
  decode: bytes => readCompactRequest(readerOf(bytes), bytes.length),
};

/** Appends a `CompactRequest` without its length. */
export function writeCompactRequest(message: CompactRequest, writer: Writer): Writer {
  if (message.revision) writer.uint32(9).double(message.revision);
  return writer;
}

/** Reads a `CompactRequest` that ends at `end`. */
export function readCompactRequest(reader: Reader, end: number): CompactRequest {
  const message: CompactRequest = { revision: 0 };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 9:
        message.revision = reader.double();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** `CompactResponse` of `storage.proto`. */
export interface CompactResponse {
  revision: number;
}

/** Turns `CompactResponse` into bytes and back. */
export const compactResponseCodec: MessageCodec<CompactResponse> = {
  encode: message => writeCompactResponse(message, newWriter()).finish(),
  decode: bytes => readCompactResponse(readerOf(bytes), bytes.length),
};

/** Appends a `CompactResponse` without its length. */
export function writeCompactResponse(message: CompactResponse, writer: Writer): Writer {
  if (message.revision) writer.uint32(9).double(message.revision);
  return writer;
}

/** Reads a `CompactResponse` that ends at `end`. */
export function readCompactResponse(reader: Reader, end: number): CompactResponse {
  const message: CompactResponse = { revision: 0 };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 9:
        message.revision = reader.double();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** `SpaceRequest` of `storage.proto`. */
export interface SpaceRequest {
}

/** Turns `SpaceRequest` into bytes and back. */
export const spaceRequestCodec: MessageCodec<SpaceRequest> = {
  encode: message => writeSpaceRequest(message, newWriter()).finish(),
  decode: bytes => readSpaceRequest(readerOf(bytes), bytes.length),
};

/** Appends a `SpaceRequest` without its length. */
export function writeSpaceRequest(_message: SpaceRequest, writer: Writer): Writer {
  return writer;
}

/** Reads a `SpaceRequest` that ends at `end`. */
export function readSpaceRequest(reader: Reader, end: number): SpaceRequest {
  const message: SpaceRequest = {  };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** `SpaceResponse` of `storage.proto`. */
export interface SpaceResponse {
  /** Bytes that the store takes on its disk, history and free pages included; of several members the largest. */
  sizeBytes: number;
  /** Bytes at which it stops taking writes; 0: no bound is known. */
  quotaBytes: number;
  /** Whether it takes no writes now. */
  full: boolean;
}

/** Turns `SpaceResponse` into bytes and back. */
export const spaceResponseCodec: MessageCodec<SpaceResponse> = {
  encode: message => writeSpaceResponse(message, newWriter()).finish(),
  decode: bytes => readSpaceResponse(readerOf(bytes), bytes.length),
};

/** Appends a `SpaceResponse` without its length. */
export function writeSpaceResponse(message: SpaceResponse, writer: Writer): Writer {
  if (message.sizeBytes) writer.uint32(9).double(message.sizeBytes);
  if (message.quotaBytes) writer.uint32(17).double(message.quotaBytes);
  if (message.full) writer.uint32(24).bool(message.full);
  return writer;
}

/** Reads a `SpaceResponse` that ends at `end`. */
export function readSpaceResponse(reader: Reader, end: number): SpaceResponse {
  const message: SpaceResponse = { sizeBytes: 0, quotaBytes: 0, full: false };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 9:
        message.sizeBytes = reader.double();
        break;
      case 17:
        message.quotaBytes = reader.double();
        break;
      case 24:
        message.full = reader.bool();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** The service `Storage` of `storage.proto`. */
export interface StorageService {
  /** The record of one key, read linearizably. */
  readonly get: UnaryMethod<GetRequest, GetResponse>;
  /** A page of the records below a prefix, in key order, all as of one revision. */
  readonly list: UnaryMethod<ListRequest, ListResponse>;
  /** All puts and deletes at one new revision, or none when a precondition fails. */
  readonly transact: UnaryMethod<TransactRequest, TransactResponse>;
  /** The revision of the last write below a type prefix, read linearizably. */
  readonly typeRevision: UnaryMethod<TypeRevisionRequest, TypeRevisionResponse>;
  /** Every change after a revision, in revision order, without end. */
  readonly changes: StreamingMethod<ChangesRequest, ChangeBatch>;
  /** Forgets history before a revision. */
  readonly compact: UnaryMethod<CompactRequest, CompactResponse>;
  /** How full the store is, as storage has last seen it. */
  readonly space: UnaryMethod<SpaceRequest, SpaceResponse>;
}

/** The contract of `StorageService`: its name and methods on the wire. */
export const storageContract: ServiceContract<StorageService> = {
  name: 'binnacle.internal.storage.Storage',
  methods: [
    {
      name: 'get',
      path: '/binnacle.internal.storage.Storage/Get',
      serverStreaming: false,
      hot: true,
      request: getRequestCodec,
      response: getResponseCodec,
    },
    {
      name: 'list',
      path: '/binnacle.internal.storage.Storage/List',
      serverStreaming: false,
      hot: false,
      request: listRequestCodec,
      response: listResponseCodec,
    },
    {
      name: 'transact',
      path: '/binnacle.internal.storage.Storage/Transact',
      serverStreaming: false,
      hot: true,
      request: transactRequestCodec,
      response: transactResponseCodec,
    },
    {
      name: 'typeRevision',
      path: '/binnacle.internal.storage.Storage/TypeRevision',
      serverStreaming: false,
      hot: true,
      request: typeRevisionRequestCodec,
      response: typeRevisionResponseCodec,
    },
    {
      name: 'changes',
      path: '/binnacle.internal.storage.Storage/Changes',
      serverStreaming: true,
      hot: false,
      request: changesRequestCodec,
      response: changeBatchCodec,
    },
    {
      name: 'compact',
      path: '/binnacle.internal.storage.Storage/Compact',
      serverStreaming: false,
      hot: false,
      request: compactRequestCodec,
      response: compactResponseCodec,
    },
    {
      name: 'space',
      path: '/binnacle.internal.storage.Storage/Space',
      serverStreaming: false,
      hot: false,
      request: spaceRequestCodec,
      response: spaceResponseCodec,
    },
  ],
};
