// Generated from proto/kms/encrypted_object.proto by tools/generate-contracts; edit that file and run `npm run generate`.
import type { MessageCodec } from '../../runtime/contract.ts';
import { assertEnd, newWriter, noBytes, readEntry, readerOf, type Reader, type Writer } from '../../runtime/wire.ts';

/** `EncryptedObject` of `encrypted_object.proto`. */
export interface EncryptedObject {
  /** The value, encrypted with the data key. */
  encryptedData: Uint8Array;
  /** The key of the plugin that the data key is encrypted with. */
  keyId: string;
  /** The data key, encrypted by the plugin. */
  encryptedDek: Uint8Array;
  /** The annotations of the plugin. */
  annotations: { [key: string]: Uint8Array };
}

/** Turns `EncryptedObject` into bytes and back. */
export const encryptedObjectCodec: MessageCodec<EncryptedObject> = {
  encode: message => writeEncryptedObject(message, newWriter()).finish(),
  decode: bytes => readEncryptedObject(readerOf(bytes), bytes.length),
};

/** Appends a `EncryptedObject` without its length. */
export function writeEncryptedObject(message: EncryptedObject, writer: Writer): Writer {
  if (message.encryptedData?.length) writer.uint32(10).bytes(message.encryptedData);
  if (message.keyId) writer.uint32(18).string(message.keyId);
  if (message.encryptedDek?.length) writer.uint32(26).bytes(message.encryptedDek);
  for (const [key, item] of Object.entries(message.annotations ?? {})) writer.uint32(34).fork().uint32(10).string(key).uint32(18).bytes(item).ldelim();
  return writer;
}

/** Reads a `EncryptedObject` that ends at `end`. */
export function readEncryptedObject(reader: Reader, end: number): EncryptedObject {
  const message: EncryptedObject = { encryptedData: noBytes, keyId: '', encryptedDek: noBytes, annotations: {} };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.encryptedData = reader.bytes();
        break;
      case 18:
        message.keyId = reader.string();
        break;
      case 26:
        message.encryptedDek = reader.bytes();
        break;
      case 34:
        readEntry(reader, message.annotations, { tag: 18, read: () => reader.bytes(), missing: () => noBytes });
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}
