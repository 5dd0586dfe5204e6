import type { ApiObject, JsonValue } from '@binnacle/api-objects';
import { readWrittenJson } from '@binnacle/codecs/texts';
import { StatusError, statusErrorFromStatus } from '@binnacle/status-errors';

/** A message of a watch: a change, or a bookmark whose object has only a resourceVersion. */
export interface WatchMessage {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: ApiObject;
}

/** Maximum size of a message, in bytes; larger than any object. */
const maxMessageBytes = 16 * 1024 * 1024;

/** Yields the messages of a watch one by one; otherwise like `readWatchBatches`. */
export async function* readWatch(
  body: AsyncIterable<unknown>,
  signal: AbortSignal,
): AsyncIterable<WatchMessage> {
  for await (const messages of readWatchBatches(body, signal)) yield* messages;
}

/**
 * Yields the messages of a watch as they arrive; those that arrive together are one batch. Ends when the server ends the
 * stream; an ERROR message is thrown as its StatusError, after the messages before it.
 */
export async function* readWatchBatches(
  body: AsyncIterable<unknown>,
  signal: AbortSignal,
): AsyncIterable<readonly WatchMessage[]> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    const batch: WatchMessage[] = [];
    const bytes = part as Buffer; // A stream without an encoding yields buffers.
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
  }; // The format of the server.
  if (message.type === 'ERROR') return statusErrorFromStatus(message.object, 500);
  return { type: message.type, object: message.object };
}
