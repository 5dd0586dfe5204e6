import { connect as connectTls, type TLSSocket } from 'node:tls';

/** Types of frames (RFC 9113, section 6). */
export const frameTypes = {
  data: 0,
  headers: 1,
  resetStream: 3,
  settings: 4,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

/** Flags of frames. */
export const flags = { ack: 1, endStream: 1, endHeaders: 4 } as const;

/** A frame that a raw client received. */
interface HeardFrame {
  readonly type: number;
  readonly stream: number;
  /** Of its payload. */
  readonly length: number;
  /** The error code of RST_STREAM and GOAWAY. */
  readonly code: number;
  /** The last stream that is served, of GOAWAY. */
  readonly last: number;
}

/** A client of HTTP/2 that sends frames as it likes: what no proper client does. */
interface RawClient {
  readonly socket: TLSSocket;
  readonly heard: readonly HeardFrame[];
  readonly closed: Promise<void>;
  send(...frames: Buffer[]): void;
}

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const headBytes = 9;

/** One frame. */
export function frame(type: number, flag: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flag;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** A frame that carries one number of four bytes: an error code, an increment of a window. */
export function numberFrame(type: number, stream: number, value: number): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(value);
  return frame(type, 0, stream, payload);
}

/** The header block of a GET: names from the static table, literals without compression. */
export function getBlock(path: string, more: readonly (readonly [string, string])[] = []): Buffer {
  const text = (value: string) => Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);
  const extra = more.flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]);
  return Buffer.concat([
    Buffer.from([0x82, 0x87, 0x04]),
    text(path),
    Buffer.from([0x01]),
    text('x'),
    ...extra,
  ]);
}

/** A whole GET in one frame. */
export function getFrame(stream: number, path: string): Buffer {
  return frame(frameTypes.headers, flags.endStream | flags.endHeaders, stream, getBlock(path));
}

/** Opens a connection; `reads: false` takes nothing of what the server sends. */
export async function connectRaw(port: number, { reads = true } = {}): Promise<RawClient> {
  const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['h2'] });
  socket.on('error', () => {});
  const heard: HeardFrame[] = [];
  let rest: Buffer = Buffer.alloc(0);
  const take = (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes]);
    for (let size = readSize(rest); size !== undefined; size = readSize(rest)) {
      heard.push(heardFrom(rest.subarray(0, size)));
      rest = rest.subarray(size);
    }
  };
  const closed = new Promise<void>(resolve => socket.once('close', () => resolve()));
  await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
  if (reads) socket.on('data', take);
  else socket.pause();
  socket.write(Buffer.concat([preface, frame(frameTypes.settings, 0, 0)]));
  return {
    ...{ socket, heard, closed },
    send: (...frames) => void (socket.writable && socket.write(Buffer.concat(frames))),
  };
}

function readSize(bytes: Buffer): number | undefined {
  if (bytes.length < headBytes) return undefined;
  const size = headBytes + bytes.readUIntBE(0, 3);
  return bytes.length < size ? undefined : size;
}

function heardFrom(bytes: Buffer): HeardFrame {
  const type = bytes[3] ?? 0;
  const at = { [frameTypes.resetStream]: headBytes, [frameTypes.goaway]: headBytes + 4 }[type];
  return {
    ...{ type, stream: bytes.readUInt32BE(5), length: bytes.length - headBytes },
    code: at === undefined ? 0 : bytes.readUInt32BE(at),
    last: type === frameTypes.goaway ? bytes.readUInt32BE(headBytes) : 0,
  };
}
