import type { Socket } from 'node:net';
import { ClientFrames, closeCodes } from './client-frames.ts';
import { frameContent, opcodes } from './web-socket-framing.ts';

/** How long a client may take to close its side after the server closed its own, in ms. */
const closeTimeoutMs = 5_000;
/** Pongs are left out while more than this waits for the client: who does not read its pongs does not need them. */
const pongRoomBytes = 64 * 1024;

/** The server's end of a WebSocket over a socket that has been upgraded: answers pings, and closes in due form. */
export class WebSocketConnection {
  readonly #socket: Socket;
  #isClosing = false;

  /** `onClose` is called when the client closes, or has to be closed because of what it sent. */
  constructor(socket: Socket, onClose: () => void) {
    this.#socket = socket;
    const frames = new ClientFrames({
      ping: payload => this.#pong(payload),
      close: code => {
        this.close(code === closeCodes.noStatus ? closeCodes.normal : code);
        onClose();
        // Both have closed now.
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
