import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A process whose connections can be told from those of others. */
interface LinkedProcess {
  readonly name: string;
  readonly pid: number | undefined;
}

/**
 * The network between the members of a cluster on this machine: each is reached through a link, which knows by the
 * tables of the kernel which process has dialled. Nothing passes between processes of different parts: their
 * connections stay open, and new ones are accepted, as where a router drops every packet. Clients do not come through
 * links.
 */
export class PeerLinks implements AsyncDisposable {
  readonly #processes: () => Iterable<LinkedProcess>;
  readonly #servers: Server[] = [];
  readonly #links = new Set<Link>();
  #partOf: ReadonlyMap<string, number> = new Map();

  /** `processes` gives the members, with the ids that they have now. */
  constructor(processes: () => Iterable<LinkedProcess>) {
    this.#processes = processes;
  }

  /** Puts a link before a member: what comes to `port` goes to `target`, both of 127.0.0.1. */
  async add(to: string, port: number, target: number): Promise<void> {
    const server = createServer({ pauseOnConnect: true }, socket => {
      const link = new Link(to, port, { socket, upstream: connect(target, '127.0.0.1') });
      this.#links.add(link);
      link.closed.finally(() => this.#links.delete(link));
      this.#settle(link);
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    this.#servers.push(server);
  }

  /** Divides the members into parts that do not hear each other; those that no part names are one more part. */
  divide(parts: readonly (readonly string[])[]): void {
    this.#partOf = new Map(parts.flatMap((names, part) => names.map(name => [name, part] as const)));
    for (const link of this.#links) this.#settle(link);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const link of this.#links) link.cut();
    for (const server of this.#servers) server.close();
  }

  #settle(link: Link): void {
    // While nothing is divided the dialling process does not matter; at the start of a cluster its processes are not
    // known yet.
    const passes =
      this.#partOf.size === 0 || this.#partOf.get(this.#dialler(link)) === this.#partOf.get(link.to);
    if (passes) link.pass();
    else link.hold();
  }

  #dialler(link: Link): string {
    if (link.from === undefined) {
      const inode = socketInode(link.remotePort, link.port);
      for (const { name, pid } of this.#processes())
        if (pid !== undefined && inode !== undefined && holdsSocket(pid, inode)) link.from = name;
    }
    return link.from ?? '';
  }
}

/** One connection of a member to another. */
class Link {
  /** The member that opened the connection, once it is known. */
  from: string | undefined;
  readonly to: string;
  readonly port: number;
  readonly remotePort: number;
  readonly closed: Promise<unknown>;
  readonly #ends: readonly [socket: Socket, upstream: Socket];
  #isPassing = false;

  constructor(to: string, port: number, { socket, upstream }: { socket: Socket; upstream: Socket }) {
    this.to = to;
    this.port = port;
    this.remotePort = socket.remotePort ?? 0;
    this.#ends = [socket, upstream];
    for (const end of this.#ends) {
      end.on('error', () => {});
      end.setNoDelay();
    }
    this.closed = Promise.race(
      this.#ends.map(end => new Promise(resolve => end.once('close', resolve))),
    ).then(() => this.cut());
  }

  pass(): void {
    if (this.#isPassing) return;
    this.#isPassing = true;
    const [socket, upstream] = this.#ends;
    socket.pipe(upstream);
    upstream.pipe(socket);
  }

  hold(): void {
    this.#isPassing = false;
    for (const end of this.#ends) end.unpipe().pause();
  }

  cut(): void {
    for (const end of this.#ends) end.destroy();
  }
}

/** The number of the socket on this machine that has these two ports of loopback, its own first. */
function socketInode(own: number, peer: number): string | undefined {
  const hex = (port: number): string => `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readFileSync(table, 'utf8').split('\n')) {
      const fields = line.trim().split(/\s+/);
      if (fields[1]?.endsWith(hex(own)) && fields[2]?.endsWith(hex(peer))) return fields[9];
    }
  }
  return undefined;
}

function holdsSocket(pid: number, inode: string): boolean {
  try {
    const directory = `/proc/${pid}/fd`;
    return readdirSync(directory).some(file => readLink(`${directory}/${file}`) === `socket:[${inode}]`);
  } catch {
    return false; // The process has ended.
  }
}

function readLink(file: string): string | undefined {
  try {
    return readlinkSync(file);
  } catch {
    return undefined; // Closed meanwhile.
  }
}
