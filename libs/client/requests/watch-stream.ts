import type { ApiObject, JsonValue } from '@binnacle/api-objects';
import { readWrittenJson } from '@binnacle/codecs/texts';
import { StatusError, statusErrorFromStatus } from '@binnacle/status-errors';

/** One message of a watch: a change, or a bookmark whose object carries only a resourceVersion. */
export interface WatchMessage {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: ApiObject;
}

/** Longest message in bytes: an object of the largest size, with room. */
const maxMessageBytes = 16 * 1024 * 1024;

/** Reads the messages of a watch as they come, as `readWatchBatches` does. */
export async function* readWatch(
  body: AsyncIterable<unknown>,
  signal: AbortSignal,
): AsyncIterable<WatchMessage> {
  for await (const messages of readWatchBatches(body, signal)) yield* messages;
}

/**
 * Reads the messages of a watch as they come; those that come together are one batch. Ends when the server ends the stream; an
 * ERROR message is thrown as the StatusError that it carries, after those before it.
 */
export async function* readWatchBatches(
  body: AsyncIterable<unknown>,
  signal: AbortSignal,
): AsyncIterable<readonly WatchMessage[]> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    const batch: WatchMessage[] = [];
    const bytes = part as Buffer; // A stream without an encoding gives buffers.
    let start = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      let text: string;
      if (parts.length === 0) text = bytes.toString('utf8', start, end);
      else {
        parts.push(bytes.subarray(start, end));
        text = Buffer.concat(parts).toString();
        parts.length = 0;
        size = 0;
      }
      start = end + 1;
      if (text !== '') {
        const read = readWrittenJson(text);
        const message = messageFrom(read instanceof Promise ? await read : read);
        if (message instanceof StatusError) {
          if (batch.length > 0) yield batch;
          throw message;
        }
        batch.push(message);
      }
      if (signal.aborted) return;
    }
    if (batch.length > 0) yield batch;
    if (signal.aborted) return;
    size += bytes.length - start;
    if (size > maxMessageBytes) throw new Error(`a watch message is larger than ${maxMessageBytes} bytes`);
    if (start < bytes.length) parts.push(bytes.subarray(start));
  }
}

function messageFrom(value: JsonValue): WatchMessage | StatusError {
  const message = value as unknown as {
    type: WatchMessage['type'] | 'ERROR';
    object: ApiObject;
  }; // The server's own format.
  if (message.type === 'ERROR') return statusErrorFromStatus(message.object, 500);
  return { type: message.type, object: message.object };
}
