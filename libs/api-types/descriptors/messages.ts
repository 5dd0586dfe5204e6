import { join } from 'node:path';
import type { MessageType } from '../definitions/message-type.ts';
import { buildMessages } from './build-messages.ts';
import type { ProtoMessage } from './proto-message.ts';
import { readDescriptors } from './read-descriptors.ts';

const generatedDirectory = join(import.meta.dirname, '../generated');

let loaded: ReadonlyMap<string, MessageType> | undefined;

/** Every message of `proto/api` by its full name; read on the first call (about 0.02 s), then kept. */
export function allMessages(): ReadonlyMap<string, MessageType> {
  loaded ??= buildMessages(declaredMessages());
  return loaded;
}

/** The messages as the files of `proto/api` declare them. */
export function declaredMessages(): readonly ProtoMessage[] {
  return readDescriptors(generatedDirectory);
}

/** The message of that full name; throws if `proto/api` has none. */
export function messageNamed(fullName: string): MessageType {
  return messageAmong(allMessages(), fullName);
}

/** The message of that full name among those given; throws if it is not among them. */
export function messageAmong(messages: ReadonlyMap<string, MessageType>, fullName: string): MessageType {
  const message = messages.get(fullName);
  if (!message) throw new Error(`proto/api defines no message ${fullName}`);
  return message;
}

/** The messages of `proto/api` together with others, which may refer to them. */
export function messagesWith(added: readonly ProtoMessage[]): ReadonlyMap<string, MessageType> {
  return buildMessages([...declaredMessages(), ...added]);
}
