import {
  Composer,
  type CST,
  type Document,
  isCollection,
  isPair,
  isScalar,
  type LineCounter,
  type ParsedNode,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { isLongScalar, longScalar, longText, withoutText } from './long-scalars.ts';
import type { DocumentTokens } from './read-document.ts';

type CollectionToken = CST.BlockMap | CST.BlockSequence | CST.FlowCollection;
type ItemToken = CollectionToken['items'][number];
type Collection = YAMLMap | YAMLSeq;

/** Number of tokens that are composed in one step, about 1 ms. */
const tokensPerPart = 500;

/**
 * Composer warnings about tags that are not errors: scalar-values.ts interprets tags of scalars, tags of collections are ignored.
 */
const tagCodes: ReadonlySet<string> = new Set(['TAG_RESOLVE_FAILED', 'BAD_COLLECTION_TYPE']);

/**
 * Composes the tokens of a document to nodes like the composer of the yaml package, but large collections in parts: first the
 * empty collection, then its items in groups, each as a collection of its own. Yields between parts. Throws the composer's first
 * error; its warnings are errors too. Scalar values are texts. Collections composed in parts have no positions.
 */
export function* composeDocument(
  { before, document }: DocumentTokens,
  lines: LineCounter,
): Generator<void, ParsedNode | null> {
  const directives = before.filter(token => token.type === 'directive');
  const composing: Composing = { directives, lines, warning: undefined };
  const root = document?.value;
  if (isLongScalar(root)) throw new Error('the text is one long scalar');
  const large = isCollectionToken(root) && countTokens(root) > tokensPerPart ? root : undefined;
  const shell = document && large ? { ...document, value: withItems(large, []) } : document;
  const { contents } = composed(shell === undefined ? before : [...before, shell], composing);
  if (large !== undefined && isCollection(contents)) yield* fill(contents, large, composing);
  if (composing.warning !== undefined) throw composing.warning;
  return contents;
}

interface Composing {
  readonly directives: readonly CST.Token[];
  readonly lines: LineCounter;
  warning: Error | undefined;
}

/** Composes the items of a collection and appends them to its empty node. */
function* fill(node: Collection, token: CollectionToken, composing: Composing): Generator<void, void> {
  let group: ItemToken[] = [];
  let weight = 0;
  for (const [position, item] of token.items.entries()) {
    const { key, value } = item;
    if (isCollectionToken(key ?? undefined))
      throw new Error(`line ${composing.lines.linePos(key!.offset).line}: only scalars can be keys`); // it is a token
    const itemWeight = weightOfItem(item);
    if (isLongScalar(key))
      throw new Error(
        `line ${composing.lines.linePos(key.offset).line}: a key is longer than ${longScalar} characters`,
      );
    const large =
      itemWeight > tokensPerPart && (isCollectionToken(value) || isLongScalar(value)) ? value : undefined;
    group.push(large === undefined ? item : ({ ...item, value: withoutContent(large) } as ItemToken)); // only the value differs
    weight += large === undefined ? itemWeight : 1;
    if (large === undefined && position < token.items.length - 1 && weight < tokensPerPart) continue;
    const isFirst = position + 1 === group.length;
    appendGroup(node, { token, group, isFirst }, composing);
    yield;
    if (isCollectionToken(large)) yield* fill(lastCollection(node), large, composing);
    else if (large !== undefined) lastScalar(node).value = yield* longText(large);
    group = [];
    weight = 0;
  }
}

interface Group {
  readonly token: CollectionToken;
  readonly group: readonly ItemToken[];
  readonly isFirst: boolean;
}

function appendGroup(node: Collection, { token, group, isFirst }: Group, composing: Composing): void {
  const isFlow = token.type === 'flow-collection';
  const offset = isFirst ? token.offset : findOffset(group[0], token.offset);
  const items = isFlow && !isFirst ? [neighbour(token, offset), ...group] : group;
  const part = { ...withItems(token, items), offset };
  const { contents } = composed([...composing.directives, documentAround(part)], composing);
  if (!isCollection(contents)) throw new Error('a part of a collection is none');
  const added = isFlow && !isFirst ? contents.items.slice(1) : contents.items;
  // Both collections are composed from tokens of one type.
  (node.items as unknown[]).push(...added);
}

/** Returns the collection that is the value of a node's last item. */
function lastCollection(node: Collection): Collection {
  const value = lastValue(node);
  if (!isCollection(value)) throw new Error('a collection became something else');
  return value as Collection; // The schema has no other collections.
}

function lastScalar(node: Collection): Scalar {
  const value = lastValue(node);
  if (!isScalar(value)) throw new Error('a scalar became something else');
  return value;
}

function lastValue(node: Collection): unknown {
  const last: unknown = node.items.at(-1);
  if (isPair(last)) return last.value;
  // In a flow list, `a: b` is a map with one member; a collection composed empty has no members.
  const [member] = isCollection(last) ? last.items : [];
  return isPair(member) ? member.value : last;
}

function withoutContent(token: CollectionToken | CST.FlowScalar | CST.BlockScalar): CST.Token {
  return isCollectionToken(token) ? withItems(token, []) : withoutText(token);
}

function composed(tokens: readonly CST.Token[], composing: Composing): Document.Parsed {
  const composer = new Composer({
    version: '1.2',
    schema: 'failsafe',
    resolveKnownTags: false,
    uniqueKeys: false,
    merge: false,
    prettyErrors: false,
  });
  for (const document of composer.compose(tokens, true, 0)) {
    const [problem] = document.errors;
    if (problem !== undefined) throw problem;
    composing.warning ??= document.warnings.find(({ code }) => !tagCodes.has(code));
    return document;
  }
  throw new Error('the text has no document');
}

function documentAround(value: CollectionToken): CST.Document {
  const { offset } = value;
  const mark = { type: 'doc-start', offset, indent: 0, source: '---' } as const;
  return {
    type: 'document',
    offset,
    start: [mark, { type: 'newline', offset, indent: 0, source: '\n' }],
    value,
  };
}

/** Returns a token that precedes the items of a group in a flow collection. */
function neighbour({ start }: CST.FlowCollection, offset: number): ItemToken {
  const scalar = { type: 'scalar', offset, indent: 0, source: 'a' } as const;
  return start.source === '{' ? { start: [], key: scalar, sep: [] } : { start: [], value: scalar };
}

/** Returns the offset of an item, from which the parser measures the length of its key. */
function findOffset(item: ItemToken | undefined, otherwise: number): number {
  const first = item?.start[0] ?? item?.key ?? item?.sep?.[0] ?? item?.value;
  return first?.offset ?? otherwise;
}

/** Returns a copy of a collection token with other items, which must be of the same kind. */
function withItems(token: CollectionToken, items: readonly ItemToken[]): CollectionToken {
  return { ...token, items } as CollectionToken;
}

function isCollectionToken(token: CST.Token | undefined): token is CollectionToken {
  return token?.type === 'block-map' || token?.type === 'block-seq' || token?.type === 'flow-collection';
}

/** Counts the tokens of a collection; stops soon after `tokensPerPart`. */
function countTokens(token: CollectionToken, before = 0): number {
  let weight = before + 1;
  for (const item of token.items) {
    weight = weightOfItem(item, weight);
    if (weight > tokensPerPart) break;
  }
  return weight;
}

function weightOfItem({ start, key, sep, value }: ItemToken, before = 0): number {
  let weight = before + start.length + (sep?.length ?? 0) + 2;
  if (isCollectionToken(key ?? undefined) && weight <= tokensPerPart)
    weight = countTokens(key as CollectionToken, weight); // Checked above.
  if (isLongScalar(value) || isLongScalar(key)) weight += tokensPerPart;
  else if (isCollectionToken(value) && weight <= tokensPerPart) weight = countTokens(value, weight);
  return weight;
}
