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
  const json = (maxBytes: number) => readBody({ server, stream, brokeOff }, maxBytes);
  if (isSuccess) return { server, stream, brokeOff, json };
  const status = await json(maxErrorBytes).catch(() => undefined);
  throw statusErrorFromStatus(status, code);
}

/** The error of a request whose answer does not come, or breaks off. */
export function failureFrom(cause: Error, server: URL): Error {
  if (cause instanceof StatusError || cause.name === 'AbortError') return cause;
  const error = unanswered(serviceUnavailable(`cannot reach ${server.host}: ${cause.message}`));
  const code = 'code' in cause ? String(cause.code) : '';
  return notSent.has(code) ? unsent(error) : error;
}

/** Marks the failure of a request of which the server surely saw nothing. */
export function unsent(error: Error): Error {
  return Object.assign(error, { unsent: true });
}

/** Marks the failure of a request to which the server said nothing. */
export function unanswered(error: Error): Error {
  return Object.assign(error, { unanswered: true });
}

function readBody(
  { server, stream, brokeOff }: Pick<Answer, 'server' | 'stream' | 'brokeOff'>,
  maxBytes: number,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const broken = () => failureFrom(new Error('the answer broke off'), server);
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
