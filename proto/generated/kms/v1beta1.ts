// Generated from proto/kms/v1beta1.proto by tools/generate-contracts; edit that file and run `npm run generate`.
import type { MessageCodec, ServiceContract, UnaryMethod } from '../../runtime/contract.ts';
import { assertEnd, newWriter, noBytes, readerOf, type Reader, type Writer } from '../../runtime/wire.ts';

/** `VersionRequest` of `v1beta1.proto`. */
export interface VersionRequest {
  /** The version of the API that the client has: `v1beta1`. */
  version: string;
}

/** Turns `VersionRequest` into bytes and back. */
export const versionRequestCodec: MessageCodec<VersionRequest> = {
  encode: message => writeVersionRequest(message, newWriter()).finish(),
  decode: bytes => readVersionRequest(readerOf(bytes), bytes.length),
};

/** Appends a `VersionRequest` without its length. */
export function writeVersionRequest(message: VersionRequest, writer: Writer): Writer {
  if (message.version) writer.uint32(10).string(message.version);
  return writer;
}

/** Reads a `VersionRequest` that ends at `end`. */
export function readVersionRequest(reader: Reader, end: number): VersionRequest {
  const message: VersionRequest = { version: '' };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.version = reader.string();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** `VersionResponse` of `v1beta1.proto`. */
export interface VersionResponse {
  /** The version of the API that the plugin has: `v1beta1`. */
  version: string;
  runtimeName: string;
  runtimeVersion: string;
}

/** Turns `VersionResponse` into bytes and back. */
export const versionResponseCodec: MessageCodec<VersionResponse> = {
  encode: message => writeVersionResponse(message, newWriter()).finish(),
  decode: bytes => readVersionResponse(readerOf(bytes), bytes.length),
};

/** Appends a `VersionResponse` without its length. */
export function writeVersionResponse(message: VersionResponse, writer: Writer): Writer {
  if (message.version) writer.uint32(10).string(message.version);
  if (message.runtimeName) writer.uint32(18).string(message.runtimeName);
  if (message.runtimeVersion) writer.uint32(26).string(message.runtimeVersion);
  return writer;
}

/** Reads a `VersionResponse` that ends at `end`. */
export function readVersionResponse(reader: Reader, end: number): VersionResponse {
  const message: VersionResponse = { version: '', runtimeName: '', runtimeVersion: '' };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.version = reader.string();
        break;
      case 18:
        message.runtimeName = reader.string();
        break;
      case 26:
        message.runtimeVersion = reader.string();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** `DecryptRequest` of `v1beta1.proto`. */
export interface DecryptRequest {
  /** The version of the API: `v1beta1`. */
  version: string;
  cipher: Uint8Array;
}

/** Turns `DecryptRequest` into bytes and back. */
export const decryptRequestCodec: MessageCodec<DecryptRequest> = {
  encode: message => writeDecryptRequest(message, newWriter()).finish(),
  decode: bytes => readDecryptRequest(readerOf(bytes), bytes.length),
};

/** Appends a `DecryptRequest` without its length. */
export function writeDecryptRequest(message: DecryptRequest, writer: Writer): Writer {
  if (message.version) writer.uint32(10).string(message.version);
  if (message.cipher?.length) writer.uint32(18).bytes(message.cipher);
  return writer;
}

/** Reads a `DecryptRequest` that ends at `end`. */
export function readDecryptRequest(reader: Reader, end: number): DecryptRequest {
  const message: DecryptRequest = { version: '', cipher: noBytes };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.version = reader.string();
        break;
      case 18:
        message.cipher = reader.bytes();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** `DecryptResponse` of `v1beta1.proto`. */
export interface DecryptResponse {
  plain: Uint8Array;
}

/** Turns `DecryptResponse` into bytes and back. */
export const decryptResponseCodec: MessageCodec<DecryptResponse> = {
  encode: message => writeDecryptResponse(message, newWriter()).finish(),
  decode: bytes => readDecryptResponse(readerOf(bytes), bytes.length),
};

/** Appends a `DecryptResponse` without its length. */
export function writeDecryptResponse(message: DecryptResponse, writer: Writer): Writer {
  if (message.plain?.length) writer.uint32(10).bytes(message.plain);
  return writer;
}

/** Reads a `DecryptResponse` that ends at `end`. */
export function readDecryptResponse(reader: Reader, end: number): DecryptResponse {
  const message: DecryptResponse = { plain: noBytes };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.plain = reader.bytes();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** `EncryptRequest` of `v1beta1.proto`. */
export interface EncryptRequest {
  /** The version of the API: `v1beta1`. */
  version: string;
  plain: Uint8Array;
}

/** Turns `EncryptRequest` into bytes and back. */
export const encryptRequestCodec: MessageCodec<EncryptRequest> = {
  encode: message => writeEncryptRequest(message, newWriter()).finish(),
  decode: bytes => readEncryptRequest(readerOf(bytes), bytes.length),
};

/** Appends a `EncryptRequest` without its length. */
export function writeEncryptRequest(message: EncryptRequest, writer: Writer): Writer {
  if (message.version) writer.uint32(10).string(message.version);
  if (message.plain?.length) writer.uint32(18).bytes(message.plain);
  return writer;
}

/** Reads a `EncryptRequest` that ends at `end`. */
export function readEncryptRequest(reader: Reader, end: number): EncryptRequest {
  const message: EncryptRequest = { version: '', plain: noBytes };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.version = reader.string();
        break;
      case 18:
        message.plain = reader.bytes();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** `EncryptResponse` of `v1beta1.proto`. */
export interface EncryptResponse {
  cipher: Uint8Array;
}

/** Turns `EncryptResponse` into bytes and back. */
export const encryptResponseCodec: MessageCodec<EncryptResponse> = {
  encode: message => writeEncryptResponse(message, newWriter()).finish(),
  decode: bytes => readEncryptResponse(readerOf(bytes), bytes.length),
};

/** Appends a `EncryptResponse` without its length. */
export function writeEncryptResponse(message: EncryptResponse, writer: Writer): Writer {
  if (message.cipher?.length) writer.uint32(10).bytes(message.cipher);
  return writer;
}

/** Reads a `EncryptResponse` that ends at `end`. */
export function readEncryptResponse(reader: Reader, end: number): EncryptResponse {
  const message: EncryptResponse = { cipher: noBytes };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.cipher = reader.bytes();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** The service `KeyManagementService` of `v1beta1.proto`. */
export interface KeyManagementServiceService {
  /** Returns the version of the API, and the name and version of the plugin. */
  readonly version: UnaryMethod<VersionRequest, VersionResponse>;
  /** Decrypts a data key. */
  readonly decrypt: UnaryMethod<DecryptRequest, DecryptResponse>;
  /** Encrypts a data key. */
  readonly encrypt: UnaryMethod<EncryptRequest, EncryptResponse>;
}

/** The contract of `KeyManagementServiceService`: its name and methods on the wire. */
export const keyManagementServiceContract: ServiceContract<KeyManagementServiceService> = {
  name: 'v1beta1.KeyManagementService',
  methods: [
    {
      name: 'version',
      path: '/v1beta1.KeyManagementService/Version',
      serverStreaming: false,
      hot: false,
      request: versionRequestCodec,
      response: versionResponseCodec,
    },
    {
      name: 'decrypt',
      path: '/v1beta1.KeyManagementService/Decrypt',
      serverStreaming: false,
      hot: false,
      request: decryptRequestCodec,
      response: decryptResponseCodec,
    },
    {
      name: 'encrypt',
      path: '/v1beta1.KeyManagementService/Encrypt',
      serverStreaming: false,
      hot: false,
      request: encryptRequestCodec,
      response: encryptResponseCodec,
    },
  ],
};
