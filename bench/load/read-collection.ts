import { connect } from './connect.ts';
import type { LoadTarget } from './protocol.ts';

/** The members of a list's metadata that are read. */
interface List {
  readonly metadata: { readonly resourceVersion: string; readonly remainingItemCount?: number };
  readonly items: readonly unknown[];
}

/** Reads the version of a collection, and how many objects it has. */
export async function readCollection(
  target: LoadTarget,
  path: string,
): Promise<{ readonly version: string; readonly objects: number }> {
  const connection = connect(target, 1);
  try {
    const response = await connection.request({ method: 'GET', path: `${path}?limit=1` });
    const parts: Buffer[] = [];
    for await (const part of response) parts.push(part as Buffer); // A stream without an encoding gives buffers.
    if (response.statusCode !== 200) throw new Error(`${path} was answered with ${response.statusCode}`);
    const { metadata, items } = JSON.parse(Buffer.concat(parts).toString()) as List; // Answered with 200.
    const { resourceVersion: version, remainingItemCount = 0 } = metadata;
    return { version, objects: items.length + remainingItemCount };
  } finally {
    connection.close();
  }
}
