const prefix = 'system:node:';
const group = 'system:nodes';

/**
 * The node whose agent a user is, by the convention of node agents: `system:node:<name>` in the group `system:nodes`. "" for
 * an agent without a name; undefined for any other user.
 */
export function nodeOfUser({
  username,
  groups,
}: {
  readonly username: string;
  readonly groups: readonly string[];
}): string | undefined {
  if (!username.startsWith(prefix) || !groups.includes(group)) return undefined;
  return username.slice(prefix.length);
}
