import { type Quantity, tryParseQuantity } from '@binnacle/api-objects';
import type { LimitRange } from '@binnacle/api-types/core/v1';
import type { Review } from '../../chain/review.ts';
import type { ObjectReader, SeenObject } from '../../sources/objects.ts';

/** Amounts by resource, in the order of their names. */
export type Amounts = ReadonlyMap<string, Quantity>;

/** The same as objects are given them: with the texts that the LimitRange has. */
export type AmountTexts = ReadonlyMap<string, string>;

/** One item of a LimitRange: what holds for each object of a type. */
export interface LimitItem {
  readonly type: string;
  readonly max: Amounts;
  readonly min: Amounts;
  readonly default: AmountTexts;
  readonly defaultRequest: AmountTexts;
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
  const read = async ({ namespace, call }: Review) => (await reader.list(namespace, call)).flatMap(readItems);
  return {
    of(review) {
      const items = found.get(review) ?? read(review);
      found.set(review, items);
      return items;
    },
  };
}

/** The items of one LimitRange. */
function limitItemsFrom({ spec }: LimitRange): LimitItem[] {
  return (spec?.limits ?? []).map(item => ({
    type: item.type ?? '',
    max: amountsFrom(item.max),
    min: amountsFrom(item.min),
    default: textsFrom(item.default),
    defaultRequest: textsFrom(item.defaultRequest),
    maxLimitRequestRatio: amountsFrom(item.maxLimitRequestRatio),
  }));
}

function textsFrom(listed: Readonly<Record<string, string>> = {}): AmountTexts {
  return new Map([...amountsFrom(listed).keys()].map(name => [name, listed[name] ?? '']));
}

/** Amounts as objects have them; what is no quantity is left out. */
export function amountsFrom(listed: Readonly<Record<string, string>> = {}): Amounts {
  const amounts = new Map<string, Quantity>();
  for (const name of Object.keys(listed).sort()) {
    const amount = tryParseQuantity(listed[name] ?? '');
    if (amount !== undefined) amounts.set(name, amount);
  }
  return amounts;
}

const itemsSlot = Symbol('limit items');

function readItems(seen: SeenObject): LimitItem[] {
  return seen.derived(itemsSlot, source => limitItemsFrom(source.parse()));
}
