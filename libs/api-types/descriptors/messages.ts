import type { MessageType } from '../definitions/definitions.ts';
import { buildMessages } from './build-messages.ts';
import { loadProtos } from './load-protos.ts';

let loaded: ReadonlyMap<string, MessageType> | undefined;

/** Every message of `proto/api` by its full name; read on the first call (about 0.03 s), then kept. */
export function allMessages(): ReadonlyMap<string, MessageType> {
  loaded ??= buildMessages(loadProtos());
  return loaded;
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

/** The messages of `proto/api` together with those of the proto files in another directory, which may refer to them. */
export function messagesWith(directory: string): ReadonlyMap<string, MessageType> {
  return buildMessages([...loadProtos(), ...loadProtos(directory)]);
}
