import type { GroupVersionKind } from '@binnacle/api-objects';

/** A path or query parameter. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly type: 'string' | 'integer' | 'boolean';
  readonly description: string;
}

/** The HTTP methods of operations. */
export type Method = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch';

/** The content of a response: the full name of a message, or plain text. */
export type Content = { readonly message: string } | 'text';

/** One operation, independent of the OpenAPI version. */
export interface Operation {
  readonly method: Method;
  readonly id: string;
  readonly description: string;
  readonly tag: string;
  /** The action of the operation in Kubernetes' terms; absent for discovery. */
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
  /** The path with parameters in braces. */
  readonly path: string;
  /** The parameters of all its operations. */
  readonly parameters: readonly Parameter[];
  readonly operations: readonly Operation[];
}

/** The paths of one part of the API, which has a separate OpenAPI v3 document. */
export interface ApiPart {
  /** The path of the part without the leading slash: `api/v1`, `apis/apps/v1`, `version`. */
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
