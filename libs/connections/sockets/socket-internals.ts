import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/*
 * The parts of Node's sockets that its types do not show. Read here alone; the tests of the connection guard fail when
 * a release of Node changes one of them.
 */

interface SocketInternals {
  /** The response that the HTTP server is about to send or is sending over the socket. */
  readonly _httpMessage?: ServerResponse | null;
  /** Of a socket with TLS: the TCP socket below it. */
  readonly _parent?: Socket;
  readonly _handle?: { readonly bytesWritten?: number; readonly writeQueueSize?: number } | null;
  readonly _writableState: { highWaterMark: number };
  /** Of a connection of HTTP/1.1: what reads its requests. */
  readonly parser?: ParserInternals | null;
}

/** Where a parser has the function that Node calls when it has read a part of what came. */
const onExecute = 5;

interface ParserInternals {
  /** The request whose head was read last; null before the first. */
  readonly incoming: unknown;
  /** The part that was read, while `onExecute` runs. */
  getCurrentBuffer?(): Buffer | undefined;
  [onExecute]?: (result: number | Error) => unknown;
}

// The one place where the missing types are made up for.
const asInternals = (socket: Socket): SocketInternals => socket as unknown as SocketInternals;

/** The response under way on a connection of an HTTP server; undefined between requests. */
export function responseUnderWay(socket: Socket): ServerResponse | undefined {
  return asInternals(socket)._httpMessage ?? undefined;
}

/** The TCP socket of a connection: the one below TLS, or the socket itself. */
export function findTcpSocket(socket: Socket): Socket {
  return asInternals(socket)._parent ?? socket;
}

/** Bytes that the kernel has taken from a TCP socket so far. */
export function bytesTaken(tcpSocket: Socket): number {
  const { bytesWritten = 0, writeQueueSize = 0 } = asInternals(tcpSocket)._handle ?? {};
  return bytesWritten - writeQueueSize;
}

/** Bytes that a TCP socket holds because the kernel does not take them. */
export function bytesWaiting(tcpSocket: Socket): number {
  return asInternals(tcpSocket)._handle?.writeQueueSize ?? 0;
}

/**
 * Sets how many bytes of answers may be on their way to the client of an HTTP connection while its next request is read.
 * Node pauses its parser beyond that, and a parser that is paused while decrypted bytes still come takes them for an error:
 * the connection of a client that is faster with its next request than the last part of an answer is noted would be cut.
 */
export function allowAnswerBytes(stream: Socket, bytes: number): void {
  asInternals(stream)._writableState.highWaterMark = bytes;
}

/**
 * Shows what comes over a connection of an HTTP server, part by part, until its first request has a whole head, the parser
 * fails, or `look` answers with true. Costs one call where that head comes at once. To be called before anything comes.
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
