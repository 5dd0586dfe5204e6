import { readJson } from '@binnacle/api-objects';
import type { TableColumnDefinition } from '@binnacle/codecs';
import { type Framing, frameOf } from './framing/framing.ts';

/** Puts the columns into the first of some frames, if that is a Table; the others stay as they are. */
export function openingTable(
  framing: Framing,
  frames: Buffer,
  columns: readonly TableColumnDefinition[],
): Buffer {
  const { contentStart, contentEnd, end } = framing.first(frames);
  const document = readJson(frames.toString('utf8', contentStart, contentEnd), false);
  if (!isTableEvent(document)) return frames;
  document.object.columnDefinitions = columns;
  const first = frameOf(framing, Buffer.from(`${JSON.stringify(document)}\n`));
  return end === frames.length ? first : Buffer.concat([first, frames.subarray(end)]);
}

/** Frames are written by this server: only whether the object is a Table or a Status is to be found out. */
function isTableEvent(document: unknown): document is { object: { columnDefinitions: unknown } } {
  return (document as { object: { kind: string } }).object.kind === 'Table';
}
