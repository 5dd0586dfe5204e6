import { type ApiObject, isNumber, type JsonValue, parseTimestamp } from '@binnacle/api-objects';
import type { KindRules, TableColumn } from '../definitions/kind-rules.ts';
import type { CustomResourceColumnDefinition } from '../generated/apiextensions/v1.ts';
import { type JsonPath, type PathSteps, valuesAt } from '../json-path/json-path.ts';
import { parseJsonPath } from '../json-path/json-path-parser.ts';
import { ageSince } from '../printing/age.ts';
import { column, nameCell, nameColumn } from '../printing/columns.ts';

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

/**
 * Returns the columns and cells of a version: always the name, and the age if no columns are declared. A cell shows the first
 * value of its path.
 */
export function printerColumns(
  declared: readonly CustomResourceColumnDefinition[],
): Pick<KindRules, 'columns' | 'cells'> {
  const printed = declared.length === 0 ? [ageOfObject] : declared.map(printedColumn);
  return {
    columns: [nameColumn, ...printed.map(one => one.column)],
    cells(object, now, work = { left: mostTableSteps }) {
      const steps = { left: Math.min(work.left, mostRowSteps) };
      const given = steps.left;
      const cells = printed.map(one => (steps.left < 0 ? null : createCell(one, object, { now, steps })));
      work.left -= given - steps.left;
      return [nameCell(object), ...cells];
    },
  };
}

/** Maximum number of values visited by the paths of a row, including the characters of cells; further cells are empty. */
const mostRowSteps = 20_000;
/** Maximum number of values visited for a whole Table. */
const mostTableSteps = 2_000_000;
/** Number of characters of a cell that count as one visit. */
const charactersOfStep = 16;

function printedColumn(declared: CustomResourceColumnDefinition): PrintedColumn {
  const parsed = parseJsonPath(declared.jsonPath ?? '');
  return {
    column: {
      name: declared.name ?? '',
      type: (declared.type ?? '') as TableColumn['type'], // The definition was validated.
      format: declared.format ?? '',
      description: declared.description || 'A column of the definition of the kind.',
      priority: declared.priority ?? 0,
    },
    // An invalid path has no values.
    path: 'fault' in parsed ? [{ kind: 'union', steps: [] }] : parsed,
  };
}

function createCell(
  { column: { type }, path }: PrintedColumn,
  object: ApiObject,
  { now, steps }: { readonly now: number; readonly steps: PathSteps },
): JsonValue {
  const [first = null] = valuesAt(path, object, steps);
  if (first === null) return null;
  switch (type) {
    case 'integer':
      return typeof first === 'number' ? Math.trunc(first) : typeof first === 'bigint' ? first : null;
    case 'number':
      return isNumber(first) ? first : null;
    case 'boolean':
      return typeof first === 'boolean' ? first : null;
    case 'string':
      return cellText(first, steps);
    case 'date':
      return typeof first === 'string' ? ageText(first, now) : null;
  }
}

/** Formats an age; a text that is not a date is shown as `<invalid>`. */
function ageText(timestamp: string, now: number): string {
  const isReadable = timestamp === '' || parseTimestamp(timestamp) !== undefined;
  return isReadable ? ageSince(timestamp, now) : '<invalid>';
}

function cellText(value: JsonValue, steps: PathSteps): string | null {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  steps.left -= Math.floor(text.length / charactersOfStep);
  return steps.left < 0 ? null : text;
}
