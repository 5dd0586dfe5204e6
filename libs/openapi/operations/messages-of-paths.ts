import type { PathOperations } from './operation.ts';

/** The full names of the messages that bodies and responses of these paths consist of. */
export function messagesOfPaths(paths: readonly PathOperations[]): Set<string> {
  const names = new Set<string>();
  for (const { body, content } of paths.flatMap(path => path.operations)) {
    if (body) names.add(body.message);
    if (content !== 'text') names.add(content.message);
  }
  return names;
}
