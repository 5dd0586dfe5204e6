import { type Quantity, tryParseQuantity } from '@binnacle/api-objects';
import type { LimitRange } from '@binnacle/api-types/core/v1';
import type { Review } from '../../chain/review.ts';
import type { ObjectReader, SeenObject } from '../../sources/objects.ts';

/** Amounts by resource, in the order of their names. */
export type Amounts = ReadonlyMap<string, Quantity>;

/** Amounts as the texts of the LimitRange, in which objects get them. */
export type AmountTexts = ReadonlyMap<string, string>;

/** One item of a LimitRange: the limits of each object of a type. */
export interface LimitItem {
  readonly type: string;
  readonly max: Amounts;
  readonly min: Amounts;
  readonly default: AmountTexts;
  readonly defaultRequest: AmountTexts;
  readonly maxLimitRequestRatio: Amounts;
}

/** Source of the LimitRanges that apply to a review. */
export interface LimitSource {
  /** Returns the items of the LimitRanges of the review's namespace; the first call of a review decides on their state. */
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

/** Parses amounts; texts that are no quantity are left out. */
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
