import { type JsonObject, type Quantity, tryParseQuantity } from '@binnacle/api-objects';
import { asObject, asObjects, asText } from '@binnacle/api-types';
import type { Review } from '../../chain/review.ts';
import type { ObjectReader, SeenObject } from '../../sources/objects.ts';

/** Amounts by resource, in the order of their names. */
export type Amounts = ReadonlyMap<string, Quantity>;

/** One item of a LimitRange: what holds for each object of a type. */
export interface LimitItem {
  readonly type: string;
  readonly max: Amounts;
  readonly min: Amounts;
  readonly default: Amounts;
  readonly defaultRequest: Amounts;
  readonly maxLimitRequestRatio: Amounts;
}

/** The LimitRanges that a review is held to. */
export interface LimitSource {
  /** The items of the LimitRanges of the review's namespace, as they were when it was first asked. */
  of(review: Review): Promise<readonly LimitItem[]>;
}

/** Creates a source of limits on a reader of LimitRanges. */
export function createLimitSource(reader: Pick<ObjectReader, 'list'>): LimitSource {
  const found = new WeakMap<Review, Promise<readonly LimitItem[]>>();
  const read = async ({ namespace, call }: Review) => (await reader.list(namespace, call)).flatMap(itemsOf);
  return {
    of(review) {
      const items = found.get(review) ?? read(review);
      found.set(review, items);
      return items;
    },
  };
}

/** The items of one LimitRange. */
function limitItemsFrom(object: JsonObject): LimitItem[] {
  return asObjects(asObject(object['spec'])?.['limits']).map(item => ({
    type: asText(item['type']),
    max: amountsFrom(item['max']),
    min: amountsFrom(item['min']),
    default: amountsFrom(item['default']),
    defaultRequest: amountsFrom(item['defaultRequest']),
    maxLimitRequestRatio: amountsFrom(item['maxLimitRequestRatio']),
  }));
}

/** Amounts as JSON has them; what is no quantity is left out. */
export function amountsFrom(value: unknown): Amounts {
  const amounts = new Map<string, Quantity>();
  const listed = asObject(value) ?? {};
  for (const name of Object.keys(listed).sort()) {
    const text = listed[name];
    const amount = tryParseQuantity(typeof text === 'number' ? String(text) : asText(text));
    if (amount !== undefined) amounts.set(name, amount);
  }
  return amounts;
}

const itemsSlot = Symbol('limit items');

function itemsOf(seen: SeenObject): LimitItem[] {
  return seen.derived(itemsSlot, source => limitItemsFrom(source.parse()));
}
