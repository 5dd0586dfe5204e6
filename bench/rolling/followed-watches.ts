import { setTimeout as pause } from 'node:timers/promises';
import { type BegunAnswer, LoadClient, type LoadServer, streamEnd } from './load-client.ts';
import type { ChangeKey } from './rolling-writes.ts';

/** The watches of a process. */
export interface FollowOptions {
  /** A connection for each; watches are spread over them. */
  readonly servers: readonly LoadServer[];
  /** The collection of each watch. */
  readonly collections: readonly string[];
  /** The version that all watches begin at. */
  readonly version: string;
  /** Shortest seconds that a watch asks for; the longest are twice that, as of client-go's reflectors with 300. */
  readonly timeoutSeconds: number;
}

/** The changes that watches of one collection saw, in order. */
export interface SeenSequence {
  readonly collection: string;
  readonly keys: readonly ChangeKey[];
  /** Watches that saw this sequence. */
  readonly watches: number;
}

/** Figures of the watches since they were taken last. */
export interface FollowFigures {
  /** Watches that ended after a bookmark, without one, and that were broken off. */
  ended: number;
  endedWithoutBookmark: number;
  brokenOff: number;
  /** Watches that the server no longer had the place of (410). */
  expired: number;
  /** Refused attempts by code, or by what was wrong with the connection. */
  readonly refused: Record<string, number>;
  /** Events that came a second time, or after later ones. */
  repeated: number;
  /** Milliseconds from the end of a watch until the next one was answered. */
  readonly gapsMs: number[];
  /** Milliseconds from the sending of a write to its event, of one event in ten, and the longest of all. */
  readonly delaysMs: number[];
  longestDelayMs: number;
}

interface Follower {
  readonly client: LoadClient;
  readonly collection: string;
  readonly keys: ChangeKey[];
  version: number;
  endedAt: number | undefined;
  /** Whether the last message was a bookmark. */
  isMarked: boolean;
  /** Whether the server no longer has its place. */
  isExpired: boolean;
}

/** A message of the type ERROR. */
interface Problem {
  readonly object: { readonly code?: number };
}

interface ListHead {
  readonly metadata: { readonly resourceVersion: string };
}

const delayEvery = 10;
/** The place of the first letter of a type in a message, and the letters. */
const typeAt = '{"type":"'.length;
const [bookmarkLetter, deletedLetter, errorLetter] = Buffer.from('BDE');
const lineEnd = 10;
/** Fields of an object; its metadata come before its data. */
const versionField = Buffer.from('"resourceVersion":"');
const nameField = Buffer.from('"name":"');
const sentField = Buffer.from('"sent":"');
const quote = 0x22;
/** After a refusal without Retry-After, or a connection that does not open. */
const retryMs = 100;
const openAtOnce = 20;
const goneCode = 410;

/** Watches that begin again at their last version whenever they end, as those of client-go do, and keep what they saw. */
export class FollowedWatches implements Disposable {
  readonly #options: FollowOptions;
  readonly #clients: readonly LoadClient[];
  readonly #followers: readonly Follower[];
  readonly #stopping = new AbortController();
  #figures = noFigures();
  #events = 0;

