import type { ApiObject, JsonObject, JsonValue } from '@binnacle/api-objects';
import type { KindRules, TableColumn } from '../definitions.ts';
import { asNumber, asText } from '../json-access.ts';
import { ageSince } from '../printing/age.ts';
import { column, nameColumn, nameOf } from '../printing/columns.ts';
import { type JsonPath, valuesAt } from './json-path.ts';
import { parseJsonPath } from './json-path-parser.ts';

interface PrintedColumn {
  readonly column: TableColumn;
  readonly path: JsonPath;
}

const ageOfObject: PrintedColumn = {
  column: column('Age', 'When the object was created.', { type: 'date' }),
  path: [
    { kind: 'child', name: 'metadata' },
    { kind: 'child', name: 'creationTimestamp' },
  ],
};

/** The columns of a version that has such printer columns, and their cells: the name always, the age without any. */
export function printerColumns(declared: readonly JsonObject[]): Pick<KindRules, 'columns' | 'cells'> {
  const printed = declared.length === 0 ? [ageOfObject] : declared.map(printedColumn);
  return {
    columns: [nameColumn, ...printed.map(one => one.column)],
    cells: (object, now) => [nameOf(object), ...printed.map(one => cellOf(one, object, now))],
  };
}

function printedColumn(declared: JsonObject): PrintedColumn {
  const parsed = parseJsonPath(asText(declared['jsonPath']));
  return {
    column: {
      name: asText(declared['name']),
      type: asText(declared['type']) as TableColumn['type'], // One of the types: the definition was checked.
      format: asText(declared['format']),
      description: asText(declared['description']) || 'A column of the definition of the kind.',
      priority: asNumber(declared['priority']),
    },
    // A path that cannot be read leads nowhere.
    path: 'fault' in parsed ? [{ kind: 'union', steps: [] }] : parsed,
  };
}

function cellOf({ column: { type }, path }: PrintedColumn, object: ApiObject, now: number): JsonValue {
  const values = valuesAt(path, object as JsonObject);
  const [first = null] = values;
  if (first === null) return null;
  switch (type) {
    case 'integer':
      return typeof first === 'number' ? Math.trunc(first) : null;
    case 'number':
      return typeof first === 'number' ? first : null;
    case 'boolean':
      return typeof first === 'boolean' ? first : null;
    case 'string':
      return values.map(textOf).join(' ');
    case 'date':
      return typeof first === 'string' ? ageSince(first, now) : null;
  }
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
