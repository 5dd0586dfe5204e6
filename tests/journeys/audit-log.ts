import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '@binnacle/api-objects';
import type { StandaloneOptions } from '@binnacle/standalone/testing';
import { type Answer, type ApiServer, type Call, startApiServer, until } from './api-server.ts';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';

/** An audit event as a reader of the log finds it. */
export interface AuditEvent {
  readonly level: string;
  readonly auditID: string;
  readonly stage: string;
  readonly requestURI: string;
  readonly verb: string;
  readonly user: JsonObject;
  readonly impersonatedUser?: JsonObject;
  readonly sourceIPs: readonly string[];
  readonly userAgent: string;
  readonly objectRef?: Readonly<Record<string, string>>;
  readonly responseStatus?: JsonObject;
  readonly requestObject?: JsonObject;
  readonly responseObject?: JsonObject;
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A server with an audit log. */
export interface AuditedServer extends AsyncDisposable {
  readonly server: ApiServer;
  readonly logFile: string;
  /** The events that were written, in order. */
  events(): Promise<AuditEvent[]>;
  /** The events with this ID, once there are so many of them. */
  waitForEvents(auditId: string, count?: number): Promise<AuditEvent[]>;
  /** Sends a request; gives its answer, and its last event. */
  audited(method: string, path: string, call?: Call): Promise<{ answer: Answer; event: AuditEvent }>;
}

/** Starts a server that audits by the rules of a policy, with a namespace `z`. */
export async function startAuditedServer(
  rules: string,
  options: Partial<StandaloneOptions> = {},
): Promise<AuditedServer> {
  await using stack = new AsyncDisposableStack();
  const directory = stack.use(await createTemporaryDirectory());
  const auditPolicyFile = join(directory.path, 'policy.yaml');
  await writeFile(auditPolicyFile, `apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n${rules}`);
  const logFile = join(directory.path, 'audit.log');
  const server = stack.use(await startApiServer({ auditPolicyFile, auditLogPath: logFile, ...options }));
  await server.namespace('z');
  const events = async (): Promise<AuditEvent[]> => {
    const text = await readFile(logFile, 'utf8').catch(() => '');
    const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
    return lines.filter(line => line !== '').map(line => JSON.parse(line));
  };
  const waitForEvents = async (auditId: string, count = 1): Promise<AuditEvent[]> => {
    let found: AuditEvent[] = [];
    await until('the request is audited', async () => {
      found = (await events()).filter(({ auditID }) => auditID === auditId);
      return found.length >= count;
    });
    return found;
  };
  const running = stack.move();
  return {
    server,
    logFile,
    events,
    waitForEvents,
    async audited(method, path, call) {
      const answer = await server.call(method, path, call);
      let event: AuditEvent | undefined;
      await until('the end of the request is audited', async () => {
        const found = await waitForEvents(String(answer.headers['audit-id']));
        event = found.find(
          ({ stage, user }) => stage === 'ResponseComplete' || user['username'] === undefined,
        );
        return event !== undefined;
      });
      if (event === undefined) throw new Error('there is no event');
      return { answer, event };
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
