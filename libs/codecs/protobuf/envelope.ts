import type { JsonObject, ListMeta } from '@binnacle/api-objects';
import { type MessageType, messageNamed } from '@binnacle/api-types';
import { badRequest } from '@binnacle/status-errors';
import { MalformedBytes, refuseMalformed } from './malformed-bytes.ts';
import { decodeMessage } from './message-decoder.ts';
import { writeMessage } from './message-encoder.ts';
import { WireReader } from './wire-reader.ts';
import { WireWriter } from './wire-writer.ts';

/** Decoded protobuf envelope: type and message bytes of an object. */
interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  /** A view of the message bytes. */
  readonly raw: Uint8Array;
}

const magic = Buffer.from([0x6b, 0x38, 0x73, 0x00]);
const typeMetaTag = 0x0a;
const rawTag = 0x12;
const contentEncodingTag = 0x1a;
const contentTypeTag = 0x22;
const apiVersionTag = 0x0a;
const kindTag = 0x12;
const listMetaTag = 0x0a;
const listItemTag = 0x12;
const eventTypeTag = 0x0a;
const eventObjectTag = 0x12;
const eventObjectRawTag = 0x0a;
/** Length prefix of an event, in bytes. */
const eventLengthBytes = 4;
const writer = new WireWriter();

/** Encodes an object in the protobuf envelope, with the object's kind and apiVersion. */
export function encodeProtobuf(
  type: MessageType | { readonly message: MessageType },
  object: JsonObject,
): Buffer {
  writer.reset();
  writeEnvelope('message' in type ? type.message : type, object);
  return writer.finish();
}

function writeEnvelope(message: MessageType, object: JsonObject): void {
  writeEnvelopeEnd(writer);
  const before = writer.length;
  writeMessage(message, object, writer);
  writer.varint(writer.length - before);
  writeEnvelopeStart(writer, asText(object['apiVersion']), asText(object['kind']));
}

/** Kind, version and metadata of a list. */
export interface ProtobufListHead {
  readonly apiVersion: string;
  readonly kind: string;
  readonly listMeta: ListMeta;
}

/** Encodes an item of a list, which goes between the two parts of `protobufListFrame`. */
export function encodeProtobufListItem(message: MessageType, object: JsonObject): Buffer {
  writer.reset();
  writeMessage(message, object, writer);
  writer.varint(writer.length);
  writer.varint(listItemTag);
  return writer.finish();
}

/** Encodes the bytes before and after the items of a list in the envelope; `itemBytes` is the total length of the items. */
export function protobufListFrame(
  list: ProtobufListHead,
  itemBytes: number,
): { readonly start: Buffer; readonly end: Buffer } {
  writer.reset();
  writeEnvelopeEnd(writer);
  const end = writer.finish();
  writeMessage(messageNamed('meta.v1.ListMeta'), list.listMeta, writer);
  writer.varint(writer.length);
  writer.varint(listMetaTag);
  writer.varint(writer.length + itemBytes);
  writeEnvelopeStart(writer, list.apiVersion, list.kind);
  return { start: writer.finish(), end };
}

/** One event of a protobuf watch: its type, its object and the object's message type. */
export interface ProtobufWatchEvent {
  readonly type: string;
  readonly message: MessageType;
  readonly object: JsonObject;
}

/**
 * Encodes an event of a protobuf watch with its object in the envelope, with `withLength` after its length in four bytes. `open`
 * receives the total length and returns the target buffer, so that only one buffer is allocated.
 */
export function writeProtobufWatchEvent(
  { type, message, object }: ProtobufWatchEvent,
  withLength: boolean,
  open: (size: number) => { readonly buffer: Buffer; readonly contentStart: number },
): Buffer {
  writer.reset();
  writeEnvelope(message, object);
  writer.varint(writer.length);
  writer.varint(eventObjectRawTag);
  writer.varint(writer.length);
  writer.varint(eventObjectTag);
  writer.text(type);
  writer.varint(eventTypeTag);
  const { length } = writer;
  const before = withLength ? eventLengthBytes : 0;
  const { buffer, contentStart } = open(before + length);
  if (withLength) buffer.writeUInt32BE(length, contentStart);
  writer.finishInto(buffer, contentStart + before);
  return buffer;
}

/** Decodes the envelope; throws BadRequest if the bytes are not an envelope or its content has an encoding. */
export function decodeEnvelope(bytes: Uint8Array): Envelope {
  if (bytes.length < magic.length || magic.some((byte, i) => bytes[i] !== byte)) {
    throw badRequest(
      'the body does not appear to be a protobuf message: it must begin with the bytes 6b 38 73 00',
    );
  }
  if (bytes.length === magic.length) throw badRequest('the body is an empty protobuf message');
  return refuseMalformed(() => readEnvelope(new WireReader(bytes.subarray(magic.length))));
}

function readEnvelope(reader: WireReader): Envelope {
  let typeMeta = { apiVersion: '', kind: '' };
  let raw: Uint8Array = new Uint8Array(0);
  while (reader.position < reader.end) {
    reader.countValues(1);
    const tag = reader.tag();
    if (tag === typeMetaTag) typeMeta = readTypeMeta(new WireReader(reader.bytes()));
    else if (tag === rawTag) raw = readRaw(reader);
    else if (tag === contentEncodingTag) refuseUnlessEmpty(reader.text());
    else reader.skip(tag % 8);
  }
  return { ...typeMeta, raw };
}

/** Decodes an object of a known type from the envelope; returns kind and apiVersion as sent. */
export function decodeProtobuf(
  bytes: Uint8Array,
  message: MessageType,
): { readonly apiVersion: string; readonly kind: string; readonly object: JsonObject } {
  const { apiVersion, kind, raw } = decodeEnvelope(bytes);
  return { apiVersion, kind, object: decodeMessage(message, raw) };
}

function readRaw(reader: WireReader): Uint8Array {
  try {
    return reader.bytes();
  } catch (error) {
    if (error instanceof MalformedBytes) error.within('raw');
    throw error;
  }
}

function readTypeMeta(reader: WireReader): { apiVersion: string; kind: string } {
  const typeMeta = { apiVersion: '', kind: '' };
  while (reader.position < reader.end) {
    reader.countValues(1);
    const tag = reader.tag();
    if (tag === apiVersionTag) typeMeta.apiVersion = reader.text();
    else if (tag === kindTag) typeMeta.kind = reader.text();
    else reader.skip(tag % 8);
  }
  return typeMeta;
}

function refuseUnlessEmpty(contentEncoding: string): void {
  if (contentEncoding !== '')
    throw new MalformedBytes(
      `content encoding ${JSON.stringify(contentEncoding.slice(0, 32))} is not supported`,
    );
}

function writeEnvelopeEnd(target: WireWriter): void {
  target.varint(0);
  target.varint(contentTypeTag);
  target.varint(0);
  target.varint(contentEncodingTag);
}

function writeEnvelopeStart(target: WireWriter, apiVersion: string, kind: string): void {
  target.varint(rawTag);
  const before = target.length;
  target.text(kind);
  target.varint(kindTag);
  target.text(apiVersion);
  target.varint(apiVersionTag);
  target.varint(target.length - before);
  target.varint(typeMetaTag);
  target.raw(magic);
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
