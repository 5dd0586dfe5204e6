/** A buffer for one frame with its framing written, and where the content goes. */
export interface OpenFrame {
  readonly buffer: Buffer;
  readonly contentStart: number;
}

/** Where a frame lies among others. */
interface FramePlace {
  readonly contentStart: number;
  readonly contentEnd: number;
  /** Where the next frame begins. */
  readonly end: number;
}

/** How the events of a watch are told apart on a connection; frames are the same bytes for every client. */
export interface Framing {
  /** Differs between framings that give different bytes. */
  readonly id: string;
  /** Makes a frame for content of known size; the content itself is left to write. */
  open(contentSize: number): OpenFrame;
  /** The place of the first of some whole frames. */
  first(frames: Buffer): FramePlace;
}

/** A whole frame around content. */
export function frameOf(framing: Framing, content: Uint8Array): Buffer {
  const { buffer, contentStart } = framing.open(content.length);
  buffer.set(content, contentStart);
  return buffer;
}
