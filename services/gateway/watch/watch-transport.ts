import type { OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { badRequest } from '@binnacle/status-errors';
import type { WatchEnd } from '@binnacle/watch-cache';
import { warningHeaders } from '../render/warning-headers.ts';
import type { Exchange } from '../request/exchange.ts';
import type { FrameOutlet, HttpResponse } from '../request/http-messages.ts';
import { isUpgraded } from '../request/web-socket-request.ts';
import { closeCodes } from './framing/client-frames.ts';
import { acceptWebSocket } from './framing/handshake.ts';
import { WebSocketConnection } from './framing/web-socket-connection.ts';
import type { WatchFormat } from './watch-format.ts';

/** A connection, or a stream of one, that belongs to a watch from now on. */
interface TakenConnection {
  readonly outlet: FrameOutlet;
  /** Ends it as the transport requires, after everything that was written. */
  readonly finish: (reason: WatchEnd) => void;
}

const socketCheckMs = 2;
const maxSocketWaitMs = 2_000;

/** The transport of a watch's events to its client. */
export interface WatchTransport {
  /** Sends the headers; frames then go to the outlet with framing of their own. `onClose`: the client has closed. */
  takeOver(format: WatchFormat, onClose: () => void): TakenConnection;
}

/**
 * The transport of a request: its stream over HTTP/2; else a WebSocket where it asks for one, or the chunks of its
 * response. Throws BadRequest when the request cannot have it; nothing is sent before `takeOver`.
 */
export async function watchTransport(exchange: Exchange): Promise<WatchTransport> {
  const { request, response } = exchange;
  if (request.httpVersionMajor === 1 && request.httpVersionMinor === 0) {
    throw badRequest('a watch needs HTTP/1.1');
  }
  const { outlet } = response;
  if (outlet !== undefined) {
    return {
      takeOver({ contentType }) {
        sendHead(exchange, 200, { 'Content-Type': contentType });
        return { outlet, finish: finishOfResponse(response) };
      },
    };
  }
  const socket = await takeSocket(exchange);
  if (isUpgraded(request)) {
    const headers = acceptWebSocket(request, response);
    return {
      takeOver(_format, onClose) {
        sendHead(exchange, 101, headers);
        return { outlet: socket, finish: finishOfMessages(new WebSocketConnection(socket, onClose)) };
      },
    };
  }
  return {
    takeOver({ contentType }) {
      sendHead(exchange, 200, { 'Content-Type': contentType, 'Transfer-Encoding': 'chunked' });
      return { outlet: socket, finish: finishOfResponse(response) };
    },
  };
}

// These two live as long as the watch; closures of the exchange would keep it in memory.

/** The end of the body, after which the connection can be used again. */
function finishOfResponse(response: HttpResponse): TakenConnection['finish'] {
  return () => void response.end();
}

function finishOfMessages(connection: WebSocketConnection): TakenConnection['finish'] {
  return reason => connection.close(reason === 'stopping' ? closeCodes.goingAway : closeCodes.normal);
}

function sendHead({ response, warnings }: Exchange, code: number, headers: OutgoingHttpHeaders): void {
  response.writeHead(code, {
    ...headers,
    ...(warnings.length === 0 ? {} : { Warning: warningHeaders(warnings) }),
  });
  response.flushHeaders();
}

/**
 * The socket of a response. A client may send its next request before the server has heard that the answer before it
 * went out; the response has no socket until then. Pipelining behind a long answer is refused.
 */
async function takeSocket(exchange: Exchange): Promise<Socket> {
  const { response } = exchange;
  for (let waitedMs = 0; response.socket === null; waitedMs += socketCheckMs) {
    if (waitedMs >= maxSocketWaitMs || exchange.isDisconnected) {
      throw badRequest('a watch cannot be pipelined behind another request');
    }
    await delay(socketCheckMs);
  }
  return response.socket;
}
