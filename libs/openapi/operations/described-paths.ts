import type { Operation, PathOperations } from './operation.ts';

/**
 * The paths of a resource that a schema describes: without the older watch paths, which it never had, and without what
 * needs fields with numbers or merge keys.
 */
export function describedPaths(paths: readonly PathOperations[]): PathOperations[] {
  return paths
    .filter(({ path }) => !path.includes('/watch/'))
    .map(path => ({ ...path, operations: path.operations.map(described) }));
}

function described(operation: Operation): Operation {
  // A subresource of a built-in kind has the forms of that kind.
  if (operation.about?.kind === 'Scale') return operation;
  const { consumes, produces } = operation;
  return { ...operation, consumes: consumes.filter(isOffered), produces: produces.filter(isOffered) };
}

function isOffered(mediaType: string): boolean {
  return !mediaType.includes('protobuf') && !mediaType.includes('strategic-merge-patch');
}
