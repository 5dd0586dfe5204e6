import { isJsonObject, type JsonValue } from '@binnacle/api-objects';
import { TemplateError } from '../template-error.ts';
import {
  deepestNesting,
  formatGoValue,
  type GoValue,
  goTypeName,
  goValueFromJson,
  readMember,
  sortedKeys,
} from '../values/go-value.ts';
import { type ComparisonOperator, compareGoValues, isComparisonOperator } from './compare-go-values.ts';
import type {
  JsonPathFilter,
  JsonPathList,
  JsonPathSlice,
  JsonPathStep,
  JsonPathTemplate,
} from './json-path-template.ts';

/** Options of following a template's paths. */
export interface FindOptions {
  /** Whether a field that no value has leads nowhere; it is an error otherwise. Default: yes. */
  readonly allowMissingKeys?: boolean;
  /** Values that may be visited. */
  readonly mostVisits?: number;
}

/** Bounds the work of a template, however its steps multiply. */
const defaultVisits = 20_000_000;

/**
 * The values that each part of a template leads to in a document; the parts of a `range` repeat for each of its values. Throws a
 * TemplateError where the template does not fit the document. Maps are followed in the order of their keys, which kubectl leaves to
 * chance.
 */
export function findResults(
  template: JsonPathTemplate,
  document: JsonValue,
  options: FindOptions = {},
): GoValue[][] {
  return new Search(template, options).results(goValueFromJson(document));
}

/** A step failed after it had found values, which an `exists` filter counts. */
class StepFault extends TemplateError {
  readonly found: readonly GoValue[];

  constructor(message: string, found: readonly GoValue[]) {
    super(message);
    this.found = found;
  }
}

/** The way through one template and document. */
class Search {
  readonly #template: JsonPathTemplate;
  readonly #allowMissingKeys: boolean;
  #visitsLeft: number;
  /** Ranges that have begun with the last list of steps, are open, and have ended with it. */
  #beginning = 0;
  #open = 0;
  #ending = 0;
  /** The part at which the last range ended. */
  #lastEnd = -1;

  constructor(
    template: JsonPathTemplate,
    { allowMissingKeys = true, mostVisits = defaultVisits }: FindOptions,
  ) {
    this.#template = template;
    this.#allowMissingKeys = allowMissingKeys;
    this.#visitsLeft = mostVisits;
  }

  /** The results of the parts from one on, for a value, up to the end of the innermost range. */
  results(current: GoValue, from = 0): GoValue[][] {
    const { parts } = this.#template;
    const all: GoValue[][] = [];
    for (let index = from; index < parts.length; index++) {
      const part = parts[index]!; // Within bounds.
      const found = part.kind === 'text' ? [part.text] : this.#followList(part, [current]);
      this.#visit();
      if (this.#ending > 0 && this.#ending <= this.#open) {
        this.#ending--;
        this.#lastEnd = index;
        break;
      }
      if (this.#beginning === 0) {
        all.push(found);
        continue;
      }
      this.#beginning--;
      this.#open++;
      for (const value of found) for (const each of this.results(value, index + 1)) all.push(each);
      // The parts of an empty range are followed without a value, to find their end.
      if (found.length === 0) this.results(undefined, index + 1);
      this.#open--;
      if (this.#lastEnd > index) index = this.#lastEnd;
    }
    return all;
  }

  #followList({ steps }: JsonPathList, start: GoValue[]): GoValue[] {
    let values = start;
    for (const step of steps) values = this.#follow(step, values);
    return values;
  }

  #follow(step: JsonPathStep, values: GoValue[]): GoValue[] {
    switch (step.kind) {
      case 'text':
        return [step.text];
      case 'literal':
        return values.map(() => step.value);
      case 'field':
        return this.#fields(step.name, values);
      case 'wildcard':
        return values.flatMap(value => this.#children(value));
      case 'recursive': {
        const found: GoValue[] = [];
        for (const value of values) this.#addContainers(value, found, 0);
        return found;
      }
      case 'slice':
        return this.#slice(step, values);
      case 'filter':
        return this.#filter(step, values);
      case 'union':
        try {
          return step.lists.flatMap(list => this.#followList(list, values));
        } catch (error) {
          throw error instanceof StepFault ? new StepFault(error.message, values) : error;
        }
      case 'identifier':
        return this.#keyword(step.name, values);
    }
  }

  #keyword(name: string, values: GoValue[]): GoValue[] {
    if (name === 'range') {
      this.#beginning++;
      return values;
    }
    if (name !== 'end') throw new StepFault(`unrecognized identifier ${name}`, values);
    if (this.#open === 0) throw new StepFault('not in range, nothing to end', []);
    this.#ending++;
    return [];
  }

  #fields(name: string, values: readonly GoValue[]): GoValue[] {
    const found: GoValue[] = [];
    for (const value of values) {
      this.#visit();
      const member = isJsonObject(value) ? readMember(value, name) : undefined;
      if (member !== undefined) found.push(member);
    }
    if (found.length === 0 && values.length > 0 && !this.#allowMissingKeys)
      throw new StepFault(`${name} is not found`, found);
    return found;
  }

  /** The items of a list, the members of a map, and, as in kubectl, the bytes of a text. */
  #children(value: GoValue): GoValue[] {
    const children = listChildren(value);
    this.#visit(children.length);
    return children;
  }

