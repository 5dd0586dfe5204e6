/** A part of a JSONPath template: text, or the steps between a pair of braces. */
export type JsonPathPart = { readonly kind: 'text'; readonly text: string } | JsonPathList;

/** Steps that follow each other, each from the values of the one before it. */
export interface JsonPathList {
  readonly kind: 'list';
  readonly steps: readonly JsonPathStep[];
}

/** One step, from values to those that it leads to. */
export type JsonPathStep =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'wildcard' }
  /** Every container at any depth. */
  | { readonly kind: 'recursive' }
  | JsonPathSlice
  | JsonPathFilter
  | { readonly kind: 'union'; readonly lists: readonly JsonPathList[] }
  /** An int, float or bool. */
  | { readonly kind: 'literal'; readonly value: bigint | number | boolean }
  /** `range` and `end`; any other name is an error when it is evaluated, as in kubectl. */
  | { readonly kind: 'identifier'; readonly name: string };

/** `[from:to:by]`; `[i]` is the one from `i` on. */
export interface JsonPathSlice {
  readonly kind: 'slice';
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly by: number | undefined;
  /** Whether `to` is not written, and is that of one item. */
  readonly isIndex: boolean;
}

/** `[?(left operator right)]`, and `[?(left)]` with the operator `exists`. */
export interface JsonPathFilter {
  readonly kind: 'filter';
  readonly left: JsonPathList;
  readonly operator: string;
  readonly right: JsonPathList;
}

/** A JSONPath template as kubectl has it: parts that are written one after the other. */
export interface JsonPathTemplate {
  readonly text: string;
  readonly parts: readonly JsonPathPart[];
}
