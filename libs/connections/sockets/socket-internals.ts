import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/*
 * The parts of Node's sockets that its types do not show. Only this file reads them; the tests of the connection guard
 * fail if a release of Node changes one of them.
 */

interface SocketInternals {
  /** The response that the HTTP server prepares or sends on the socket. */
  readonly _httpMessage?: ServerResponse | null;
  /** The TCP socket below a TLS socket. */
  readonly _parent?: Socket;
  readonly _handle?: { readonly bytesWritten?: number; readonly writeQueueSize?: number } | null;
  readonly _writableState: { highWaterMark: number };
  /** The HTTP parser of an HTTP/1.1 connection. */
  readonly parser?: ParserInternals | null;
}

/** Index of the parser callback that Node calls after it has parsed a chunk. */
const onExecute = 5;

interface ParserInternals {
  /** The last request whose head is complete; null before the first. */
  readonly incoming: unknown;
  /** The parsed chunk, while `onExecute` runs. */
  getCurrentBuffer?(): Buffer | undefined;
  [onExecute]?: (result: number | Error) => unknown;
}

// The only cast to these internals.
const asInternals = (socket: Socket): SocketInternals => socket as unknown as SocketInternals;

/** Returns the response under way on an HTTP connection; undefined between requests. */
export function responseUnderWay(socket: Socket): ServerResponse | undefined {
  return asInternals(socket)._httpMessage ?? undefined;
}

/** Returns the TCP socket of a connection: the one below TLS, or the socket itself. */
export function findTcpSocket(socket: Socket): Socket {
  return asInternals(socket)._parent ?? socket;
}

/** Returns the bytes of a TCP socket that the kernel has accepted so far. */
export function bytesTaken(tcpSocket: Socket): number {
  const { bytesWritten = 0, writeQueueSize = 0 } = asInternals(tcpSocket)._handle ?? {};
  return bytesWritten - writeQueueSize;
}

/** Returns the bytes of a TCP socket that wait because the kernel does not accept them. */
export function bytesWaiting(tcpSocket: Socket): number {
  return asInternals(tcpSocket)._handle?.writeQueueSize ?? 0;
}

/**
 * Sets the high-water mark of answer bytes up to which the next request of an HTTP connection is read. Above it Node
 * pauses its parser, and a paused parser treats decrypted bytes that still arrive as an error: it would close the
 * connection of a client that sends its next request before the last part of an answer has been flushed.
 */
export function allowAnswerBytes(stream: Socket, bytes: number): void {
  asInternals(stream)._writableState.highWaterMark = bytes;
}

/**
 * Passes each chunk received on an HTTP connection to `look`, until the first request has a complete head, the parser
 * fails, or `look` returns true. Must be called before data arrives. If the whole head arrives at once, the overhead is
 * one call.
 */
export function lookAtFirstHead(stream: Socket, look: (part: Buffer) => boolean): void {
  const { parser } = asInternals(stream);
  const execute = parser?.[onExecute];
  if (!parser || typeof execute !== 'function') return;
  parser[onExecute] = result => {
    const part =
      result instanceof Error || parser.incoming !== null ? undefined : parser.getCurrentBuffer?.();
    if (part === undefined || look(part)) parser[onExecute] = execute;
    return execute(result);
  };
}
