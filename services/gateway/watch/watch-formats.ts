import { annotations, understood } from '@binnacle/api-names';
import type { ResourceDefinition } from '@binnacle/api-types';
import { parseIncludeObject } from '@binnacle/codecs';
import { isWebhookConverted } from '@binnacle/conversion-webhooks';
import type { WatchPreparation } from '@binnacle/watch-cache';
import type { ApiVersionAlias } from '../render/api-version-alias.ts';
import { isMetadataOnly, type Representation } from '../render/representation.ts';
import type { WebhookConversions } from '../versions/webhook-conversions.ts';
import { chunkFraming } from './framing/chunk-framing.ts';
import type { Framing } from './framing/framing.ts';
import { streamFraming } from './framing/stream-framing.ts';
import { binaryFraming, textFraming } from './framing/web-socket-framing.ts';
import { jsonFormat } from './json-format.ts';
import { metadataFormat, protobufMetadataFormat } from './metadata-format.ts';
import { protobufFormat } from './protobuf-format.ts';
import { tableFormat } from './transformed-format.ts';
import type { WatchFormat } from './watch-format.ts';

/** The facts about a watch that decide on its form. */
export interface WatchFormatQuery {
  readonly definition: ResourceDefinition;
  readonly alias: ApiVersionAlias;
  readonly representation: Representation;
  /** The `includeObject` parameter, for Tables. */
  readonly includeObject: string;
  /** Whether events are the chunks of a response, follow each other on a stream, or are the messages of a WebSocket. */
  readonly transport: 'chunks' | 'stream' | 'webSocket';
}

/** The facts about the server that decide on forms. */
interface WatchFormatsOptions {
  /** Milliseconds since 1970, for ages in Tables. */
  readonly clock: () => number;
  /** Whether clients may look for the other names of annotations. */
  readonly kubernetesClientCompatibility: boolean;
  readonly conversions: WebhookConversions;
}

/** Gives the form for a watch; equal forms are one and the same, so that a watcher costs no encoding of its own. */
export class WatchFormats {
  readonly #cache = new WeakMap<ResourceDefinition, Map<string, WatchFormat>>();
  readonly #clock: () => number;
  readonly #initialEventsEnd: Readonly<Record<string, string>>;
  readonly #conversions: WebhookConversions;

  constructor({ clock, kubernetesClientCompatibility, conversions }: WatchFormatsOptions) {
    this.#clock = clock;
    this.#conversions = conversions;
    this.#initialEventsEnd = initialEventsEndAnnotations(kubernetesClientCompatibility);
  }

  /** The form that a representation stands for. Throws BadRequest for what a watch cannot be. */
  of(query: WatchFormatQuery): WatchFormat {
    const format = this.#prepared(query, this.#create(query));
    const known = this.#cache.get(query.definition) ?? new Map<string, WatchFormat>();
    this.#cache.set(query.definition, known);
    const key = `${format.encoding.id} ${format.contentType}`;
    const same = known.get(key) ?? format;
    known.set(key, same);
    return same;
  }

  /** Events are converted by a webhook first, where one converts; metadata alone is shown as it is stored. */
  #prepared({ definition, representation }: WatchFormatQuery, format: WatchFormat): WatchFormat {
    if (!isWebhookConverted(definition) || isMetadataOnly(representation)) return format;
    const conversions = this.#conversions;
    const preparation: WatchPreparation = {
      isReady: ({ stored }) => conversions.isPrepared(definition, stored),
      prepare: objects => {
        const stored = objects.map(object => object.stored);
        return conversions.prepare(definition, stored, { anyAge: true });
      },
    };
    return { ...format, encoding: { ...format.encoding, preparation } };
  }

  #create({ definition, alias, representation, includeObject, transport }: WatchFormatQuery): WatchFormat {
    const { encoding, transform, mediaType } = representation;
    const framing = framingOf(transport, encoding);
    const context = { definition, alias, framing, initialEventsEnd: this.#initialEventsEnd };
    if (transform === undefined)
      return encoding === 'protobuf' ? protobufFormat(context, mediaType) : jsonFormat(context);
    const { apiVersion } = transform;
    if (encoding === 'protobuf') return protobufMetadataFormat(context, apiVersion, mediaType);
    if (transform.kind !== 'Table') return metadataFormat(context, apiVersion);
    const options = { apiVersion, includeObject: parseIncludeObject(includeObject), clock: this.#clock };
    return tableFormat(context, options);
  }
}

function framingOf(transport: WatchFormatQuery['transport'], encoding: Representation['encoding']): Framing {
  switch (transport) {
    case 'chunks':
      return chunkFraming;
    case 'stream':
      return streamFraming;
    case 'webSocket':
      return encoding === 'protobuf' ? binaryFraming : textFraming;
  }
}

/**
 * The annotations of the bookmark that closes the existing objects of a watch with `sendInitialEvents`. Existing
 * clients look for Kubernetes' name; on the core group nothing tells them from others, so with compatibility the bookmark
 * has every name that is understood.
 */
export function initialEventsEndAnnotations(
  kubernetesClientCompatibility: boolean,
): Readonly<Record<string, string>> {
  const names = kubernetesClientCompatibility
    ? understood.annotations.initialEventsEnd
    : [annotations.initialEventsEnd];
  return Object.fromEntries(names.map(name => [name, 'true']));
}
