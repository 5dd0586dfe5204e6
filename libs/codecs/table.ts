import type { ApiObject, JsonValue, ListMeta } from '@binnacle/api-objects';
import type { ResourceDefinition, TableColumn } from '@binnacle/api-types';
import { badRequest } from '@binnacle/status-errors';
import { metaApiVersion, type PartialObjectMetadata, partialMetadataFrom } from './partial-metadata.ts';

/** The part of the object that a row includes. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

/** Definition of a Table column. */
export type TableColumnDefinition = {
  name: string;
  type: string;
  format: string;
  description: string;
  priority: number;
};

/** A row of a Table. */
type TableRow = { cells: JsonValue[]; object: ApiObject | PartialObjectMetadata | null };

/** The Table form of an object or a list. */
type Table = {
  kind: 'Table';
  apiVersion: string;
  metadata: ListMeta;
  columnDefinitions: TableColumnDefinition[];
  rows: TableRow[];
};

/** Options of Table rendering. */
export interface TableOptions {
  readonly listMeta: ListMeta;
  /** Default: `Metadata`. */
  readonly includeObject?: IncludeObject;
  /** Current time for ages, in ms since 1970. */
  readonly now: number;
  /** Whether the column definitions are left out: the client received them with an earlier event of its watch. */
  readonly omitColumns?: boolean;
  /** Remaining value visits of the columns of all rows together; by default each row has a budget of its own. */
  readonly work?: { left: number };
  /** apiVersion of the Table and of its partial metadata; default: `metaApiVersion`. */
  readonly apiVersion?: string;
}

/** The part of a definition that a Table needs. */
export type TableSource = Pick<ResourceDefinition, 'rules'>;

const defaultColumns: readonly TableColumn[] = [
  {
    name: 'Name',
    type: 'string',
    format: 'name',
    description: 'Name of the object, unique in its namespace.',
    priority: 0,
  },
  {
    name: 'Created At',
    type: 'date',
    format: '',
    description: 'When the server created the object.',
    priority: 0,
  },
];

/** Renders objects as a Table with the columns of their kind; default columns: Name and Created At. */
export function tableFrom(
  definition: TableSource,
  objects: readonly ApiObject[],
  options: TableOptions,
): Table {
  return {
    ...tableHeadFrom(definition, options),
    rows: objects.map(object => tableRowFrom(definition, object, options)),
  };
}

/** Renders a Table without rows. */
export function tableHeadFrom(definition: TableSource, options: TableOptions): Omit<Table, 'rows'> {
  return {
    kind: 'Table',
    apiVersion: options.apiVersion ?? metaApiVersion,
    metadata: options.listMeta,
    columnDefinitions: options.omitColumns === true ? [] : createColumnDefinitions(definition),
  };
}

/** Renders one row of a Table. The row can be cached, but contains ages and must be rendered again periodically. */
export function tableRowFrom(definition: TableSource, object: ApiObject, options: TableOptions): TableRow {
  const { rules } = definition;
  const cells = rules.cells?.(object, options.now, options.work) ?? [
    object.metadata.name ?? '',
    object.metadata.creationTimestamp ?? null,
  ];
  return { cells, object: rowObject(object, options) };
}

/** Parses the `includeObject` parameter; throws BadRequest for an unknown value. */
export function parseIncludeObject(text: string): IncludeObject {
  if (text === '') return 'Metadata';
  if (text === 'None' || text === 'Metadata' || text === 'Object') return text;
  const shown = JSON.stringify(text.slice(0, 64));
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${shown}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}

function createColumnDefinitions(definition: TableSource): TableColumnDefinition[] {
  const columns = definition.rules.columns ?? defaultColumns;
  return columns.map(({ name, type, format, description, priority }) => ({
    name,
    type,
    format,
    description,
    priority,
  }));
}

function rowObject(object: ApiObject, options: TableOptions): TableRow['object'] {
  switch (options.includeObject ?? 'Metadata') {
    case 'None':
      return null;
    case 'Object':
      return object;
    case 'Metadata':
      return partialMetadataFrom(object, options.apiVersion);
  }
}
