import type { JsonObject } from '@binnacle/api-objects';
import type { MessageType } from '@binnacle/api-types';
import { writeMessage } from '../protobuf/message-encoder.ts';
import { WireWriter } from '../protobuf/wire-writer.ts';

/** Encodes a JSON object as a protobuf message, without the envelope. */
export function encodeMessage(message: MessageType, object: JsonObject): Buffer {
  const writer = new WireWriter();
  writeMessage(message, object, writer);
  return writer.finish();
}
