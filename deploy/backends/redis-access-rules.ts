import { createHash } from 'node:crypto';

/** A user of Redis that may run a few commands on the keys of one prefix, and nothing else. */
export interface RedisUser {
  readonly name: string;
  readonly password: string;
  /** The prefix of the keys: `binnacle:token-review:`. */
  readonly keyPrefix: string;
  /** Names of commands in lower case. */
  readonly commands: readonly string[];
}

/**
 * The contents of the file for Redis's `aclfile`: the users, with digests in place of passwords, and no rights for
 * connections that do not authenticate.
 */
export function redisAccessRules(users: readonly RedisUser[]): string {
  const lines = users.map(({ name, password, keyPrefix, commands }) => {
    const digest = createHash('sha256').update(password).digest('hex');
    const allowed = commands.map(command => `+${command}`).join(' ');
    return `user ${name} on #${digest} resetkeys ~${keyPrefix}* resetchannels -@all ${allowed}`;
  });
  return `${['user default off resetpass resetkeys resetchannels -@all', ...lines].join('\n')}\n`;
}
