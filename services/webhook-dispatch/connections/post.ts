import type { IncomingMessage } from 'node:http';
import { type Agent, request as startRequest } from 'node:https';
import { isIP } from 'node:net';
import { refusedAddressCode } from '@binnacle/network-filter';
import type { CallFailure, TraceContext } from '@binnacle/proto';
import { errorMessage } from '@binnacle/status-errors';
import { CallFailed, type Target } from '../targets/target.ts';

/** The answer of the server, with any status. */
export interface PostAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
}

/** One POST. */
interface Post {
  readonly target: Target;
  readonly agent: Agent;
  readonly body: Uint8Array;
  readonly signal: AbortSignal;
  /** The trace that the webhook is to join. */
  readonly trace: TraceContext | undefined;
  /** Longest body of an answer in bytes. */
  readonly maxAnswerBytes: number;
}

/** Posts a JSON body and reads the answer; follows no redirect. Throws CallFailed when there is no answer. */
export async function post(options: Post): Promise<PostAnswer> {
  try {
    return await attempt(options);
  } catch (thrown) {
    if (!(thrown instanceof StaleConnection)) throw thrown;
    // The server closed the kept connection just when it was reused, and has not received the request.
    return await attempt(options);
  }
}

/** The failure of a kept connection that broke before any answer. */
class StaleConnection extends CallFailed {}

function attempt(options: Post): Promise<PostAnswer> {
  const { target, agent, body, signal, maxAnswerBytes } = options;
  const { url, address, serverName } = target;
  return new Promise((resolve, reject) => {
    const request = startRequest({
      method: 'POST',
      agent,
      host: address?.host ?? serverName,
      port: address?.port ?? (url.port || 443),
      path: `${url.pathname}${url.search}`,
      // An address is no server name in TLS; the certificate is still checked against it.
      ...(isIP(serverName) === 0 ? { servername: serverName } : {}),
      headers: {
        host: url.host,
        'content-type': 'application/json',
        'content-length': body.length,
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': 'binnacle-webhook-dispatch',
        ...createAuthorization(target),
        ...traceHeaders(options.trace),
      },
    });
    // Cheaper than the option `signal`, with which Node observes the end of each request twice.
    const abort = () => request.destroy(new Error('the call ended'));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    request.on('close', () => signal.removeEventListener('abort', abort));
    request.on('response', answer => readAnswer(answer, { maxAnswerBytes, resolve, reject }));
    request.on('error', error => {
      const stale = request.reusedSocket && readErrorCode(error) === 'ECONNRESET' && !signal.aborted;
      const Failure = stale ? StaleConnection : CallFailed;
      const failure = classifyFailure(error);
      reject(new Failure(failure, describeError(error, failure), { cause: error }));
    });
    request.end(body);
  });
}

/** The W3C headers of a trace. */
function traceHeaders(trace: TraceContext | undefined): Record<string, string> {
  if (trace === undefined) return {};
  const { traceparent, tracestate } = trace;
  return { traceparent, ...(tracestate !== '' && { tracestate }) };
}

function createAuthorization({ credentials }: Target): { authorization?: string } {
  if (credentials === undefined) return {};
  const { username, password, token } = credentials;
  if (token !== '') return { authorization: `Bearer ${token}` };
  if (username === '') return {};
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}

/** Creates the message for an error, without Node's advice to the operator, which follows a semicolon. */
function describeError({ message }: Error, failure: CallFailure): string {
  if (failure !== 'CERTIFICATE') return message;
  return `the certificate of the webhook is not trusted: ${message.split(';', 1)[0]}`;
}

interface AnswerReader {
  readonly maxAnswerBytes: number;
  resolve(answer: PostAnswer): void;
  reject(failure: CallFailed): void;
}

function readAnswer(answer: IncomingMessage, { maxAnswerBytes, resolve, reject }: AnswerReader): void {
  const parts: Buffer[] = [];
  let length = 0;
  answer.on('data', (part: Buffer) => {
    length += part.length;
    parts.push(part);
    if (length <= maxAnswerBytes) return;
    reject(new CallFailed('TOO_LARGE', `the answer is longer than ${maxAnswerBytes} bytes`));
    answer.destroy();
  });
  answer.on('end', () =>
    resolve({
      status: answer.statusCode ?? 0,
      contentType: answer.headers['content-type'] ?? '',
      body: parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts),
    }),
  );
  answer.on('error', error => reject(new CallFailed('CONNECTION', errorMessage(error), { cause: error })));
}

const certificateCodes: ReadonlySet<string> = new Set([
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'INVALID_PURPOSE',
]);

/** Classifies an error of a connection or of TLS. */
function classifyFailure(error: unknown): CallFailure {
  const code = readErrorCode(error);
  if (code === refusedAddressCode) return 'INVALID_TARGET';
  if (certificateCodes.has(code) || code.startsWith('CERT_')) return 'CERTIFICATE';
  return 'CONNECTION';
}

/** Reads the code of a system or TLS error; '' when it has none. */
function readErrorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return String(error.code);
}
