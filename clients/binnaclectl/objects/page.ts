import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';

/** The parts of an object's metadata that this client reads. */
interface ItemMetadata {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly labels: JsonObject;
}

/** An object as it came: the cells of its row where a Table was asked for, the object itself otherwise. */
export interface Item {
  readonly metadata: ItemMetadata;
  readonly cells: readonly JsonValue[];
  readonly object: JsonObject;
}

/** A column of a Table. */
export interface Column {
  readonly name: string;
  /** 0 for columns that are shown in a narrow table too. */
  readonly priority: number;
}

/** One answer with objects: a Table, a list or an object. */
export interface Page {
  readonly items: readonly Item[];
  /** Undefined where the document is no Table or leaves them out. */
  readonly columns: readonly Column[] | undefined;
  readonly resourceVersion: string;
  /** The token of the next part of the list; empty at its end. */
  readonly continueToken: string;
}

/** Reads a document of the API. Its shape is the server's own; what is missing counts as empty. */
export function pageFrom(document: JsonObject): Page {
  const metadata = objectIn(document, 'metadata');
  return {
    items: itemsFromDocument(document),
    columns: columnsFromDocument(document),
    resourceVersion: textIn(metadata, 'resourceVersion'),
    continueToken: textIn(metadata, 'continue'),
  };
}

function itemsFromDocument(document: JsonObject): Item[] {
  const { kind, apiVersion, rows, items } = document;
  if (kind === 'Table') {
    return (Array.isArray(rows) ? rows : []).filter(isJsonObject).map(({ cells, object }) => {
      const content = isJsonObject(object) ? object : {};
      return { ...itemFrom(content), cells: Array.isArray(cells) ? cells : [] };
    });
  }
  if (!Array.isArray(items) || typeof kind !== 'string' || !kind.endsWith('List'))
    return [itemFrom(document)];
  // Items of a list omit the apiVersion and kind that the list gives for all of them.
  const common: JsonObject = { apiVersion: apiVersion ?? '', kind: kind.slice(0, -'List'.length) };
  return items.filter(isJsonObject).map(item => itemFrom({ ...common, ...item }));
}

function itemFrom(object: JsonObject): Item {
  const metadata = objectIn(object, 'metadata');
  return {
    metadata: {
      name: textIn(metadata, 'name'),
      namespace: textIn(metadata, 'namespace'),
      uid: textIn(metadata, 'uid'),
      resourceVersion: textIn(metadata, 'resourceVersion'),
      labels: objectIn(metadata, 'labels'),
    },
    cells: [],
    object,
  };
}

function columnsFromDocument({ kind, columnDefinitions }: JsonObject): Column[] | undefined {
  if (kind !== 'Table' || !Array.isArray(columnDefinitions) || columnDefinitions.length === 0)
    return undefined;
  return columnDefinitions.filter(isJsonObject).map(({ name, priority }) => ({
    name: typeof name === 'string' ? name : '',
    priority: typeof priority === 'number' ? priority : 0,
  }));
}

/** A member that is an object; an empty one when it is none. */
export function objectIn(holder: JsonObject, name: string): JsonObject {
  const value = holder[name];
  return isJsonObject(value) ? value : {};
}

/** The objects of a member that is a list; none when it is no list. */
export function objectsIn(holder: JsonObject, name: string): JsonObject[] {
  const value = holder[name];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** The texts of a member that is a list; none when it is no list. */
export function textsIn(holder: JsonObject, name: string): string[] {
  const value = holder[name];
  return Array.isArray(value) ? value.filter((each: JsonValue) => typeof each === 'string') : [];
}

/** A member that is a text; an empty one when it is none. */
export function textIn(holder: JsonObject, name: string): string {
  const value = holder[name];
  return typeof value === 'string' ? value : '';
}
