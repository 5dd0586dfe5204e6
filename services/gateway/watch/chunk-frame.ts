const lineEnd = '\r\n';

/** A buffer for one HTTP chunk with its framing written, and where the content goes. */
export interface ChunkFrame {
  readonly buffer: Buffer;
  readonly contentStart: number;
}

/** Makes a chunk for content of known size; the content itself is left to write. */
export function chunkFrameFor(contentSize: number): ChunkFrame {
  const head = contentSize.toString(16) + lineEnd;
  const buffer = Buffer.allocUnsafe(head.length + contentSize + lineEnd.length);
  buffer.write(head, 0, 'latin1');
  buffer.write(lineEnd, head.length + contentSize, 'latin1');
  return { buffer, contentStart: head.length };
}

/** A whole chunk around content. */
export function chunkFrameOf(content: Buffer): Buffer {
  const { buffer, contentStart } = chunkFrameFor(content.length);
  content.copy(buffer, contentStart);
  return buffer;
}
