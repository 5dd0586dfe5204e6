import type { Socket } from 'node:net';
import { ClientFrames, closeCodes } from './client-frames.ts';
import { frameContent, opcodes } from './web-socket-framing.ts';

/** Time for a client to close its side after the server closed its own, in ms. */
const closeTimeoutMs = 5_000;
/** Bytes that wait for the client above which no pongs are sent: a client that does not read needs none. */
const pongRoomBytes = 64 * 1024;

/**
 * The server's end of a WebSocket over a socket that has been upgraded: answers pings, and closes with the closing
 * handshake.
 */
export class WebSocketConnection {
  readonly #socket: Socket;
  #isClosing = false;

  /** `onClose` is called when the client closes, or is closed because it broke the protocol. */
  constructor(socket: Socket, onClose: () => void) {
    this.#socket = socket;
    const frames = new ClientFrames({
      ping: payload => this.#pong(payload),
      close: code => {
        this.close(code === closeCodes.noStatus ? closeCodes.normal : code);
        onClose();
        // Both sides have closed now.
        socket.destroySoon();
      },
      fail: code => {
        this.close(code);
        onClose();
      },
    });
    socket.on('data', bytes => frames.take(bytes));
    socket.on('end', () => socket.destroySoon());
    socket.resume();
  }

  /** Sends a close frame and waits a little for the client to do the same. Only the first call counts. */
  close(code: number): void {
    const socket = this.#socket;
    if (this.#isClosing || !socket.writable) return;
    this.#isClosing = true;
    const payload = Buffer.alloc(2);
    payload.writeUInt16BE(code);
    socket.end(frameContent(opcodes.close, payload));
    const closeTimeout = setTimeout(() => socket.destroy(), closeTimeoutMs);
    closeTimeout.unref();
    socket.once('close', () => clearTimeout(closeTimeout));
  }

  #pong(payload: Buffer): void {
    const socket = this.#socket;
    if (socket.writable && socket.writableLength < pongRoomBytes) {
      socket.write(frameContent(opcodes.pong, payload));
    }
  }
}
