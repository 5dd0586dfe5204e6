import { readFileSync } from 'node:fs';
import { errorMessage } from '@binnacle/status-errors';
import { Etcd3 } from 'etcd3';
import type { ServerTls } from './server-tls.ts';

/** A user of etcd that may read and write the keys of one prefix, and nothing else. */
export interface EtcdUser {
  readonly name: string;
  /** Undefined: the user is named by the common name of the client certificate. */
  readonly password?: string;
  /** The prefix of the keys, as storage's `--etcd-prefix`: `/binnacle`. */
  readonly prefix: string;
}

/** Options of setting up the users of an etcd. */
interface EtcdUsersOptions {
  /** `https://host:port`. */
  readonly endpoint: string;
  /** A client certificate whose common name is `root`. */
  readonly administrator: ServerTls;
  readonly users: readonly EtcdUser[];
}

/**
 * Creates the users and their roles and switches authentication on; leaves existing ones as they are, so that tokens
 * in use stay valid, and sets a password that has changed. `root` has no password: only the certificate makes a client
 * root. Until authentication is on, every client with a certificate of the authority may do everything.
 */
export async function ensureEtcdUsers({ endpoint, administrator, users }: EtcdUsersOptions): Promise<void> {
  const client = new Etcd3({
    hosts: [endpoint],
    credentials: {
      rootCertificate: readFileSync(administrator.caFile),
      privateKey: readFileSync(administrator.keyFile),
      certChain: readFileSync(administrator.certFile),
    },
  });
  try {
    await unlessThere(client.auth.userAdd({ name: root, options: { no_password: true } }));
    await unlessThere(client.auth.roleAdd({ name: root }));
    if (!(await readRoles(client, root)).includes(root))
      await client.auth.userGrantRole({ user: root, role: root });
    for (const user of users) await ensureUser(client, user);
    await client.auth.authEnable();
  } finally {
    client.close();
  }
}

/** The name of the user, and of the role, that may do everything. */
const root = 'root';

async function ensureUser(client: Etcd3, user: EtcdUser): Promise<void> {
  const { name, password } = user;
  const added = await unlessThere(
    client.auth.userAdd(
      password === undefined ? { name, options: { no_password: true } } : { name, password },
    ),
  );
  if (!added && password !== undefined && (await isRefused(client, name, password)))
    await client.auth.userChangePassword({ name, password });
  await unlessThere(client.auth.roleAdd({ name }));
  const granted = (await client.auth.roleGet({ role: name })).perm.map(({ key }) => key.toString());
  for (const [key, end] of rangesFromPrefix(user.prefix)) {
    if (granted.includes(key)) continue;
    const perm = { permType: 'Readwrite' as const, key: Buffer.from(key), range_end: Buffer.from(end) };
    await client.auth.roleGrantPermission({ name, perm });
  }
  if (!(await readRoles(client, name)).includes(name))
    await client.auth.userGrantRole({ user: name, role: name });
}

/** Objects lie below `<prefix>/`, reserved keys below `<prefix>-reserved/`; a range ends before the next character. */
function rangesFromPrefix(prefix: string): readonly (readonly [key: string, end: string])[] {
  return [
    [`${prefix}/`, `${prefix}0`],
    [`${prefix}-reserved/`, `${prefix}-reserved0`],
  ];
}

async function readRoles(client: Etcd3, name: string): Promise<string[]> {
  return (await client.auth.userGet({ name })).roles;
}

/** Whether etcd refuses the password, which it cannot do while authentication is off. */
async function isRefused(client: Etcd3, name: string, password: string): Promise<boolean> {
  try {
    await client.auth.authenticate({ name, password });
    return false;
  } catch (thrown) {
    const message = errorMessage(thrown);
    if (/authentication failed|authentication is not enabled/.test(message)) return true;
    throw thrown;
  }
}

/** Adds something unless it exists; returns whether it was added. */
async function unlessThere(adding: Promise<unknown>): Promise<boolean> {
  try {
    await adding;
    return true;
  } catch (thrown) {
    if (thrown instanceof Error && /already exists/.test(thrown.message)) return false;
    throw thrown;
  }
}
