import { isJsonObject, type JsonObject } from '@binnacle/api-objects';
import type { CustomColumn } from '../templates/custom-columns/parse-custom-columns.ts';
import { findResults } from '../templates/json-path/find-results.ts';
import { formatGoValue } from '../templates/values/go-value.ts';
import { Columns } from './columns.ts';

/** Writes objects, and the items of lists, as lines of columns that a user names. The header stands before the first. */
export class CustomColumnsPrinter {
  readonly #columns: readonly CustomColumn[];
  readonly #writer = new Columns();
  #needsHeader: boolean;

  constructor(columns: readonly CustomColumn[], { headers }: { readonly headers: boolean }) {
    this.#columns = columns;
    this.#needsHeader = headers;
  }

  print(document: JsonObject): string {
    const { items } = document;
    const objects = Array.isArray(items) ? items.filter(isJsonObject) : [document];
    const lines = objects.map(object => this.#columns.map(({ path }) => cellText(path, object)));
    const header = this.#needsHeader ? [this.#columns.map(column => column.header)] : [];
    this.#needsHeader = false;
    return this.#writer.write([...header, ...lines]);
  }
}

function cellText(path: CustomColumn['path'], object: JsonObject): string {
  const [first = [], ...others] = findResults(path, object);
  const shown = first.length === 0 ? ['<none>'] : first.map(value => formatGoValue(value));
  return [...shown, ...others.flat().map(value => formatGoValue(value))].join(',');
}
