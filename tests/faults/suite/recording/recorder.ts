import type { HistoryRecord, ListRecord, ObjectPlace, WriteRecord } from '@binnacle/binnaclectl/testing';
import type { ApiClient, ApiRequestOptions } from '@binnacle/client';
import { StatusError } from '@binnacle/status-errors';
import { readHolds, readWrittenValue, type WrittenObject, type WrittenObjectList } from './written-object.ts';

/** One request, for the timeline of the report. */
export interface RequestNote {
  /** When it was sent, in milliseconds of the history. */
  readonly at: number;
  readonly ms: number;
  /** 0 where the server could not be reached or its answer did not come. */
  readonly code: number;
}

/** One gateway, and a client of it. */
export interface Door {
  readonly server: string;
  readonly client: ApiClient;
}

/** A write as a client asks for it. */
export type WriteRequest = Pick<WriteRecord, 'client' | 'verb' | 'precondition'> &
  Omit<ObjectPlace, 'name'> & {
    readonly name?: string;
    readonly value?: string;
    readonly request: Pick<ApiRequestOptions, 'method' | 'path' | 'body' | 'contentType'>;
  };

/** Longer than any deadline of the server, so that its own answer comes first. */
const timeoutMs = 40_000;

/** Messages of the client, not of the server, about requests that broke off. */
const lostAnswer = /^(cannot reach|no answer from|an answer of) /;
const unknownOutcomeCode = 504;

/** Sends requests and writes down what became of each. */
export class HistoryRecorder {
  readonly records: HistoryRecord[] = [];
  readonly requests: RequestNote[] = [];
  readonly #origin = performance.now();

  /** Milliseconds since the history began. */
  now(): number {
    return Math.round((performance.now() - this.#origin) * 1000) / 1000;
  }

  /** Sends a write. Resolves with its record; never rejects for what a server answers or fails to. */
  async write({ server, client }: Door, { request, ...rest }: WriteRequest): Promise<WriteRecord> {
    const start = this.now();
    const base = { ...rest, kind: 'write', server, start } as const;
    let record: WriteRecord;
    try {
      const object = await client.request<WrittenObject>({ ...request, timeoutMs });
      const { name = rest.name ?? '', resourceVersion } = object.metadata;
      const isStored = rest.verb !== 'delete' && resourceVersion !== undefined;
      const holds = readHolds(object);
      record = {
        ...{ ...base, end: this.now(), name, outcome: 'ok', code: 200 },
        ...(isStored ? { version: resourceVersion } : {}),
        ...(isStored && holds ? { holds } : {}),
      };
    } catch (error) {
      record = { ...base, end: this.now(), ...classifyFailure(error) };
    }
    this.#add(record, record.code ?? 0);
    return record;
  }

  /** Reads an object; undefined where there is none or no answer came. */
  async read(
    door: Door,
    clientName: string,
    place: ObjectPlace,
    path: string,
  ): Promise<WrittenObject | undefined> {
    const start = this.now();
    const base = { kind: 'read', client: clientName, server: door.server, start, ...place } as const;
    try {
      const object = await door.client.request<WrittenObject>({ method: 'GET', path, timeoutMs });
      const { resourceVersion: version = '' } = object.metadata;
      const holds = readHolds(object);
      const found = { version, value: readWrittenValue(object), ...(holds && { holds }) };
      this.#add({ ...base, end: this.now(), found }, 200);
      return object;
    } catch (error) {
      const { code } = classifyFailure(error);
      if (code === 404) this.#add({ ...base, end: this.now() }, code);
      else this.requests.push({ at: start, ms: this.now() - start, code });
      return undefined;
    }
  }

  /** Lists a collection as one consistent list; rejects with what the server answered instead. */
  async list(
    { server, client }: Door,
    clientName: string,
    collection: Pick<ListRecord, 'resource' | 'namespace'>,
    path: string,
  ): Promise<ListRecord> {
    const start = this.now();
    try {
      const list = await client.request<WrittenObjectList>({ method: 'GET', path, timeoutMs });
      const record: ListRecord = {
        ...{ kind: 'list', client: clientName, server, start, end: this.now(), ...collection },
        version: list.metadata.resourceVersion,
        items: list.items.map(createItem),
      };
      this.#add(record, 200);
      return record;
    } catch (error) {
      this.requests.push({ at: start, ms: this.now() - start, code: classifyFailure(error).code });
      throw error;
    }
  }

  /** Writes down something that is no request. */
  add(record: HistoryRecord): void {
    this.records.push(record);
  }

  #add(record: Extract<HistoryRecord, { start: number }>, code: number): void {
    this.records.push(record);
    this.requests.push({ at: record.start, ms: record.end - record.start, code });
  }
}

function createItem(object: WrittenObject): ListRecord['items'][number] {
  const { name = '', namespace = '', resourceVersion: version = '' } = object.metadata;
  const holds = readHolds(object);
  return { namespace, name, version, value: readWrittenValue(object), ...(holds && { holds }) };
}

/**
 * The outcome of a write that failed. Only a lost answer and a 504 leave it open: by the guarantees any other
 * answer says that the write was not done.
 */
function classifyFailure(
  error: unknown,
): Pick<WriteRecord, 'outcome' | 'reason'> & { readonly code: number } {
  if (!(error instanceof StatusError)) throw error;
  if ('unsent' in error) return { outcome: 'refused', code: 0 };
  if (lostAnswer.test(error.message)) return { outcome: 'unknown', code: 0 };
  const outcome = error.code === unknownOutcomeCode ? 'unknown' : 'refused';
  return { outcome, code: error.code, reason: error.reason };
}
