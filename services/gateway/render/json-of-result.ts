import { leaseChunkBuffer } from './chunk-buffers.ts';
import { PieceWriter } from './piecewise.ts';
import { isList, renderList } from './render-list.ts';
import { renderBody } from './render-result.ts';
import type { Rendering } from './rendering.ts';

/**
 * The result of a verb as JSON in one line, in the shape that the client asked for (object, Table, metadata). Undefined when it is
 * longer than `maxBytes`; a list is not rendered further than that.
 */
export async function jsonOfResult(rendering: Rendering, maxBytes: number): Promise<string | undefined> {
  const representation = { ...rendering.representation, encoding: 'json', pretty: false } as const;
  const plain: Rendering = { ...rendering, representation };
  if (!isList(plain)) return within(await renderBody(plain), maxBytes);
  using lease = leaseChunkBuffer();
  const list = await renderList(plain);
  switch (list.kind) {
    case 'plain':
      return list.size > maxBytes ? undefined : joined(list.chunks(lease.buffer));
    case 'whole':
      return within(list.body, maxBytes);
    case 'sized':
      return list.size > maxBytes ? undefined : joined(list.chunks);
    case 'pieces': {
      const { signal } = rendering.request.call;
      return await joinedPieces(new PieceWriter({ texts: list.texts, signal }, lease.buffer), maxBytes);
    }
  }
}

function within(body: Buffer, maxBytes: number): string | undefined {
  return body.length > maxBytes ? undefined : body.toString();
}

/** Each chunk holds until the next one is asked for. */
function joined(chunks: Iterable<Buffer>): string {
  return Buffer.concat(Array.from(chunks, chunk => Buffer.from(chunk))).toString();
}

async function joinedPieces(pieces: PieceWriter, maxBytes: number): Promise<string | undefined> {
  const parts: Buffer[] = [];
  for (let size = 0; !pieces.isDone; ) {
    const chunk = await pieces.next();
    size += chunk.length;
    if (size > maxBytes) return undefined;
    parts.push(Buffer.from(chunk));
  }
  return Buffer.concat(parts).toString();
}
