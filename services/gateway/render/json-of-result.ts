import type { ApiResult } from '../request/api-request.ts';
import { leaseChunkBuffer } from './chunk-buffers.ts';
import { PieceWriter } from './piecewise.ts';
import { renderList, renderPlainList } from './render-list.ts';
import { bodyOf, isPlainJson } from './render-result.ts';
import type { Rendering } from './rendering.ts';

/**
 * The result of a verb as JSON in one line, in the shape that the client asked for (object, Table, metadata). Undefined when it is
 * longer than `maxBytes`; a list is not rendered further than that.
 */
export async function jsonOfResult(
  result: ApiResult,
  rendering: Rendering,
  maxBytes: number,
): Promise<string | undefined> {
  const representation = { ...rendering.representation, encoding: 'json', pretty: false } as const;
  const plain = { ...rendering, representation };
  if (result.kind !== 'list') return within(await bodyOf(result, plain), maxBytes);
  using lease = leaseChunkBuffer();
  if (isPlainJson(plain)) {
    const { size, chunks } = await renderPlainList(result, plain);
    return size > maxBytes ? undefined : joined(chunks(lease.buffer));
  }
  const list = await renderList(result, plain);
  switch (list.kind) {
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
