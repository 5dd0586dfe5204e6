import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { findFreePort } from './free-port.ts';
import { PeerLinks } from './peer-links.ts';
import { pollUntil } from './poll-until.ts';

/** A member that dials one port and prints what is echoed; a line on its standard input is sent. */
const memberProgram = `
  const socket = require('node:net').connect(Number(process.argv[1]), '127.0.0.1');
  socket.on('error', () => {});
  socket.pipe(process.stdout);
  process.stdin.pipe(socket);
`;

class Member {
  readonly name: string;
  readonly echoed: string[] = [];
  readonly #child: ChildProcess;

  constructor(name: string, port: number) {
    this.name = name;
    this.#child = spawn(process.execPath, ['-e', memberProgram, String(port)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    if (this.#child.stdout) createInterface(this.#child.stdout).on('line', line => this.echoed.push(line));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  say(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  hears(line: string): Promise<void> {
    return pollUntil(`${this.name} to hear ${line}`, () => this.echoed.includes(line), { intervalMs: 5 });
  }

  end(): void {
    this.#child.kill('SIGKILL');
  }
}

const members: Member[] = [];
const echo = createServer({ allowHalfOpen: true }, socket => {
  socket.on('error', () => {});
  socket.pipe(socket);
}).listen(0, '127.0.0.1');
await once(echo, 'listening');
const links = new PeerLinks(() => members);
const port = await findFreePort();
await links.add('c', port, (echo.address() as AddressInfo).port);

after(async () => {
  for (const member of members) member.end();
  await links[Symbol.asyncDispose]();
  echo.close();
});

function join(name: string): Member {
  const member = new Member(name, port);
  members.push(member);
  return member;
}

test('members in different partitions of the network exchange nothing, over old or new connections', async () => {
  const [a, b] = [join('a'), join('b')];
  a.say('one');
  b.say('one');
  await a.hears('one');
  await b.hears('one');

  links.divide([['a'], ['b', 'c']]);
  a.say('two');
  b.say('two');
  await b.hears('two');
  members.splice(members.indexOf(b), 1);
  b.end();
  const late = join('a');
  late.say('three');
  const other = join('b');
  other.say('three');
  await other.hears('three');
  assert.deepEqual([a.echoed, late.echoed], [['one'], []]);

  links.divide([]);
  await a.hears('two');
  await late.hears('three');
});