  /** A value that has children, and every such value in it, from above. */
  #addContainers(value: GoValue, found: GoValue[], depth: number): void {
    if (depth > deepestNesting)
      throw new TemplateError(`the object is nested deeper than ${deepestNesting} levels`);
    this.#visit();
    if (typeof value === 'string') {
      if (value !== '') found.push(value);
      return;
    }
    const children = listChildren(value);
    if (children.length === 0) return;
    found.push(value);
    for (const child of children) this.#addContainers(child, found, depth + 1);
  }

  #slice(step: JsonPathSlice, values: readonly GoValue[]): GoValue[] {
    const found: GoValue[] = [];
    for (const value of values) {
      this.#visit();
      if (value === null) continue;
      if (!Array.isArray(value)) throw new StepFault(`${goTypeName(value)} is not array or slice`, values);
      const { length } = value;
      const [from, to] = findBounds(step, length);
      // A slice without items ends the step, as in kubectl, for the values after it too.
      if (from === to) return found;
      for (const [index, bad] of [
        [from, from >= length || from < 0],
        [to - 1, to > length || to < 0],
      ] as const)
        if (bad) throw new StepFault(`array index out of bounds: index ${index}, length ${length}`, values);
      if (from > to) throw new StepFault(`starting index ${from} is greater than ending index ${to}`, values);
      const { by = 1 } = step;
      if (by <= 0) throw new StepFault('step must be > 0', values);
      for (let index = from; index < to; index += by) {
        this.#visit();
        found.push(goValueFromJson(value[index]));
      }
    }
    return found;
  }

  #filter(filter: JsonPathFilter, values: readonly GoValue[]): GoValue[] {
    const found: GoValue[] = [];
    for (const value of values) {
      if (!Array.isArray(value))
        throw new StepFault(`${formatGoValue(value)} is not array or slice and cannot be filtered`, values);
      for (const item of value.map(goValueFromJson)) {
        this.#visit();
        if (this.#passes(filter, item, found)) found.push(item);
      }
    }
    return found;
  }

  #passes({ left, operator, right }: JsonPathFilter, item: GoValue, found: readonly GoValue[]): boolean {
    if (operator === 'exists') return this.#leadsSomewhere(left, item);
    const lefts = this.#followList(left, [item]);
    if (lefts.length === 0) return false;
    if (lefts.length > 1) throw new StepFault('can only compare one element at a time', found);
    const rights = this.#followList(right, [item]);
    if (rights.length === 0) return false;
    if (rights.length > 1) throw new StepFault('can only compare one element at a time', found);
    if (!isComparisonOperator(operator))
      throw new StepFault(`unrecognized filter operator ${operator}`, found);
    return this.#compare(operator, [lefts[0], rights[0]], found);
  }

  #compare(
    operator: ComparisonOperator,
    pair: readonly [GoValue, GoValue],
    found: readonly GoValue[],
  ): boolean {
    const answer = compareGoValues(operator, ...pair);
    if (typeof answer === 'string') throw new StepFault(answer, found);
    return answer;
  }

  /** As in kubectl a path that fails leads to the values that it had found. */
  #leadsSomewhere(list: JsonPathList, item: GoValue): boolean {
    try {
      return this.#followList(list, [item]).length > 0;
    } catch (error) {
      if (error instanceof StepFault) return error.found.length > 0;
      throw error;
    }
  }

  #visit(count = 1): void {
    this.#visitsLeft -= count;
    if (this.#visitsLeft < 0) throw new TemplateError('the template visits too many values');
  }
}

function listChildren(value: GoValue): GoValue[] {
  if (Array.isArray(value)) return value.map(goValueFromJson);
  if (isJsonObject(value)) return sortedKeys(value).map(key => readMember(value, key));
  return typeof value === 'string' ? Array.from(Buffer.from(value), BigInt) : [];
}

/** The first index of a slice and that after its last, of which negative ones count from the end. */
function findBounds({ from = 0, to, isIndex }: JsonPathSlice, length: number): [from: number, to: number] {
  const first = from < 0 ? from + length : from;
  const last = to ?? length;
  return [first, last < 0 || (last === 0 && isIndex) ? last + length : last];
}
