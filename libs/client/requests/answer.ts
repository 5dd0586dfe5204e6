import type { Readable } from 'node:stream';
import { readJson } from '@binnacle/api-objects';
import { StatusError, serviceUnavailable, statusErrorFromStatus } from '@binnacle/status-errors';

/** A successful answer whose body is still to be read. */
export interface Answer {
  readonly server: URL;
  readonly stream: Readable;
  /** Whether the stream, which has ended, broke off; where it throws then, never. */
  readonly brokeOff: () => boolean;
  /** The whole body, parsed. Rejects beyond the bound. */
  json(maxBytes: number): Promise<unknown>;
}

/** The head of an answer. */
interface AnswerHead {
  readonly code: number;
  readonly stream: Readable;
  readonly server: URL;
  readonly brokeOff?: () => boolean;
}

/** Most bytes of an error's body that are read. */
const maxErrorBytes = 1024 * 1024;
const notSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** The answer to a request that succeeded; rejects with the StatusError of another one. */
export async function answerFrom(head: AnswerHead): Promise<Answer> {
  const { code, stream, server, brokeOff = () => false } = head;
  const isSuccess = code >= 200 && code < 300;
  if (isSuccess) return { server, stream, brokeOff, json: maxBytes => readBody(stream, maxBytes, server) };
  const status = await readBody(stream, maxErrorBytes, server).catch(() => undefined);
  throw statusErrorFromStatus(status, code);
}

/** What a request fails with whose answer does not come, or breaks off. */
export function failureFrom(cause: Error, server: URL): Error {
  if (cause instanceof StatusError || cause.name === 'AbortError') return cause;
  const error = serviceUnavailable(`cannot reach ${server.host}: ${cause.message}`);
  const code = 'code' in cause ? String(cause.code) : '';
  return notSent.has(code) ? unsent(error) : error;
}

/** Marks the failure of a request of which the server surely saw nothing. */
export function unsent(error: Error): Error {
  return Object.assign(error, { unsent: true });
}

function readBody(stream: Readable, maxBytes: number, server: URL): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    stream.on('data', (part: Buffer) => {
      size += part.length;
      if (size > maxBytes)
        stream.destroy(new Error(`an answer of ${server.host} is larger than ${maxBytes} bytes`));
      else parts.push(part);
    });
    stream.on('error', cause => reject(failureFrom(cause, server)));
    // An answer that breaks off over HTTP/2 closes without an error.
    stream.on('close', () => reject(failureFrom(new Error('the answer broke off'), server)));
    stream.on('end', () => {
      try {
        resolve(readJson(Buffer.concat(parts).toString()));
      } catch (cause) {
        reject(serviceUnavailable(`an answer of ${server.host} is not JSON: ${String(cause)}`));
      }
    });
  });
}
