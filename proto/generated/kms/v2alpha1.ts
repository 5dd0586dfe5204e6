// Generated from proto/kms/v2alpha1.proto by tools/generate-contracts; edit that file and run `npm run generate`.
import type { MessageCodec, ServiceContract, UnaryMethod } from '../../runtime/contract.ts';
import { assertEnd, newWriter, noBytes, readEntry, readerOf, type Reader, type Writer } from '../../runtime/wire.ts';

/** `StatusRequest` of `v2alpha1.proto`. */
export interface StatusRequest {
}

/** Turns `StatusRequest` into bytes and back. */
export const statusRequestCodec: MessageCodec<StatusRequest> = {
  encode: message => writeStatusRequest(message, newWriter()).finish(),
  decode: bytes => readStatusRequest(readerOf(bytes), bytes.length),
};

/** Appends a `StatusRequest` without its length. */
export function writeStatusRequest(_message: StatusRequest, writer: Writer): Writer {
  return writer;
}

/** Reads a `StatusRequest` that ends at `end`. */
export function readStatusRequest(reader: Reader, end: number): StatusRequest {
  const message: StatusRequest = {  };
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

/** `StatusResponse` of `v2alpha1.proto`. */
export interface StatusResponse {
  /** The version of the API that the plugin has: `v2alpha1`. */
  version: string;
  /** `ok`; every other text means that the plugin is not healthy. */
  healthz: string;
  /** The key that the plugin encrypts with. */
  keyId: string;
}

/** Turns `StatusResponse` into bytes and back. */
export const statusResponseCodec: MessageCodec<StatusResponse> = {
  encode: message => writeStatusResponse(message, newWriter()).finish(),
  decode: bytes => readStatusResponse(readerOf(bytes), bytes.length),
};

/** Appends a `StatusResponse` without its length. */
export function writeStatusResponse(message: StatusResponse, writer: Writer): Writer {
  if (message.version) writer.uint32(10).string(message.version);
  if (message.healthz) writer.uint32(18).string(message.healthz);
  if (message.keyId) writer.uint32(26).string(message.keyId);
  return writer;
}

/** Reads a `StatusResponse` that ends at `end`. */
export function readStatusResponse(reader: Reader, end: number): StatusResponse {
  const message: StatusResponse = { version: '', healthz: '', keyId: '' };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.version = reader.string();
        break;
      case 18:
        message.healthz = reader.string();
        break;
      case 26:
        message.keyId = reader.string();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** `DecryptRequest` of `v2alpha1.proto`. */
export interface DecryptRequest {
  ciphertext: Uint8Array;
  /** Identifies this call in the logs of both sides. */
  uid: string;
  /** The key that the plugin named when it encrypted the data. */
  keyId: string;
  /** The annotations that the plugin gave when it encrypted the data. */
  annotations: { [key: string]: Uint8Array };
}

/** Turns `DecryptRequest` into bytes and back. */
export const decryptRequestCodec: MessageCodec<DecryptRequest> = {
  encode: message => writeDecryptRequest(message, newWriter()).finish(),
  decode: bytes => readDecryptRequest(readerOf(bytes), bytes.length),
};

/** Appends a `DecryptRequest` without its length. */
export function writeDecryptRequest(message: DecryptRequest, writer: Writer): Writer {
  if (message.ciphertext?.length) writer.uint32(10).bytes(message.ciphertext);
  if (message.uid) writer.uint32(18).string(message.uid);
  if (message.keyId) writer.uint32(26).string(message.keyId);
  for (const [key, item] of Object.entries(message.annotations ?? {})) writer.uint32(34).fork().uint32(10).string(key).uint32(18).bytes(item).ldelim();
  return writer;
}

/** Reads a `DecryptRequest` that ends at `end`. */
export function readDecryptRequest(reader: Reader, end: number): DecryptRequest {
  const message: DecryptRequest = { ciphertext: noBytes, uid: '', keyId: '', annotations: {} };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.ciphertext = reader.bytes();
        break;
      case 18:
        message.uid = reader.string();
        break;
      case 26:
        message.keyId = reader.string();
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

/** `DecryptResponse` of `v2alpha1.proto`. */
export interface DecryptResponse {
  plaintext: Uint8Array;
}

/** Turns `DecryptResponse` into bytes and back. */
export const decryptResponseCodec: MessageCodec<DecryptResponse> = {
  encode: message => writeDecryptResponse(message, newWriter()).finish(),
  decode: bytes => readDecryptResponse(readerOf(bytes), bytes.length),
};

/** Appends a `DecryptResponse` without its length. */
export function writeDecryptResponse(message: DecryptResponse, writer: Writer): Writer {
  if (message.plaintext?.length) writer.uint32(10).bytes(message.plaintext);
  return writer;
}

/** Reads a `DecryptResponse` that ends at `end`. */
export function readDecryptResponse(reader: Reader, end: number): DecryptResponse {
  const message: DecryptResponse = { plaintext: noBytes };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.plaintext = reader.bytes();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** `EncryptRequest` of `v2alpha1.proto`. */
export interface EncryptRequest {
  plaintext: Uint8Array;
  /** Identifies this call in the logs of both sides. */
  uid: string;
}

/** Turns `EncryptRequest` into bytes and back. */
export const encryptRequestCodec: MessageCodec<EncryptRequest> = {
  encode: message => writeEncryptRequest(message, newWriter()).finish(),
  decode: bytes => readEncryptRequest(readerOf(bytes), bytes.length),
};

/** Appends a `EncryptRequest` without its length. */
export function writeEncryptRequest(message: EncryptRequest, writer: Writer): Writer {
  if (message.plaintext?.length) writer.uint32(10).bytes(message.plaintext);
  if (message.uid) writer.uint32(18).string(message.uid);
  return writer;
}

/** Reads a `EncryptRequest` that ends at `end`. */
export function readEncryptRequest(reader: Reader, end: number): EncryptRequest {
  const message: EncryptRequest = { plaintext: noBytes, uid: '' };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.plaintext = reader.bytes();
        break;
      case 18:
        message.uid = reader.string();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** `EncryptResponse` of `v2alpha1.proto`. */
export interface EncryptResponse {
  ciphertext: Uint8Array;
  /** The key that the plugin encrypted with. */
  keyId: string;
  /** Stored beside the data, and sent with it to be decrypted. They are not encrypted. */
  annotations: { [key: string]: Uint8Array };
}

/** Turns `EncryptResponse` into bytes and back. */
export const encryptResponseCodec: MessageCodec<EncryptResponse> = {
  encode: message => writeEncryptResponse(message, newWriter()).finish(),
  decode: bytes => readEncryptResponse(readerOf(bytes), bytes.length),
};

/** Appends a `EncryptResponse` without its length. */
export function writeEncryptResponse(message: EncryptResponse, writer: Writer): Writer {
  if (message.ciphertext?.length) writer.uint32(10).bytes(message.ciphertext);
  if (message.keyId) writer.uint32(18).string(message.keyId);
  for (const [key, item] of Object.entries(message.annotations ?? {})) writer.uint32(26).fork().uint32(10).string(key).uint32(18).bytes(item).ldelim();
  return writer;
}

/** Reads a `EncryptResponse` that ends at `end`. */
export function readEncryptResponse(reader: Reader, end: number): EncryptResponse {
  const message: EncryptResponse = { ciphertext: noBytes, keyId: '', annotations: {} };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.ciphertext = reader.bytes();
        break;
      case 18:
        message.keyId = reader.string();
        break;
      case 26:
        readEntry(reader, message.annotations, { tag: 18, read: () => reader.bytes(), missing: () => noBytes });
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** The service `KeyManagementService` of `v2alpha1.proto`. */
export interface KeyManagementServiceService {
  /** Returns the health of the plugin and the key that it encrypts with. Clients poll it. */
  readonly status: UnaryMethod<StatusRequest, StatusResponse>;
  /** Decrypts a data key. */
  readonly decrypt: UnaryMethod<DecryptRequest, DecryptResponse>;
  /** Encrypts a data key. */
  readonly encrypt: UnaryMethod<EncryptRequest, EncryptResponse>;
}

/** The contract of `KeyManagementServiceService`: its name and methods on the wire. */
export const keyManagementServiceContract: ServiceContract<KeyManagementServiceService> = {
  name: 'v2alpha1.KeyManagementService',
  methods: [
    {
      name: 'status',
      path: '/v2alpha1.KeyManagementService/Status',
      serverStreaming: false,
      hot: false,
      request: statusRequestCodec,
      response: statusResponseCodec,
    },
    {
      name: 'decrypt',
      path: '/v2alpha1.KeyManagementService/Decrypt',
      serverStreaming: false,
      hot: false,
      request: decryptRequestCodec,
      response: decryptResponseCodec,
    },
    {
      name: 'encrypt',
      path: '/v2alpha1.KeyManagementService/Encrypt',
      serverStreaming: false,
      hot: false,
      request: encryptRequestCodec,
      response: encryptResponseCodec,
    },
  ],
};
