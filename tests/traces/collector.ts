import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from '@grpc/grpc-js';
import protobuf from 'protobufjs';

/** The part of OpenTelemetry's protocol that the tests look at, with its field numbers. */
const { root } = protobuf.parse(`
  syntax = "proto3";
  message ExportTraceServiceRequest { repeated ResourceSpans resource_spans = 1; }
  message ExportTraceServiceResponse {}
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span {
    bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; bytes parent_span_id = 4; string name = 5; int32 kind = 6;
    fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8; repeated KeyValue attributes = 9; Status status = 15;
  }
  message Status { string message = 2; int32 code = 3; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }
`);
const requestType = root.lookupType('ExportTraceServiceRequest');
const path = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';

/** A span as the collector has received it. */
export interface CollectedSpan {
  /** `service.name` of its process. */
  readonly service: string;
  /** `service.instance.id` of its process: host and process id. */
  readonly instance: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** '' for the root of a trace. */
  readonly parentSpanId: string;
  readonly traceState: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly isFailed: boolean;
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
}

/** A collector of spans over OTLP/gRPC. */
export interface Collector extends AsyncDisposable {
  /** `127.0.0.1:port`. */
  readonly endpoint: string;
  readonly spans: readonly CollectedSpan[];
  /** Whether it takes requests and never answers. */
  isSilent: boolean;
}

interface WireAttribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface WireSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly traceState: string;
  readonly name: string;
  readonly attributes: readonly WireAttribute[];
  readonly status: { readonly code: number } | null;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
}

interface WireRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly WireAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[];
  }[];
}

/** Starts a collector on a port of loopback; by default a free one. */
export async function startCollector(port = 0): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const server = new Server();
  const method = {
    path,
    requestStream: false,
    responseStream: false,
    requestSerialize: (bytes: Buffer) => bytes,
    requestDeserialize: (bytes: Buffer) => bytes,
    responseSerialize: (bytes: Buffer) => bytes,
    responseDeserialize: (bytes: Buffer) => bytes,
  };
  server.addService(
    { export: method },
    {
      export({ request }: ServerUnaryCall<Buffer, Buffer>, callback: sendUnaryData<Buffer>) {
        if (collector.isSilent) return;
        spans.push(...readSpans(request));
        callback(null, Buffer.alloc(0));
      },
    },
  );
  const bound = await new Promise<number>((resolve, reject) =>
    server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error, chosen) =>
      error === null ? resolve(chosen) : reject(error),
    ),
  );
  const collector: Collector = {
    endpoint: `127.0.0.1:${bound}`,
    spans,
    isSilent: false,
    async [Symbol.asyncDispose]() {
      server.forceShutdown();
    },
  };
  return collector;
}

function readSpans(bytes: Buffer): CollectedSpan[] {
  const options = { bytes: String, longs: String, defaults: true, arrays: true };
  // The schema above gives the form.
  const request = requestType.toObject(requestType.decode(bytes), options) as WireRequest;
  return request.resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const process = attributesFrom(resource.attributes);
    return scopeSpans.flatMap(scope => scope.spans.map(span => collected(process, span)));
  });
}

function collected(process: Readonly<Record<string, string>>, span: WireSpan): CollectedSpan {
  const hex = (base64: string): string => Buffer.from(base64, 'base64').toString('hex');
  return {
    service: process['service.name'] ?? '',
    instance: process['service.instance.id'] ?? '',
    name: span.name,
    traceId: hex(span.traceId),
    spanId: hex(span.spanId),
    parentSpanId: hex(span.parentSpanId),
    traceState: span.traceState,
    attributes: attributesFrom(span.attributes),
    isFailed: span.status?.code === 2,
    start: Number(BigInt(span.startTimeUnixNano) / 1000n) / 1000,
    end: Number(BigInt(span.endTimeUnixNano) / 1000n) / 1000,
  };
}

function attributesFrom(attributes: readonly WireAttribute[]): Record<string, string> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, String(Object.values(value)[0])]));
}
