import type { GroupVersionKind } from '@binnacle/api-objects';

/** A parameter in the path or in the query. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly type: 'string' | 'integer' | 'boolean';
  readonly description: string;
}

/** The methods that operations have. */
export type Method = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch';

/** The content of a response: the full name of a message, or a plain text. */
export type Content = { readonly message: string } | 'text';

/** One operation, without the words of a version of OpenAPI. */
export interface Operation {
  readonly method: Method;
  readonly id: string;
  readonly description: string;
  readonly tag: string;
  /** The action of the operation, in the word that Kubernetes uses; discovery has none. */
  readonly action?: string;
  readonly about?: GroupVersionKind;
  readonly query: readonly Parameter[];
  readonly body?: { readonly message: string; readonly required: boolean };
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly codes: readonly number[];
  readonly content: Content;
}

/** A path with its operations. */
export interface PathOperations {
  /** With its parameters in braces. */
  readonly path: string;
  /** The parameters that all its operations have. */
  readonly parameters: readonly Parameter[];
  readonly operations: readonly Operation[];
}

/** The paths of one part of the API, which has a document of its own in OpenAPI v3. */
export interface ApiPart {
  /** The part's own path without the first slash: `api/v1`, `apis/apps/v1`, `version`. */
  readonly path: string;
  readonly paths: readonly PathOperations[];
}

/** The description of each status code in the documents. */
export const codeDescriptions: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  401: 'Unauthorized',
};
