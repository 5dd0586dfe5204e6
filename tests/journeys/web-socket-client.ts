import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import type { ApiServer, Document } from './api-server.ts';

/** One message or control frame of the server. */
interface ServerFrame {
  readonly opcode: number;
  readonly payload: Buffer;
}

/** A WebSocket as the wire shows it, for what clients with manners do not do. */
export interface WebSocketClient extends Disposable {
  /** Of the answer: 101 when the upgrade was accepted. */
  readonly code: number;
  readonly headers: IncomingMessage['headers'];
  /** The body of an answer that is no upgrade. */
  readonly refusal: Document | undefined;
  readonly frames: ServerFrame[];
  /** The events that came as text. */
  readonly events: () => Document[];
  /** The code of the server's close frame; undefined before it came. */
  readonly closeCode: () => number | undefined;
  /** Resolves when the connection is closed. */
  readonly closed: Promise<void>;
  /** Sends bytes as they are. */
  send(bytes: Buffer): void;
  pause(): void;
  resume(): void;
}

/** How a client asks for a WebSocket. */
interface WebSocketCall {
  readonly headers?: Readonly<Record<string, string>>;
  /** Null: no Authorization header. */
  readonly token?: string | null;
}

const frameOpcodes = { text: 1, close: 8 };

/** Asks for a WebSocket; resolves with the answer, whatever it is. */
export async function openWebSocket(
  server: ApiServer,
  path: string,
  { headers = {}, token = 'admintoken' }: WebSocketCall = {},
): Promise<WebSocketClient> {
  const ca = await readFile(server.pki.caFile);
  return await new Promise((resolve, reject) => {
    const request = httpsRequest(server.url + path, {
      ca,
      agent: false,
      headers: {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
        ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
        ...headers,
      },
    });
    request.on('upgrade', (response, socket, head) => resolve(createClient(response, socket, head)));
    request.on('response', response => void refusedClient(response).then(resolve, reject));
    request.on('error', reject);
    request.end();
  });
}

function createClient(response: IncomingMessage, socket: Duplex, head: Buffer): WebSocketClient {
  const frames: ServerFrame[] = [];
  let rest = head;
  const take = () => {
    for (let frame = frameAt(rest); frame !== undefined; frame = frameAt(rest)) {
      frames.push({ opcode: frame.opcode, payload: frame.payload });
      rest = rest.subarray(frame.end);
    }
  };
  take();
  socket.on('data', (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes]);
    take();
  });
  // How a connection ends is what tests look at.
  socket.on('error', () => {});
  const closed = new Promise<void>(resolve => {
    socket.on('end', () => socket.end()).on('close', () => resolve());
  });
  return {
    code: response.statusCode ?? 0,
    headers: response.headers,
    refusal: undefined,
    frames,
    events: () =>
      frames
        .filter(frame => frame.opcode === frameOpcodes.text)
        .map(frame => JSON.parse(frame.payload.toString()) as Document), // Tests fail where it is none.
    closeCode: () => frames.find(frame => frame.opcode === frameOpcodes.close)?.payload.readUInt16BE(0),
    closed,
    send: bytes => void socket.write(bytes),
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

async function refusedClient(response: IncomingMessage): Promise<WebSocketClient> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return {
    code: response.statusCode ?? 0,
    headers: response.headers,
    refusal: JSON.parse(Buffer.concat(chunks).toString()) as Document, // Tests fail where it is none.
    frames: [],
    events: () => [],
    closeCode: () => undefined,
    closed: Promise.resolve(),
    send: () => {},
    pause: () => {},
    resume: () => {},
    [Symbol.dispose]: () => void response.destroy(),
  };
}

function frameAt(bytes: Buffer): (ServerFrame & { readonly end: number }) | undefined {
  if (bytes.length < 2) return undefined;
  const short = bytes.readUInt8(1);
  const start = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (bytes.length < start) return undefined;
  const size =
    short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
  const end = start + size;
  if (bytes.length < end) return undefined;
  return { opcode: bytes.readUInt8(0) & 0x0f, payload: Buffer.from(bytes.subarray(start, end)), end };
}
