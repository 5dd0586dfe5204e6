import { badRequest } from '@binnacle/status-errors';

/** A parameter that is a whole number; undefined when it is not given or empty. Throws BadRequest for anything else. */
export function integerParameter(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  const value = Number(text);
  if (!/^[+-]?[0-9]+$/.test(text) || !Number.isSafeInteger(value)) {
    throw badRequest(`${name} must be a whole number, not ${JSON.stringify(text.slice(0, 64))}`);
  }
  return value;
}
