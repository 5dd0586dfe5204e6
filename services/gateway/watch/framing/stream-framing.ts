import type { Framing } from './framing.ts';

/** Events that follow each other without anything between them, on a stream of HTTP/2. */
export const streamFraming: Framing = {
  id: 'stream',
  open: contentSize => ({ buffer: Buffer.allocUnsafe(contentSize), contentStart: 0 }),
  /** Of JSON documents, which end with the line; protobuf events are never asked for their place. */
  first(frames) {
    const end = frames.indexOf('\n') + 1;
    return { contentStart: 0, contentEnd: end, end };
  },
};
