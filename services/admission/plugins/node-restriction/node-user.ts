import type { UserInfo } from '@binnacle/proto';

const agentPrefix = 'system:node:';
const agentsGroup = 'system:nodes';

/** The node whose agent a user is, '' for an agent without a name; undefined for everybody else. */
export function nodeNameOf({ username, groups }: Pick<UserInfo, 'username' | 'groups'>): string | undefined {
  if (!username.startsWith(agentPrefix) || !groups.includes(agentsGroup)) return undefined;
  return username.slice(agentPrefix.length);
}
