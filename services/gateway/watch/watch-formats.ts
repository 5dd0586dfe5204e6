import type { ResourceDefinition } from '@binnacle/api-types';
import { parseIncludeObject } from '@binnacle/codecs';
import { notAcceptable } from '@binnacle/status-errors';
import type { Representation } from '../negotiate/representation.ts';
import type { Spelling } from '../render/spelling.ts';
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
}

/** Gives the form for a watch; equal forms are one and the same, so that a watcher costs no encoding of its own. */
export class WatchFormats {
  readonly #known = new WeakMap<ResourceDefinition, Map<string, WatchFormat>>();
  readonly #clock: () => number;

  constructor(clock: () => number) {
    this.#clock = clock;
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

  #create({ definition, spelling, representation, includeObject }: WatchFormatQuery): WatchFormat {
    const { encoding, transform, mediaType } = representation;
    if (encoding === 'protobuf') {
      if (transform !== undefined) throw notAcceptable(['application/json;stream=watch']);
      return protobufFormat(definition, spelling, mediaType);
    }
    if (transform === undefined) return jsonFormat(definition, spelling);
    const { apiVersion } = transform;
    if (transform.kind !== 'Table') return partialMetadataFormat(definition, spelling, apiVersion);
    const options = { apiVersion, includeObject: parseIncludeObject(includeObject), clock: this.#clock };
    return tableFormat(definition, spelling, options);
  }
}
