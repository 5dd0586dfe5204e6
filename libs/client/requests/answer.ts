import type { Readable } from 'node:stream';
import { readJson } from '@binnacle/api-objects';
import { StatusError, serviceUnavailable, statusErrorFromStatus } from '@binnacle/status-errors';

/** A successful answer whose body has not been read. */
export interface Answer {
  readonly server: URL;
  readonly stream: Readable;
  /** Whether the ended stream was incomplete; always false for streams that report this as an error. */
  readonly brokeOff: () => boolean;
  /** Reads and parses the whole body; rejects if it is longer than `maxBytes`. */
  json(maxBytes: number): Promise<unknown>;
}

/** The head of an answer. */
interface AnswerHead {
  readonly code: number;
  readonly stream: Readable;
  readonly server: URL;
  readonly brokeOff?: () => boolean;
}

/** Maximum size of the body of an error, in bytes. */
const maxErrorBytes = 1024 * 1024;
const notSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Returns the answer of a successful request; rejects with the StatusError of any other one. */
export async function answerFrom(head: AnswerHead): Promise<Answer> {
  const { code, stream, server, brokeOff = () => false } = head;
  const isSuccess = code >= 200 && code < 300;
  const json = (maxBytes: number) => readBody({ server, stream, brokeOff }, maxBytes);
  if (isSuccess) return { server, stream, brokeOff, json };
  const status = await json(maxErrorBytes).catch(() => undefined);
  throw statusErrorFromStatus(status, code);
}

/** Converts the error of a request whose answer is missing or incomplete. */
export function failureFrom(cause: Error, server: URL): Error {
  if (cause instanceof StatusError || cause.name === 'AbortError') return cause;
  const error = unanswered(serviceUnavailable(`cannot reach ${server.host}: ${cause.message}`));
  const code = 'code' in cause ? String(cause.code) : '';
  return notSent.has(code) ? unsent(error) : error;
}

/** Marks the error of a request that the server certainly did not receive. */
export function unsent(error: Error): Error {
  return Object.assign(error, { unsent: true });
}

/** Marks the error of a request without an answer. */
export function unanswered(error: Error): Error {
  return Object.assign(error, { unanswered: true });
}

function readBody(
  { server, stream, brokeOff }: Pick<Answer, 'server' | 'stream' | 'brokeOff'>,
  maxBytes: number,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const broken = () => failureFrom(new Error('the connection broke during the answer'), server);
    const parts: Buffer[] = [];
    let size = 0;
    stream.on('data', (part: Buffer) => {
      size += part.length;
      if (size > maxBytes)
        stream.destroy(new Error(`an answer of ${server.host} is larger than ${maxBytes} bytes`));
      else parts.push(part);
    });
    stream.on('error', cause => reject(failureFrom(cause, server)));
    // An incomplete answer over HTTP/2 closes without an error.
    stream.on('close', () => reject(broken()));
    stream.on('end', () => {
      if (brokeOff()) return reject(broken());
      try {
        resolve(readJson(Buffer.concat(parts).toString()));
      } catch (cause) {
        reject(serviceUnavailable(`an answer of ${server.host} is not JSON: ${String(cause)}`));
      }
    });
  });
}
