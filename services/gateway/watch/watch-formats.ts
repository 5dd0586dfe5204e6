import type { ResourceDefinition } from '@binnacle/api-types';
import { parseIncludeObject } from '@binnacle/codecs';
import { notAcceptable } from '@binnacle/status-errors';
import type { Representation } from '../negotiate/representation.ts';
import type { Spelling } from '../render/spelling.ts';
import { chunkFraming } from './framing/chunk-framing.ts';
import { binaryFraming, textFraming } from './framing/web-socket-framing.ts';
import { initialEventsEndAnnotations } from './initial-events-end.ts';
import { jsonFormat } from './json-format.ts';
import { protobufFormat } from './protobuf-format.ts';
import { partialMetadataFormat, tableFormat } from './transformed-format.ts';
import type { WatchFormat } from './watch-format.ts';

/** What decides on the form of a watch. */
export interface WatchFormatQuery {
  readonly definition: ResourceDefinition;
  readonly spelling: Spelling;
  readonly representation: Representation;
  /** The `includeObject` parameter, for Tables. */
  readonly includeObject: string;
  /** Whether events are the chunks of a response or the messages of a WebSocket. */
  readonly transport: 'response' | 'webSocket';
}

/** What forms depend on beside their watch. */
export interface WatchFormatsOptions {
  /** Milliseconds since 1970, for ages in Tables. */
  readonly clock: () => number;
  /** Whether clients may look for the `.k8s.io` spelling of annotations. */
  readonly kubernetesClientCompatibility: boolean;
}

/** Gives the form for a watch; equal forms are one and the same, so that a watcher costs no encoding of its own. */
export class WatchFormats {
  readonly #known = new WeakMap<ResourceDefinition, Map<string, WatchFormat>>();
  readonly #clock: () => number;
  readonly #initialEventsEnd: Readonly<Record<string, string>>;

  constructor({ clock, kubernetesClientCompatibility }: WatchFormatsOptions) {
    this.#clock = clock;
    this.#initialEventsEnd = initialEventsEndAnnotations(kubernetesClientCompatibility);
  }

  /** The form that a representation stands for. Throws NotAcceptable and BadRequest for what a watch cannot be. */
  of(query: WatchFormatQuery): WatchFormat {
    const format = this.#create(query);
    const known = this.#known.get(query.definition) ?? new Map<string, WatchFormat>();
    this.#known.set(query.definition, known);
    const key = `${format.encoding.id} ${format.contentType}`;
    const same = known.get(key) ?? format;
    known.set(key, same);
    return same;
  }

  #create({ definition, spelling, representation, includeObject, transport }: WatchFormatQuery): WatchFormat {
    const { encoding, transform, mediaType } = representation;
    const messageFraming = encoding === 'protobuf' ? binaryFraming : textFraming;
    const framing = transport === 'response' ? chunkFraming : messageFraming;
    const context = { definition, spelling, framing, initialEventsEnd: this.#initialEventsEnd };
    if (encoding === 'protobuf') {
      if (transform !== undefined) throw notAcceptable(['application/json;stream=watch']);
      return protobufFormat(context, mediaType);
    }
    if (transform === undefined) return jsonFormat(context);
    const { apiVersion } = transform;
    if (transform.kind !== 'Table') return partialMetadataFormat(context, apiVersion);
    const options = { apiVersion, includeObject: parseIncludeObject(includeObject), clock: this.#clock };
    return tableFormat(context, options);
  }
}
