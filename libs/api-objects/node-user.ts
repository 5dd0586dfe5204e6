const prefix = 'system:node:';
const group = 'system:nodes';

/**
 * Returns the node name of a node agent's user: `system:node:<name>` in the group `system:nodes`. "" for an agent without a name;
 * undefined for other users.
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
