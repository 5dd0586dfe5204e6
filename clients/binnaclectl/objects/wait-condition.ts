import { isJsonObject, isNumber, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import { CommandError, UsageError } from '../output/errors.ts';
import { objectIn, textIn } from './page.ts';

/** The condition of `wait --for`. */
export interface WaitCondition {
  /** Whether objects that do not exist fulfil it. */
  readonly isDeletion: boolean;
  /** Whether it holds; undefined stands for an object that does not exist. Throws a `CommandError` where that cannot be said. */
  readonly isMet: (object: JsonObject | undefined) => boolean;
}

const conditionPrefix = 'condition=';

/** Reads `delete` or `condition=NAME[=VALUE]`; throws a `UsageError`. */
export function parseWaitCondition(text: string): WaitCondition {
  if (text.toLowerCase() === 'delete') return { isDeletion: true, isMet: object => object === undefined };
  if (text.startsWith(conditionPrefix)) {
    const [name = '', ...values] = text.slice(conditionPrefix.length).split('=');
    const status = values.length === 0 ? 'true' : values.join('=');
    return { isDeletion: false, isMet: object => object !== undefined && hasCondition(object, name, status) };
  }
  if (text.startsWith('jsonpath=')) throw new UsageError('--for=jsonpath=... is not supported');
  throw new UsageError(`unrecognized condition: ${JSON.stringify(text)}`);
}

/** Whether the first condition of a type in `status.conditions` has a status, of the generation that the object has now. */
function hasCondition(object: JsonObject, type: string, status: string): boolean {
  const { conditions = [] } = objectIn(object, 'status');
  if (!Array.isArray(conditions))
    throw new CommandError('.status.conditions accessor error: it is not a list');
  const condition = conditions
    .filter(isJsonObject)
    .find(each => isSameWord(textIn(each, 'type'), type) && typeof each['status'] === 'string');
  if (condition === undefined) return false;
  const generation = numberIn(objectIn(object, 'metadata'), 'generation');
  const observed =
    numberIn(condition, 'observedGeneration') ?? numberIn(objectIn(object, 'status'), 'observedGeneration');
  const isOutdated = generation !== undefined && observed !== undefined && observed < generation;
  return !isOutdated && isSameWord(textIn(condition, 'status'), status);
}

function isSameWord(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function numberIn(holder: JsonObject, name: string): number | bigint | undefined {
  const value: JsonValue | undefined = holder[name];
  return isNumber(value) ? value : undefined;
}
