import { type JsonObject, type JsonValue, writeJsonSteps } from '@binnacle/api-objects';
import { encodeYaml, yamlListItem, yamlListItemSteps, yamlListStart } from './encode-yaml.ts';

/** Text form of a document. */
export type TextForm = 'json' | 'indented json' | 'yaml';

/** A document whose list is written item by item: the start, every item in order, the end. */
interface ListText {
  readonly start: string;
  item(value: JsonValue, index: number): string;
  /** Encodes a long item. Yields between steps of bounded size. */
  itemSteps(value: JsonValue, index: number): Generator<void, string>;
  readonly end: string;
}

/** Creates the text of a document with a non-empty list as its last member `name`. */
export function listText(document: JsonObject, name: string, form: TextForm): ListText {
  switch (form) {
    case 'json':
      return jsonText({ ...document, [name]: [] });
    case 'indented json':
      return indentedText({ ...document, [name]: [] });
    case 'yaml':
      return yamlText(document, name);
  }
}

function jsonText(document: JsonObject): ListText {
  return {
    start: JSON.stringify(document).slice(0, -']}'.length),
    item: (value, index) => (index === 0 ? JSON.stringify(value) : `,${JSON.stringify(value)}`),
    *itemSteps(value, index) {
      const text = yield* writeJsonSteps(value);
      return index === 0 ? text : `,${text}`;
    },
    end: ']}',
  };
}

function indentedText(document: JsonObject): ListText {
  const item = (value: JsonValue, index: number): string => {
    // Line ends within strings are escaped.
    const text = JSON.stringify([[value]], null, 2).slice('[\n  [\n'.length, -'\n  ]\n]'.length);
    return `${index === 0 ? '\n' : ',\n'}${text}`;
  };
  return {
    start: JSON.stringify(document, null, 2).slice(0, -']\n}'.length),
    item,
    // The engine encodes an item in a single step that is short enough.
    *itemSteps(value, index) {
      yield;
      return item(value, index);
    },
    end: '\n  ]\n}\n',
  };
}

function yamlText(document: JsonObject, name: string): ListText {
  const members = Object.entries(document);
  const part = (entries: typeof members) =>
    entries.length === 0 ? '' : encodeYaml(Object.fromEntries(entries));
  return {
    start: part(members.filter(([key]) => key < name)) + yamlListStart(name),
    item: yamlListItem,
    itemSteps: yamlListItemSteps,
    end: part(members.filter(([key]) => key > name)),
  };
}
