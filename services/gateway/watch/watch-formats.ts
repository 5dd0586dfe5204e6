import { annotations, understood } from '@binnacle/api-names';
import type { ResourceDefinition } from '@binnacle/api-types';
import { parseIncludeObject } from '@binnacle/codecs';
import { isWebhookConverted } from '@binnacle/conversion-webhooks';
import { internalError } from '@binnacle/status-errors';
import type { WatchPreparation } from '@binnacle/watch-cache';
import type { ApiVersionAlias } from '../render/api-version-alias.ts';
import { isMetadataOnly, type Representation } from '../render/representation.ts';
import { metadataBytes, servedBytes } from '../versions/alias-form.ts';
import { findForm, type VersionBytes } from '../versions/kept-forms.ts';
import { bytesInVersion } from '../versions/version-form.ts';
import type { WebhookConversions } from '../versions/webhook-conversions.ts';
import { chunkFraming, type Framing, streamFraming } from './framing/framing.ts';
import { binaryFraming, textFraming } from './framing/web-socket-framing.ts';
import { jsonFormat } from './json-format.ts';
import { metadataFormat, protobufMetadataFormat } from './metadata-format.ts';
import { protobufFormat } from './protobuf-format.ts';
import { tableFormat } from './transformed-format.ts';
import type { EventFormat, WatchFormat } from './watch-format.ts';

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
  /** Whether clients may look for annotations under Kubernetes' names. */
  readonly kubernetesClientCompatibility: boolean;
  readonly conversions: WebhookConversions;
}

/**
 * Creates the formats of watches; watches with equal facts share a format, so that a watcher costs no encoding of its
 * own.
 */
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

  /** The format of a watch. Throws BadRequest for a form that watches do not have. */
  of(query: WatchFormatQuery): WatchFormat {
    const format = this.#create(query);
    const formats = this.#cache.get(query.definition) ?? new Map<string, WatchFormat>();
    this.#cache.set(query.definition, formats);
    const key = `${format.encoding.id} ${format.contentType}`;
    const same = formats.get(key) ?? format;
    formats.set(key, same);
    return same;
  }

  #create(query: WatchFormatQuery): WatchFormat {
    const { definition, alias, transport } = query;
    const { encoding, transform, mediaType } = query.representation;
    const framing = chooseFraming(transport, encoding);
    const context = { definition, alias, framing, initialEventsEnd: this.#initialEventsEnd };
    const { names } = alias;
    if (isMetadataOnly(query.representation) && transform !== undefined) {
      const { apiVersion } = transform;
      const format =
        encoding === 'protobuf'
          ? protobufMetadataFormat(context, apiVersion, mediaType)
          : metadataFormat(context, apiVersion);
      return watchFormat(format, stored => metadataBytes(definition, stored, names));
    }
    const bytesOf = (stored: Buffer): VersionBytes => readyBytes(definition, stored);
    if (transform === undefined && encoding === 'protobuf')
      return this.#prepared(query, watchFormat(protobufFormat(context, mediaType), bytesOf));
    const format =
      transform === undefined
        ? jsonFormat(context)
        : tableFormat(context, {
            apiVersion: transform.apiVersion,
            includeObject: parseIncludeObject(query.includeObject),
            clock: this.#clock,
          });
    return this.#prepared(
      query,
      watchFormat(format, stored => servedBytes(definition, bytesOf(stored), names)),
    );
  }

  /** The format with objects converted first, where a webhook converts them. */
  #prepared({ definition }: WatchFormatQuery, format: WatchFormat): WatchFormat {
    if (!isWebhookConverted(definition)) return format;
    const conversions = this.#conversions;
    const preparation: WatchPreparation = {
      isReady: ({ stored }) => findReadyBytes(definition, stored) !== undefined,
      prepare(objects) {
        const stored = objects.map(object => object.stored);
        const converting = conversions.formsInVersion(definition, stored, { anyAge: true });
        return converting instanceof Promise ? converting.then(() => {}) : undefined;
      },
    };
    return { ...format, encoding: { ...format.encoding, preparation } };
  }
}

/** The format of a watch whose objects are shown from bytes that `bytesOf` makes of the stored ones. */
function watchFormat<Bytes extends Buffer>(
  { contentType, id, event, bookmark, error, opening }: EventFormat<Bytes>,
  bytesOf: (stored: Buffer) => Bytes,
): WatchFormat {
  return {
    contentType,
    encoding: {
      id,
      event: ({ type, object, revision }) => event(type, bytesOf(object.stored), revision),
      bookmark,
    },
    error,
    ...(opening && { opening }),
  };
}

/** Stored bytes in the version of a definition, as watches show them; undefined where a webhook has to convert them. */
function findReadyBytes(definition: ResourceDefinition, stored: Buffer): VersionBytes | undefined {
  return bytesInVersion(definition, stored) ?? findForm(definition, stored)?.bytes;
}

/** The bytes of an object that is ready, which the cache guarantees for objects to encode. */
function readyBytes(definition: ResourceDefinition, stored: Buffer): VersionBytes {
  const bytes = findReadyBytes(definition, stored);
  if (bytes === undefined) throw internalError(`a ${definition.kind} was watched before it was converted`);
  return bytes;
}

function chooseFraming(
  transport: WatchFormatQuery['transport'],
  encoding: Representation['encoding'],
): Framing {
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
 * clients look for Kubernetes' name; on the core group they cannot be told from others, so with compatibility the
 * bookmark has every name that is understood.
 */
export function initialEventsEndAnnotations(
  kubernetesClientCompatibility: boolean,
): Readonly<Record<string, string>> {
  const names = kubernetesClientCompatibility
    ? understood.annotations.initialEventsEnd
    : [annotations.initialEventsEnd];
  return Object.fromEntries(names.map(name => [name, 'true']));
}
