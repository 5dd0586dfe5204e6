/** The functions of Go's templates, and those that kubectl adds. */
export const functionNames: ReadonlySet<string> = new Set([
  ...['and', 'or', 'not', 'eq', 'ne', 'lt', 'le', 'gt', 'ge'],
  ...['index', 'slice', 'len', 'print', 'printf', 'println', 'html', 'js', 'urlquery'],
  ...['exists', 'base64decode'],
]);

/** Functions of Go's templates that this client has not: no value of a document can be called. */
export const refusedFunctions: ReadonlySet<string> = new Set(['call']);
