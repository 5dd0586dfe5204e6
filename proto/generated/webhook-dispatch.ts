// Generated from proto/internal/webhook_dispatch.proto by tools/generate-contracts; edit that file and run `npm run generate`.
import type { MessageCodec, ServiceContract, UnaryMethod } from '../runtime/contract.ts';
import { assertEnd, enumValue, messageEnd, newWriter, noBytes, readerOf, type Reader, type Writer } from '../runtime/wire.ts';

/** `CallFailure` of `webhook_dispatch.proto`. */
export type CallFailure =
  | 'NONE'
  | 'TIMEOUT'
  | 'CONNECTION'
  | 'CERTIFICATE'
  | 'NO_SUCH_SERVICE'
  | 'TOO_LARGE'
  | 'INVALID_TARGET';

const callFailureValues: readonly CallFailure[] = ['NONE', 'TIMEOUT', 'CONNECTION', 'CERTIFICATE', 'NO_SUCH_SERVICE', 'TOO_LARGE', 'INVALID_TARGET'];

const callFailureNumbers: { readonly [name in CallFailure]: number } = {
  NONE: 0,
  TIMEOUT: 1,
  CONNECTION: 2,
  CERTIFICATE: 3,
  NO_SUCH_SERVICE: 4,
  TOO_LARGE: 5,
  INVALID_TARGET: 6,
};

/** `ServiceReference` of `webhook_dispatch.proto`. */
export interface ServiceReference {
  namespace: string;
  name: string;
  /** Defaults to "/". */
  path: string;
  /** Defaults to 443. */
  port: number;
}

/** Turns `ServiceReference` into bytes and back. */
export const serviceReferenceCodec: MessageCodec<ServiceReference> = {
  encode: message => writeServiceReference(message, newWriter()).finish(),
  decode: bytes => readServiceReference(readerOf(bytes), bytes.length),
};

/** Appends a `ServiceReference` without its length. */
export function writeServiceReference(message: ServiceReference, writer: Writer): Writer {
  if (message.namespace) writer.uint32(10).string(message.namespace);
  if (message.name) writer.uint32(18).string(message.name);
  if (message.path) writer.uint32(26).string(message.path);
  if (message.port) writer.uint32(32).uint32(message.port);
  return writer;
}