  constructor(options: FollowOptions) {
    this.#options = options;
    this.#clients = options.servers.map(server => new LoadClient(server));
    this.#followers = options.collections.flatMap((collection, index) => {
      // A connection more for each turn: the watches of one collection would otherwise share few of them.
      const client = this.#clients[(index + Math.floor(index / this.#clients.length)) % this.#clients.length];
      const version = Number(options.version);
      const begin = { version, endedAt: undefined, isMarked: false, isExpired: false };
      return client ? [{ client, collection, keys: [], ...begin }] : [];
    });
  }

  /** Opens all watches; resolves when each was answered. */
  async open(): Promise<void> {
    for (let start = 0; start < this.#followers.length; start += openAtOnce)
      await Promise.all(
        this.#followers.slice(start, start + openAtOnce).map(follower => this.#open(follower)),
      );
    this.take();
  }

  /** The figures since the last call. */
  take(): FollowFigures {
    const figures = this.#figures;
    this.#figures = noFigures();
    return figures;
  }

  /** The events that each watch saw, with the watches that saw the same together. */
  sequences(): SeenSequence[] {
    const found = new Map<string, { collection: string; keys: readonly ChangeKey[]; watches: number }>();
    for (const { collection, keys } of this.#followers) {
      const id = `${collection} ${keys.join()}`;
      const same = found.get(id);
      if (same) same.watches++;
      else found.set(id, { collection, keys, watches: 1 });
    }
    return [...found.values()];
  }

  [Symbol.dispose](): void {
    this.#stopping.abort();
    for (const client of this.#clients) client[Symbol.dispose]();
  }

  #open(follower: Follower): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#follow(follower, resolve).catch(reject);
    });
  }

  async #follow(follower: Follower, onOpen: () => void): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      if (follower.isExpired) await this.#beginAnew(follower);
      const begun = await this.#begin(follower);
      if (signal.aborted) return;
      if (begun === undefined) continue;
      onOpen();
      if (follower.endedAt !== undefined) this.#figures.gapsMs.push(performance.now() - follower.endedAt);
      this.#read(begun, follower);
      const error = await streamEnd(begun.stream);
      if (signal.aborted) return;
      follower.endedAt = performance.now();
      if (error !== undefined) this.#figures.brokenOff++;
      else if (follower.isMarked) this.#figures.ended++;
      else this.#figures.endedWithoutBookmark++;
    }
  }

  /** Undefined: it is to be tried once more. */
  async #begin(follower: Follower): Promise<BegunAnswer | undefined> {
    const { client, collection, version } = follower;
    const seconds = Math.round(this.#options.timeoutSeconds * (1 + Math.random()));
    const query = `watch=1&allowWatchBookmarks=true&resourceVersion=${version}&timeoutSeconds=${seconds}`;
    const refuse = async (what: string, afterMs: number) => {
      if (this.#stopping.signal.aborted) return;
      this.#figures.refused[what] = (this.#figures.refused[what] ?? 0) + 1;
      await pause(afterMs);
    };
    try {
      const begun = await client.begin({ method: 'GET', path: `${collection}?${query}` });
      if (begun.code === 200) return begun;
      begun.stream.resume();
      if (begun.code === goneCode) this.#expire(follower);
      await refuse(String(begun.code), begun.retryAfterMs || retryMs);
    } catch (error) {
      await refuse(error instanceof Error ? error.message : String(error), retryMs);
    }
    return undefined;
  }

  #read({ stream }: BegunAnswer, follower: Follower): void {
    let rest: Buffer | undefined;
    follower.isMarked = false;
    stream.on('data', (part: Buffer) => {
      const bytes = rest === undefined ? part : Buffer.concat([rest, part]);
      let start = 0;
      for (let end = bytes.indexOf(lineEnd); end >= 0; end = bytes.indexOf(lineEnd, start)) {
        this.#take(bytes.subarray(start, end), follower);
        start = end + 1;
      }
      rest = start < bytes.length ? bytes.subarray(start) : undefined;
    });
  }

  /** Takes what it needs from the bytes: thousands of messages a second that are parsed would be most of the load's cost. */
  #take(message: Buffer, follower: Follower): void {
    const type = message[typeAt];
    if (type === errorLetter) {
      const { object } = JSON.parse(message.toString()) as Problem;
      if (object.code === goneCode) this.#expire(follower);
      return;
    }
    const version = Number(textField(message, versionField));
    if (!(version > 0)) throw new Error(`a message of a watch has no version: ${message}`);
    follower.isMarked = type === bookmarkLetter;
    const isLater = version > follower.version;
    if (isLater) follower.version = version;
    if (follower.isMarked) return;
    if (!isLater) this.#figures.repeated++;
    const isDeleted = type === deletedLetter;
    follower.keys.push(isDeleted ? (textField(message, nameField) ?? '') : version);
    if (!isDeleted) this.#noteDelay(textField(message, sentField));
  }

  #expire(follower: Follower): void {
    follower.isExpired = true;
    this.#figures.expired++;
  }

  /** Goes on at the version of a list; the changes between are then missing. */
  async #beginAnew(follower: Follower): Promise<void> {
    const list = await follower.client
      .request({ method: 'GET', path: `${follower.collection}?limit=1` })
      .catch(() => undefined);
    if (list?.code !== 200) return await pause(retryMs);
    follower.version = Number((JSON.parse(list.text) as ListHead).metadata.resourceVersion);
    follower.isExpired = false;
  }

  #noteDelay(sent: string | undefined): void {
    if (sent === undefined) return;
    const delayMs = performance.timeOrigin + performance.now() - Number(sent);
    this.#figures.longestDelayMs = Math.max(this.#figures.longestDelayMs, delayMs);
    if (this.#events++ % delayEvery === 0) this.#figures.delaysMs.push(delayMs);
  }
}

/** The text of a string field, whose value needs no escapes. */
function textField(message: Buffer, field: Buffer): string | undefined {
  const at = message.indexOf(field);
  if (at < 0) return undefined;
  const start = at + field.length;
  return message.toString('latin1', start, message.indexOf(quote, start));
}

function noFigures(): FollowFigures {
  return {
    ...{ ended: 0, endedWithoutBookmark: 0, brokenOff: 0, expired: 0, refused: {}, repeated: 0 },
    ...{ gapsMs: [], delaysMs: [], longestDelayMs: 0 },
  };
}
