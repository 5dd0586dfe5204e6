import type { Socket } from 'node:net';
import { parseProxyHeader } from './parse-proxy-header.ts';

/** A received PROXY protocol header. */
interface ReceivedHeader {
  readonly client: string | undefined;
  readonly length: number;
}

/**
 * Reads the PROXY protocol header of a connection; bytes that follow it are put back on the socket. Calls back once,
 * with undefined if the connection does not begin with a complete header within `timeoutMs`.
 */
export function receiveProxyHeader(
  socket: Socket,
  timeoutMs: number,
  done: (header: ReceivedHeader | undefined) => void,
): void {
  let received: Buffer = Buffer.alloc(0);
  const end = (header: ReceivedHeader | undefined): void => {
    clearTimeout(timer);
    socket.off('readable', read);
    socket.off('close', fail);
    socket.off('end', fail);
    socket.off('error', fail);
    done(header);
  };
  const fail = (): void => end(undefined);
  const read = (): void => {
    for (let part = socket.read() as Buffer | null; part !== null; part = socket.read() as Buffer | null)
      received = Buffer.concat([received, part]);
    const header = parseProxyHeader(received);
    if (header.kind === 'invalid') fail();
    if (header.kind !== 'complete') return;
    const rest = received.subarray(header.length);
    if (rest.length > 0) socket.unshift(rest);
    end(header);
  };
  const timer = setTimeout(fail, timeoutMs);
  socket.on('readable', read);
  socket.on('close', fail);
  socket.on('end', fail);
  socket.on('error', fail);
}