/** Reads a `ServiceReference` that ends at `end`. */
export function readServiceReference(reader: Reader, end: number): ServiceReference {
  const message: ServiceReference = { namespace: '', name: '', path: '', port: 0 };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.namespace = reader.string();
        break;
      case 18:
        message.name = reader.string();
        break;
      case 26:
        message.path = reader.string();
        break;
      case 32:
        message.port = reader.uint32();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** An address that a service reference stands for. */
export interface ServiceAddress {
  /** An IP address, or the name of a service that is outside the cluster. */
  host: string;
  port: number;
}

/** Turns `ServiceAddress` into bytes and back. */
export const serviceAddressCodec: MessageCodec<ServiceAddress> = {
  encode: message => writeServiceAddress(message, newWriter()).finish(),
  decode: bytes => readServiceAddress(readerOf(bytes), bytes.length),
};

/** Appends a `ServiceAddress` without its length. */
export function writeServiceAddress(message: ServiceAddress, writer: Writer): Writer {
  if (message.host) writer.uint32(10).string(message.host);
  if (message.port) writer.uint32(16).uint32(message.port);
  return writer;
}

/** Reads a `ServiceAddress` that ends at `end`. */
export function readServiceAddress(reader: Reader, end: number): ServiceAddress {
  const message: ServiceAddress = { host: '', port: 0 };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.host = reader.string();
        break;
      case 16:
        message.port = reader.uint32();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** Who the caller says it is towards the other side. */
export interface CallCredentials {
  /** PEM; both or none. */
  clientCertificate: Uint8Array;
  clientKey: Uint8Array;
  /** Sent as Basic authorization when the name is not empty. */
  username: string;
  password: string;
  /** Sent as Bearer authorization when it is not empty. */
  token: string;
}

/** Turns `CallCredentials` into bytes and back. */
export const callCredentialsCodec: MessageCodec<CallCredentials> = {
  encode: message => writeCallCredentials(message, newWriter()).finish(),
  decode: bytes => readCallCredentials(readerOf(bytes), bytes.length),
};

/** Appends a `CallCredentials` without its length. */
export function writeCallCredentials(message: CallCredentials, writer: Writer): Writer {
  if (message.clientCertificate?.length) writer.uint32(10).bytes(message.clientCertificate);
  if (message.clientKey?.length) writer.uint32(18).bytes(message.clientKey);
  if (message.username) writer.uint32(26).string(message.username);
  if (message.password) writer.uint32(34).string(message.password);
  if (message.token) writer.uint32(42).string(message.token);
  return writer;
}

/** Reads a `CallCredentials` that ends at `end`. */
export function readCallCredentials(reader: Reader, end: number): CallCredentials {
  const message: CallCredentials = { clientCertificate: noBytes, clientKey: noBytes, username: '', password: '', token: '' };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.clientCertificate = reader.bytes();
        break;
      case 18:
        message.clientKey = reader.bytes();
        break;
      case 26:
        message.username = reader.string();
        break;
      case 34:
        message.password = reader.string();
        break;
      case 42:
        message.token = reader.string();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** `CallRequest` of `webhook_dispatch.proto`. */
export interface CallRequest {
  /** Exactly one of url and service. */
  url: string;
  service?: ServiceReference | undefined;
  /** PEM; empty means the system's roots. */
  caBundle: Uint8Array;
  body: Uint8Array;
  timeoutSeconds: number;
  /** Who is calling, for logs and metrics: the webhook's name. */
  caller: string;
  /** The address of the service, as the caller found it in the cluster's objects. */
  address?: ServiceAddress | undefined;
  credentials?: CallCredentials | undefined;
}

/** Turns `CallRequest` into bytes and back. */
export const callRequestCodec: MessageCodec<CallRequest> = {
  encode: message => writeCallRequest(message, newWriter()).finish(),
  decode: bytes => readCallRequest(readerOf(bytes), bytes.length),
};

/** Appends a `CallRequest` without its length. */
export function writeCallRequest(message: CallRequest, writer: Writer): Writer {
  if (message.url) writer.uint32(10).string(message.url);
  if (message.service !== undefined) writeServiceReference(message.service, writer.uint32(18).fork()).ldelim();
  if (message.caBundle?.length) writer.uint32(26).bytes(message.caBundle);
  if (message.body?.length) writer.uint32(34).bytes(message.body);
  if (message.timeoutSeconds) writer.uint32(40).uint32(message.timeoutSeconds);
  if (message.caller) writer.uint32(50).string(message.caller);
  if (message.address !== undefined) writeServiceAddress(message.address, writer.uint32(58).fork()).ldelim();
  if (message.credentials !== undefined) writeCallCredentials(message.credentials, writer.uint32(66).fork()).ldelim();
  return writer;
}

/** Reads a `CallRequest` that ends at `end`. */
export function readCallRequest(reader: Reader, end: number): CallRequest {
  const message: CallRequest = { url: '', caBundle: noBytes, body: noBytes, timeoutSeconds: 0, caller: '' };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 10:
        message.url = reader.string();
        break;
      case 18:
        message.service = readServiceReference(reader, messageEnd(reader));
        break;
      case 26:
        message.caBundle = reader.bytes();
        break;
      case 34:
        message.body = reader.bytes();
        break;
      case 40:
        message.timeoutSeconds = reader.uint32();
        break;
      case 50:
        message.caller = reader.string();
        break;
      case 58:
        message.address = readServiceAddress(reader, messageEnd(reader));
        break;
      case 66:
        message.credentials = readCallCredentials(reader, messageEnd(reader));
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** `CallResponse` of `webhook_dispatch.proto`. */
export interface CallResponse {
  failure: CallFailure;
  /** The description of the failure, in words for the client of the API; empty without a failure. */
  failureMessage: string;
  status: number;
  contentType: string;
  body: Uint8Array;
}

/** Turns `CallResponse` into bytes and back. */
export const callResponseCodec: MessageCodec<CallResponse> = {
  encode: message => writeCallResponse(message, newWriter()).finish(),
  decode: bytes => readCallResponse(readerOf(bytes), bytes.length),
};

/** Appends a `CallResponse` without its length. */
export function writeCallResponse(message: CallResponse, writer: Writer): Writer {
  if (message.failure && message.failure !== 'NONE') writer.uint32(8).int32(callFailureNumbers[message.failure]);
  if (message.failureMessage) writer.uint32(18).string(message.failureMessage);
  if (message.status) writer.uint32(24).uint32(message.status);
  if (message.contentType) writer.uint32(34).string(message.contentType);
  if (message.body?.length) writer.uint32(42).bytes(message.body);
  return writer;
}

/** Reads a `CallResponse` that ends at `end`. */
export function readCallResponse(reader: Reader, end: number): CallResponse {
  const message: CallResponse = { failure: 'NONE', failureMessage: '', status: 0, contentType: '', body: noBytes };
  while (reader.pos < end) {
    const tag = reader.uint32();
    switch (tag) {
      case 8:
        message.failure = enumValue(callFailureValues, reader.int32(), 'CallFailure');
        break;
      case 18:
        message.failureMessage = reader.string();
        break;
      case 24:
        message.status = reader.uint32();
        break;
      case 34:
        message.contentType = reader.string();
        break;
      case 42:
        message.body = reader.bytes();
        break;
      default:
        reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  assertEnd(reader, end);
  return message;
}

/** The service `WebhookDispatch` of `webhook_dispatch.proto`. */
export interface WebhookDispatchService {
  /** Posts a JSON body and returns the answer's; any HTTP answer is a response, its absence a classified failure. */
  readonly call: UnaryMethod<CallRequest, CallResponse>;
}

/** The contract of `WebhookDispatchService`: its name and methods on the wire. */
export const webhookDispatchContract: ServiceContract<WebhookDispatchService> = {
  name: 'binnacle.internal.webhook_dispatch.WebhookDispatch',
  methods: [
    {
      name: 'call',
      path: '/binnacle.internal.webhook_dispatch.WebhookDispatch/Call',
      serverStreaming: false,
      hot: true,
      request: callRequestCodec,
      response: callResponseCodec,
    },
  ],
};
