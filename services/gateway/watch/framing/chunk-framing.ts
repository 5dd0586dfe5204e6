import type { Framing } from './framing.ts';

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
