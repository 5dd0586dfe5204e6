import { join } from 'node:path';
import type { MessageType } from '../definitions/message-type.ts';
import { buildMessages } from './build-messages.ts';
import type { ProtoMessage } from './proto-message.ts';
import { readDescriptors } from './read-descriptors.ts';

const generatedDirectory = join(import.meta.dirname, '../generated');

let loaded: ReadonlyMap<string, MessageType> | undefined;

/** Returns every message of `proto/api` by full name; reads them on the first call (about 20 ms). */
export function allMessages(): ReadonlyMap<string, MessageType> {
  loaded ??= buildMessages(declaredMessages());
  return loaded;
}

/** Returns the message declarations of `proto/api`. */
export function declaredMessages(): readonly ProtoMessage[] {
  return readDescriptors(generatedDirectory);
}

/** Returns the message with a full name; throws if `proto/api` has none. */
export function messageNamed(fullName: string): MessageType {
  return messageAmong(allMessages(), fullName);
}

/** Returns the message with a full name among the given ones; throws if there is none. */
export function messageAmong(messages: ReadonlyMap<string, MessageType>, fullName: string): MessageType {
  const message = messages.get(fullName);
  if (!message) throw new Error(`proto/api defines no message ${fullName}`);
  return message;
}

/** Returns the messages of `proto/api` and additional ones, which may refer to them. */
export function messagesWith(added: readonly ProtoMessage[]): ReadonlyMap<string, MessageType> {
  return buildMessages([...declaredMessages(), ...added]);
}
