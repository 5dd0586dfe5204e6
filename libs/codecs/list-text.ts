import { type JsonObject, type JsonValue, writeJsonSteps } from '@binnacle/api-objects';
import { encodeYaml, yamlListItem, yamlListItemSteps, yamlListStart } from './encode-yaml.ts';

/** A text form of a document. */
export type TextForm = 'json' | 'indented json' | 'yaml';

/** A document that ends in a list, as text that is written item by item: the start, every item in order, the end. */
interface ListText {
  readonly start: string;
  item(value: JsonValue, index: number): string;
  /** The same for an item that is long. Yields between steps of bounded size. */
  itemSteps(value: JsonValue, index: number): Generator<void, string>;
  readonly end: string;
}

/** The text of a document that also has a list that is not empty, under `name`, as its last member. */
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
    // A line end within a text is written as an escape.
    const text = JSON.stringify([[value]], null, 2).slice('[\n  [\n'.length, -'\n  ]\n]'.length);
    return `${index === 0 ? '\n' : ',\n'}${text}`;
  };
  return {
    start: JSON.stringify(document, null, 2).slice(0, -']\n}'.length),
    item,
    // The engine writes all of it in one step that is short enough.
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
