import {
  createCredentialSource,
  createDirectClient,
  type DirectClient,
  type ExchangeNote,
} from '@binnacle/client';
import type { FlagValues } from '../arguments/flag.ts';
import type { globalFlags } from '../arguments/global-flags.ts';
import { configurationFrom } from '../configuration/configuration.ts';
import { createDiscovery, type Discovery } from '../discovery/discovery.ts';
import { UsageError } from '../output/errors.ts';
import type { Terminal } from './terminal.ts';

/** One run of a command: its connection, opened at the first use, and the discovered types of the server. */
export interface Session extends Disposable {
  readonly terminal: Terminal;
  readonly client: DirectClient;
  readonly discovery: Discovery;
  /** The namespace of `-n`, or of the context. */
  readonly namespace: string;
  /** Whether `-n` was given. */
  readonly namespaceIsGiven: boolean;
  /** A client of another address of the same service, with the same credentials where these stay secret; closed with the session. */
  readonly connectTo: (address: string) => DirectClient;
}

/** Options of a session. */
export interface SessionOptions {
  /** The command reads the input itself: credential plugins cannot ask there. */
  readonly inputIsTaken?: boolean;
}

/** Opens a session; reads the configuration, and connects with the first request. */
export function openSession(
  flags: FlagValues<typeof globalFlags>,
  terminal: Terminal,
  { inputIsTaken = false }: SessionOptions = {},
): Session {
  const configuration = configurationFrom(flags, terminal.env);
  const isInteractive = terminal.inputIsInteractive && !inputIsTaken;
  using opened = new DisposableStack();
  const credentialSource = opened.use(createCredentialSource(configuration, { terminal: { isInteractive } }));
  const warned = new Set<string>();
  const common = {
    userAgent: `binnaclectl/${terminal.version}`,
    headers: impersonation(flags),
    timeoutMs: flags.requestTimeout ?? 0,
    signal: terminal.signal,
    now: terminal.now,
    onExchange: (note: ExchangeNote) => terminal.err(noteText(note, flags.v ?? 0)),
    onWarning(text: string) {
      if (!warned.has(text)) terminal.err(`Warning: ${text}\n`);
      warned.add(text);
    },
  };
  const client = opened.use(createDirectClient({ ...common, configuration, credentialSource }));
  const owned = opened.move();
  return {
    terminal,
    client,
    discovery: createDiscovery(client),
    namespace: flags.namespace ?? configuration.namespace ?? 'default',
    namespaceIsGiven: flags.namespace !== undefined,
    connectTo: address =>
      owned.use(
        createDirectClient({
          ...common,
          configuration: { ...configuration, servers: [address] },
          // Credentials go to no address in clear text.
          credentialSource: new URL(address).protocol === 'https:' ? credentialSource : withoutCredentials(),
          otherServerName: configuration.tlsServerName ?? client.server.hostname,
        }),
      ),
    [Symbol.dispose]: () => owned.dispose(),
  };
}

function withoutCredentials() {
  return createCredentialSource({ servers: [] });
}

function impersonation({ as, asGroup, asUid }: FlagValues<typeof globalFlags>) {
  if (as === undefined && (asGroup.length > 0 || asUid !== undefined))
    throw new UsageError('--as-group and --as-uid need --as');
  return {
    ...(as !== undefined && { 'impersonate-user': as }),
    ...(asGroup.length > 0 && { 'impersonate-group': asGroup }),
    ...(asUid !== undefined && { 'impersonate-uid': asUid }),
  };
}

/** The text that `-v` shows of an exchange. */
function noteText(note: ExchangeNote, level: number): string {
  if (level < 6) return '';
  const lines = [`${note.method} ${note.url} ${note.code} in ${Math.round(note.durationMs)} milliseconds`];
  if (level >= 7) lines.push('Request Headers:', ...headerLines(note.requestHeaders));
  if (level >= 8) lines.push('Response Headers:', ...headerLines(note.answerHeaders));
  return `${lines.join('\n')}\n`;
}

function headerLines(headers: ExchangeNote['answerHeaders']): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [`    ${name}: ${typeof value === 'string' ? value : value.join(', ')}`],
  );
}
