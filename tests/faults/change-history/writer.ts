import type { WriteRecord } from '@binnacle/binnaclectl/testing';
import type { ApiClient } from '@binnacle/client';
import { StatusError } from '@binnacle/status-errors';

/** A write that is known to have been committed. */
export type CommittedWrite = WriteRecord & { readonly name: string; readonly version: string };

/** The object that a writer writes, as much of it as it reads. */
interface Counted {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly data?: { readonly counter?: string };
}

/** The only writer of one object, so that the outcome of a write can always be found out. */
interface WriterOptions {
  readonly client: ApiClient;
  readonly namespace: string;
  readonly resource: 'configmaps' | 'secrets';
  readonly name: string;
  readonly writes: number;
  /** Called for every committed write, in order. */
  readonly onCommitted: (write: CommittedWrite) => void;
  /** Called for every answer that left the outcome open or refused the write. */
  readonly onTrouble: (error: unknown) => void;
}

/**
 * Writes an object's counter from 1 on, each value once. After an answer that leaves the outcome open the object is
 * read until that is known; a write that did not happen is done again.
 */
export async function runWriter(options: WriterOptions): Promise<void> {
  const { resource, namespace, name } = options;
  let current: Counted | undefined;
  for (let counter = 1; counter <= options.writes; counter++) {
    const start = performance.now();
    const before = current?.metadata.resourceVersion;
    current = await writeOnce(options, counter, current);
    options.onCommitted({
      ...{ kind: 'write', client: name, verb: before === undefined ? 'create' : 'update', outcome: 'ok' },
      ...{ start, end: performance.now(), resource, namespace, name, value: String(counter) },
      version: current.metadata.resourceVersion,
      ...(before === undefined ? {} : { precondition: before }),
    });
  }
}

async function writeOnce(
  options: WriterOptions,
  counter: number,
  before: Counted | undefined,
): Promise<Counted> {
  let known = before;
  for (;;) {
    try {
      return await send(options, counter, known);
    } catch (error) {
      options.onTrouble(error);
      known = await readUntilKnown(options);
      if (known && readCounter(known) === counter) return known;
      if (known && readCounter(known) > counter) throw new Error(`${options.name} is ahead of its writer`);
    }
  }
}

function send(options: WriterOptions, counter: number, before: Counted | undefined): Promise<Counted> {
  const { client, namespace, resource, name } = options;
  const collection = `/api/v1/namespaces/${namespace}/${resource}`;
  const kind = resource === 'configmaps' ? 'ConfigMap' : 'Secret';
  const text = String(counter);
  const data = { counter: resource === 'configmaps' ? text : Buffer.from(text).toString('base64') };
  const resourceVersion = before?.metadata.resourceVersion;
  const metadata = { name, namespace, ...(resourceVersion && { resourceVersion }) };
  const body = { apiVersion: 'v1', kind, metadata, data };
  return before
    ? client.request({ method: 'PUT', path: `${collection}/${name}`, body, timeoutMs: 15_000 })
    : client.request({ method: 'POST', path: collection, body, timeoutMs: 15_000 });
}

/** The object as it is, undefined when it was never created. */
async function readUntilKnown(options: WriterOptions): Promise<Counted | undefined> {
  const path = `/api/v1/namespaces/${options.namespace}/${options.resource}/${options.name}`;
  for (;;) {
    try {
      return await options.client.request<Counted>({ method: 'GET', path, timeoutMs: 15_000 });
    } catch (error) {
      if (error instanceof StatusError && error.code === 404) return undefined;
      await new Promise(resolve => setTimeout(resolve, 200));
    }
  }
}

/** The counter of an object: plain in a config map, base64 in a secret, which is the one with a type. */
export function readCounter(object: Counted): number {
  const text = object.data?.counter ?? '';
  return Number('type' in object ? Buffer.from(text, 'base64').toString() : text);
}
