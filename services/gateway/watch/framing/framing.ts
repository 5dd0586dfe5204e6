/** A buffer for one frame with its framing written, and the place of the content. */
export interface OpenFrame {
  readonly buffer: Buffer;
  readonly contentStart: number;
}

/** The place of a frame among others. */
interface FramePlace {
  readonly contentStart: number;
  readonly contentEnd: number;
  /** The start of the next frame. */
  readonly end: number;
}

/** The separation of a watch's events on a connection; frames are the same bytes for every client. */
export interface Framing {
  /** Differs between framings that give different bytes. */
  readonly id: string;
  /** Makes a frame for content of known size; the caller writes the content. */
  open(contentSize: number): OpenFrame;
  /** The place of the first of some whole frames. */
  first(frames: Buffer): FramePlace;
}

/** A whole frame around content. */
export function createFrame(framing: Framing, content: Uint8Array): Buffer {
  const { buffer, contentStart } = framing.open(content.length);
  buffer.set(content, contentStart);
  return buffer;
}

const lineEnd = '\r\n';

/** Chunks of a response with `Transfer-Encoding: chunked`, one for each event. */
export const chunkFraming: Framing = {
  id: 'chunk',
  open(contentSize) {
    const head = contentSize.toString(16) + lineEnd;
    const buffer = Buffer.allocUnsafe(head.length + contentSize + lineEnd.length);
    buffer.write(head, 0, 'latin1');
    buffer.write(lineEnd, head.length + contentSize, 'latin1');
    return { buffer, contentStart: head.length };
  },
  first(frames) {
    const headEnd = frames.indexOf(lineEnd);
    const contentStart = headEnd + lineEnd.length;
    const contentEnd = contentStart + Number.parseInt(frames.toString('latin1', 0, headEnd), 16);
    return { contentStart, contentEnd, end: contentEnd + lineEnd.length };
  },
};

/** Events that follow each other without anything between them, on a stream of HTTP/2. */
export const streamFraming: Framing = {
  id: 'stream',
  open: contentSize => ({ buffer: Buffer.allocUnsafe(contentSize), contentStart: 0 }),
  /** The place of a JSON document, which ends with the line; protobuf events are not looked up. */
  first(frames) {
    const end = frames.indexOf('\n') + 1;
    return { contentStart: 0, contentEnd: end, end };
  },
};
