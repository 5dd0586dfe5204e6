import {
  type EventRecord,
  type HistoryRecord,
  type ObjectPlace,
  placeKey,
  type WriteRecord,
} from '../records/records.ts';

/** Ways in which the simulated server breaks a promise, once. */
export const plantedFaults = [
  'an acknowledged write is lost',
  'a refused write is done',
  'a write of unknown outcome is done twice',
  'a precondition is not looked at',
  'a conflict that is none',
  'a creation over an object',
  'a version that goes back',
  'a read is old',
  'a list is old',
  'a list leaves out an object',
  'a watch leaves out an event',
  'a watch repeats an event',
  'a watch swaps two events',
  'a watch goes on too late',
  'a watch says nothing at the end',
  'a bookmark runs ahead',
  'an event has the wrong value',
  'an event has the wrong type',
  'an address is given twice',
  'a quota is exceeded',
  'a namespace ends with an object in it',
  'a write into an ended namespace',
] as const;

/** One of them. */
type PlantedFault = (typeof plantedFaults)[number];

/** Whole numbers from 0 up to `below`. */
export type Random = (below: number) => number;

interface Stored {
  readonly place: ObjectPlace;
  readonly version: number;
  readonly value: string;
  readonly address?: string;
}

interface LogEntry {
  readonly event: EventRecord['event'];
  readonly stored: Stored;
}

interface Watcher {
  readonly name: string;
  readonly resource: string;
  readonly namespace: string | undefined;
  position: number;
  skipped?: number;
}

type Write = Omit<WriteRecord, 'kind' | 'client' | 'start' | 'end' | 'outcome' | 'version' | 'code'>;

const quota = { namespace: 'limited', resource: 'secrets', hard: 3 };
const addresses = ['10.0.0.1', '10.0.0.2', '10.0.0.3'];

/**
 * A server of a few objects, and the history of clients of it: writers with preconditions and without, readers, watchers that
 * resume, addresses, a quota, a namespace that ends. It keeps every promise except one, which it breaks once.
 */
export class SimulatedServer {
  readonly records: HistoryRecord[] = [];
  /** Whether the fault has happened. */
  planted = false;
  readonly #random: Random;
  readonly #fault: PlantedFault | undefined;
  readonly #objects = new Map<string, Stored>();
  readonly #past: Stored[] = [];
  readonly #log: LogEntry[] = [];
  readonly #watchers: Watcher[] = [];
  #time = 100;
  #version = 1000;
  #values = 0;
  #ended = false;
  #isCalm = false;
  /** Objects of which not every outcome is known: what happens to them need not show. */
  readonly #uncertain = new Set<string>();

  constructor(random: Random, fault?: PlantedFault) {
    this.#random = random;
    this.#fault = fault;
    for (const namespace of ['a', 'limited', 'short'])
      this.#write({ verb: 'create', ...namespacePlace(namespace), value: 'ns' });
    this.records.push({ kind: 'quota', at: this.#time, ...quota, version: String(this.#version) });
    for (const resource of ['configmaps', 'secrets', 'services', 'namespaces'])
      this.#watch({ name: `all-${resource}`, resource, namespace: undefined, position: this.#version });
    this.#watch({ name: 'one', resource: 'configmaps', namespace: 'a', position: this.#version });
  }

  /** Does that many things, lets everything settle, and reads it all. */
  run(steps: number): void {
    for (let step = 0; step < steps; step++) {
      if (step === Math.floor(steps * 0.7)) this.#endNamespace();
      this.#step();
    }
    for (const watcher of this.#watchers) this.#deliver(watcher, Number.POSITIVE_INFINITY);
    for (const resource of ['configmaps', 'secrets', 'services', 'namespaces']) this.#list(resource);
    this.records.push({ kind: 'settled', at: this.#time + 50 });
  }

  #step(): void {
    const kind = this.#random(12);
    if (kind < 4) this.#writeRegister();
    else if (kind < 5) this.#writeService();
    else if (kind < 6) this.#writeSecret();
    else if (kind < 7) this.#writeShort();
    else if (kind < 9) this.#read();
    else if (kind < 10) this.#list(this.#oneOf(['configmaps', 'secrets', 'services']));
    else this.#followMore();
  }

  #writeRegister(): void {
    const place = { resource: 'configmaps', namespace: 'a', name: `register-${this.#random(3)}` };
    const stored = this.#objects.get(placeKey(place));
    const value = `v${this.#values++}`;
    if (stored === undefined || this.#random(10) === 0) this.#write({ verb: 'create', ...place, value });
    else if (this.#random(12) === 0) this.#write({ verb: 'delete', ...place });
    else this.#updateRegister(place, stored, value);
  }

  #updateRegister(place: ObjectPlace, stored: Stored, value: string): void {
    const old = this.#past.findLast(past => placeKey(past.place) === placeKey(place));
    const known = this.#random(3) === 0 ? (old ?? stored) : stored;
    const precondition = this.#random(3) === 0 ? {} : { precondition: String(known.version) };
    this.#write({ verb: 'update', ...place, value, ...precondition });
  }

  #writeService(): void {
    const place = { resource: 'services', namespace: 'a', name: `service-${this.#random(3)}` };
    if (this.#objects.has(placeKey(place))) {
      this.#write({ verb: 'delete', ...place });
      return;
    }
    const taken = new Set([...this.#objects.values()].map(({ address }) => address));
    const free = addresses.filter(address => !taken.has(address));
    const value = `v${this.#values++}`;
    const holder = [...this.#objects.values()].find(each => each.address && this.#isCertain(each.place));
    if (holder?.address && this.#isCertain(place) && this.#plants('an address is given twice'))
      this.#accept({ verb: 'create', ...place, value, holds: { clusterIP: holder.address } }, place);
    else this.#write({ verb: 'create', ...place, value, holds: { clusterIP: this.#oneOf(free) } });
  }

  #writeSecret(): void {
    const own = [...this.#objects.values()].filter(({ place }) => place.namespace === quota.namespace);
    if (own.length > 0 && this.#random(3) === 0) {
      this.#write({ verb: 'delete', ...this.#oneOf(own).place });
      return;
    }
    const place = { resource: 'secrets', namespace: quota.namespace, name: `secret-${this.#values++}` };
    const write = { verb: 'create', ...place, value: `v${this.#values++}` } as const;
    const isCertain = own.every(each => this.#isCertain(each.place));
    if (own.length < quota.hard) this.#write(write);
    else if (isCertain && this.#plants('a quota is exceeded')) this.#accept(write, place);
    else this.#refuse(write, 403, 'Forbidden');
  }

  #writeShort(): void {
    const place = { resource: 'configmaps', namespace: 'short', name: `short-${this.#values++}` };
    const write = { verb: 'create', ...place, value: `v${this.#values++}` } as const;
    if (!this.#ended) this.#write(write);
    else if (this.#plants('a write into an ended namespace')) this.#accept(write, place);
    else this.#refuse(write, 404, 'NotFound');
  }

  #endNamespace(): void {
    const contents = [...this.#objects.values()].filter(({ place }) => place.namespace === 'short');
    for (const { place } of contents) {
      if (!this.#plants('a namespace ends with an object in it')) this.#remove(place);
    }
    this.#ended = true;
    this.#write({ verb: 'delete', ...namespacePlace('short') });
  }

  /** Does a write as its preconditions allow, answers, or leaves the outcome open. */
  #write(write: Write): void {
    const place = { resource: write.resource, namespace: write.namespace, name: write.name ?? '' };
    const stored = this.#objects.get(placeKey(place));
    const refusal = this.#findRefusal(write, stored);
    const isCertain = this.#isCertain(place);
    if (refusal === 'AlreadyExists' && isCertain && this.#plants('a creation over an object'))
      this.#accept(write, place);
    else if (refusal === 'Conflict' && this.#plants('a precondition is not looked at'))
      this.#accept(write, place);
    else if (refusal) this.#refuse(write, refusal === 'NotFound' ? 404 : 409, refusal);
    else if (write.precondition && isCertain && this.#plants('a conflict that is none'))
      this.#refuse(write, 409, 'Conflict');
    else if (isCertain && place.namespace === 'a' && this.#plants('a refused write is done')) {
      this.#store(write, place);
      this.#refuse(write, 503, 'ServiceUnavailable');
    } else if (place.resource !== 'namespaces' && this.#random(6) === 0) this.#leaveOpen(write, place);
    else this.#accept(write, place);
  }

  #findRefusal({ verb, precondition }: Write, stored: Stored | undefined) {
    if (verb === 'create') return stored && 'AlreadyExists';
    if (stored === undefined) return 'NotFound';
    return precondition !== undefined && Number(precondition) !== stored.version ? 'Conflict' : undefined;
  }

  #accept(write: Write, place: ObjectPlace): void {
    const isLost = place.resource === 'configmaps' && this.#plants('an acknowledged write is lost');
    const isBack = !isLost && write.verb !== 'delete' && this.#plants('a version that goes back');
    const version = isLost ? ++this.#version : this.#store(write, place, isBack ? -500 : 1);
    const versions = write.verb === 'delete' && this.#random(2) === 0 ? {} : { version: String(version) };
    this.#record({ ...write, ...this.#span(), kind: 'write', client: 'c', outcome: 'ok', ...versions });
  }

  #refuse(write: Write, code: number, reason: string): void {
    const { holds: _, ...rest } = write;
    this.#record({ ...rest, ...this.#span(), kind: 'write', client: 'c', outcome: 'refused', code, reason });
  }

  #leaveOpen(write: Write, place: ObjectPlace): void {
    this.#uncertain.add(placeKey(place));
    const isDone = this.#random(2) === 0;
    if (isDone) this.#store(write, place);
    if (isDone && write.verb === 'update' && this.#plants('a write of unknown outcome is done twice'))
      this.#store(write, place);
    const { holds: _, ...rest } = write;
    this.#record({ ...rest, ...this.#span(), kind: 'write', client: 'c', outcome: 'unknown' });
  }

  #store(write: Write, place: ObjectPlace, step = 1): number {
    if (write.verb === 'delete') return this.#remove(place);
    const version = step > 0 ? ++this.#version : this.#version + step;
    const before = this.#objects.get(placeKey(place));
    const address = write.holds?.['clusterIP'];
    const stored = { place, version, value: write.value ?? '', ...(address && { address }) };
    if (before) this.#past.push(before);
    this.#objects.set(placeKey(place), stored);
    this.#log.push({ event: write.verb === 'create' ? 'ADDED' : 'MODIFIED', stored });
    return version;
  }

  #remove(place: ObjectPlace): number {
    const version = ++this.#version;
    const stored = this.#objects.get(placeKey(place));
    this.#objects.delete(placeKey(place));
    if (stored) this.#log.push({ event: 'DELETED', stored: { ...stored, version } });
    return version;
  }

  #read(): void {
    const place = { resource: 'configmaps', namespace: 'a', name: `register-${this.#random(3)}` };
    const old = this.#past.findLast(past => placeKey(past.place) === placeKey(place));
    const stored = this.#objects.get(placeKey(place));
    const isNewer = old && stored && stored.version > old.version;
    const isOld = isNewer && this.#wasAcknowledged(stored) && this.#plants('a read is old');
    const found = isOld ? old : stored;
    const state = found && { found: { version: String(found.version), value: found.value } };
    this.#record({ kind: 'read', client: 'r', ...this.#span(), ...place, ...state });
  }

  #wasAcknowledged(stored: Stored | undefined): boolean {
    return this.records.some(
      record =>
        record.kind === 'write' &&
        record.version === String(stored?.version) &&
        record.end < this.#time - longestSpan,
    );
  }

  #list(resource: string): void {
    let items = [...this.#objects.values()].filter(({ place }) => place.resource === resource);
    const last = this.#log.findLast(({ stored }) => stored.place.resource === resource);
    let version = this.#version;
    const known = items.find(
      item => this.#wasAcknowledged(item) && this.#isCertain(item.place) && item.place.namespace === 'a',
    );
    const isRemovable = last?.event === 'ADDED' && this.#wasAcknowledged(last.stored);
    if (isRemovable && items.includes(last.stored) && this.#plants('a list is old')) {
      items = items.filter(item => item !== last.stored);
      version = last.stored.version - 1;
    } else if (known && this.#plants('a list leaves out an object'))
      items = items.filter(item => item !== known);
    const shown = items.map(({ place: { namespace, name }, value, address, ...stored }) => ({
      ...{ namespace, name, value, version: String(stored.version) },
      ...(address && { holds: { clusterIP: address } }),
    }));
    this.#record({
      kind: 'list',
      client: 'l',
      ...this.#span(),
      resource,
      version: String(version),
      items: shown,
    });
  }

  #watch(watcher: Watcher): void {
    this.#watchers.push(watcher);
    this.#open(watcher, watcher.position);
  }

  #open({ name, resource, namespace }: Watcher, from: number): void {
    const collection = { resource, ...(namespace === undefined ? {} : { namespace }) };
    this.#record({ kind: 'watch', watcher: name, at: this.#time, ...collection, from: String(from) });
  }

  #followMore(): void {
    const watcher = this.#oneOf(this.#watchers);
    this.#deliver(watcher, 1 + this.#random(4));
    const next = this.#waiting(watcher)[0]?.stored.version ?? this.#version + 1;
    if (this.#random(3) === 0) this.#bookmark(watcher, next - 1);
    if (this.#random(4) > 0) return;
    this.#record({ kind: 'watch-end', watcher: watcher.name, at: this.#time });
    this.#open(watcher, watcher.position);
    const missed = this.#waiting(watcher)[0];
    if (missed && this.#wasAcknowledged(missed.stored) && this.#plants('a watch goes on too late'))
      watcher.skipped = missed.stored.version;
  }

  #bookmark(watcher: Watcher, upTo: number): void {
    const isAhead = this.#waiting(watcher).length > 0 && this.#plants('a bookmark runs ahead');
    const version = isAhead ? this.#version : Math.max(upTo, watcher.position);
    this.#record({ kind: 'bookmark', watcher: watcher.name, at: this.#time, version: String(version) });
    if (!isAhead) watcher.position = version;
  }

  #waiting({ resource, namespace, position, skipped }: Watcher): LogEntry[] {
    return this.#log.filter(
      ({ stored: { place, version } }) =>
        version > position &&
        version !== skipped &&
        place.resource === resource &&
        (namespace === undefined || namespace === place.namespace),
    );
  }

  #deliver(watcher: Watcher, most: number): void {
    let entries = this.#waiting(watcher).slice(0, most);
    const isEnd = most === Number.POSITIVE_INFINITY;
    const [first, second] = entries;
    if (
      isEnd &&
      entries.some(({ stored }) => this.#wasAcknowledged(stored)) &&
      this.#plants('a watch says nothing at the end')
    )
      return;
    const last = entries.at(-1);
    if (last) watcher.position = last.stored.version;
    if (first && second) {
      if (this.#wasAcknowledged(first.stored) && this.#plants('a watch leaves out an event'))
        entries = entries.slice(1);
      else if (this.#plants('a watch swaps two events')) entries = [second, first, ...entries.slice(2)];
    }
    if (last && this.#plants('a watch repeats an event')) entries = [...entries, last];
    for (const entry of entries) this.#event(watcher, entry);
  }

  #event(watcher: Watcher, { event, stored }: LogEntry): void {
    const { place, version, address } = stored;
    const isOfClients = place.resource !== 'namespaces' && event !== 'DELETED';
    const isWrong = isOfClients && this.#plants('an event has the wrong value');
    const isMistaken = event === 'MODIFIED' && this.#plants('an event has the wrong type');
    const { namespace, name } = place;
    this.#record({
      ...{ kind: 'event', watcher: watcher.name, at: this.#time, namespace, name },
      event: isMistaken ? 'ADDED' : event,
      version: String(version),
      value: isWrong ? 'wrong' : stored.value,
      ...(address && { holds: { clusterIP: address } }),
    });
  }

  #record(record: HistoryRecord): void {
    this.records.push(record);
    this.#time += 1 + this.#random(3) + (this.#isCalm ? longestSpan * 2 : 0);
    this.#isCalm = false;
  }

  #isCertain(place: ObjectPlace): boolean {
    return !this.#uncertain.has(placeKey(place));
  }

  /** Whether this is the place where the fault happens. */
  #plants(fault: PlantedFault): boolean {
    if (this.planted || fault !== this.#fault || this.#log.length < 15 || this.#random(3) > 0) return false;
    this.planted = true;
    // Nothing that is under way at the same time explains it.
    this.#isCalm = true;
    this.#time += longestSpan * 2;
    return true;
  }

  /** A span around this moment: requests are under way at the same time. */
  #span(): { readonly start: number; readonly end: number } {
    return { start: this.#time - this.#random(longestSpan), end: this.#time + this.#random(longestSpan) };
  }

  #oneOf<Item>(items: readonly Item[]): Item {
    const item = items[this.#random(items.length)];
    if (item === undefined) throw new RangeError('there is nothing to choose from');
    return item;
  }
}

/** Longer than the way from one request to the next, so that several are under way at once. */
const longestSpan = 8;

function namespacePlace(name: string): ObjectPlace {
  return { resource: 'namespaces', namespace: '', name };
}
