import { auditKeys, groups } from '@binnacle/api-names';
import { microTimestampFrom } from '@binnacle/api-objects';
import type { Status } from '@binnacle/status-errors';
import type { User } from '../../request/api-request.ts';
import type { AuditLevel } from '../../request/exchange.ts';
import { userInfoFromUser } from '../../request/user-info.ts';
import type { AuditStage } from '../policy/audit-policy.ts';

/** The API version of events. */
export const auditApiVersion = `${groups.audit}/v1`;

/** The facts that all events of a request share. */
interface RequestFacts {
  readonly level: AuditLevel;
  readonly auditId: string;
  readonly requestURI: string;
  readonly verb: string;
  /** Undefined for a request whose user is not known. */
  readonly user: User | undefined;
  readonly sourceIPs: readonly string[];
  readonly userAgent: string;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
}

/** The parts that all events of a request share, as JSON that is written once. */
export interface EventHead {
  /** The text of the event up to the stage. */
  readonly start: string;
  /** The text of the event after the stage. */
  readonly request: string;
  /** The value of requestReceivedTimestamp. */
  readonly received: string;
}

/** The object that a request is about; unknown parts are "". */
export interface EventObject {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly apiGroup: string;
  readonly apiVersion: string;
  readonly resourceVersion: string;
  readonly subresource: string;
}

/** The facts of one stage. */
interface EventStage {
  readonly stage: AuditStage;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly impersonatedUser: User | undefined;
  readonly object: EventObject | undefined;
  readonly status: Pick<Status, 'code'> | Partial<Status> | undefined;
  readonly annotations: Readonly<Record<string, string>>;
  /** JSON of one line. */
  readonly requestObject?: string | undefined;
  readonly responseObject?: string | undefined;
}

/** One event as the backends take it. */
export interface AuditEvent {
  /** JSON of one line. */
  readonly text: string;
  /** The same event without the bodies, where that is another text. */
  withoutBodies(): string;
}

const truncatedAnnotation = { [auditKeys.truncated]: 'true' };

/** Writes an event; `isCut`: a body was too long and is left out. */
export function auditEvent(head: EventHead, stage: EventStage, isCut: boolean): AuditEvent {
  const marked = { ...stage, annotations: { ...stage.annotations, ...truncatedAnnotation } };
  const text = eventText(head, isCut ? marked : stage);
  const hasBodies = stage.requestObject !== undefined || stage.responseObject !== undefined;
  return {
    text,
    withoutBodies: () =>
      hasBodies ? eventText(head, { ...marked, requestObject: undefined, responseObject: undefined }) : text,
  };
}

/** Writes the parts that all events of a request share. */
export function eventHead(facts: RequestFacts): EventHead {
  const { level, auditId, requestURI, verb, user, sourceIPs, userAgent, receivedAt } = facts;
  const start = JSON.stringify({ kind: 'Event', apiVersion: auditApiVersion, level, auditID: auditId });
  const request = JSON.stringify({
    requestURI,
    verb,
    user: user === undefined ? {} : userInfoFromUser(user),
    sourceIPs: sourceIPs.length === 0 ? undefined : sourceIPs,
    userAgent: userAgent === '' ? undefined : userAgent,
  });
  return {
    start: start.slice(0, -1),
    request: request.slice(1, -1),
    received: microTimestampFrom(receivedAt),
  };
}

/** Bodies are JSON already and are not parsed again. */
function eventText({ start, request, received }: EventHead, stage: EventStage): string {
  const { impersonatedUser, object, status, requestObject, responseObject, annotations } = stage;
  let text = `${start},"stage":"${stage.stage}",${request}`;
  if (impersonatedUser !== undefined)
    text += `,"impersonatedUser":${JSON.stringify(userInfoFromUser(impersonatedUser))}`;
  if (object !== undefined) text += `,"objectRef":${JSON.stringify(object, emptyLeftOut)}`;
  if (status !== undefined) text += `,"responseStatus":${JSON.stringify(status)}`;
  if (requestObject !== undefined) text += `,"requestObject":${requestObject}`;
  if (responseObject !== undefined) text += `,"responseObject":${responseObject}`;
  text += `,"requestReceivedTimestamp":"${received}","stageTimestamp":"${microTimestampFrom(stage.at)}"`;
  if (Object.keys(annotations).length > 0) text += `,"annotations":${JSON.stringify(annotations)}`;
  return `${text}}`;
}

function emptyLeftOut(_key: string, value: unknown): unknown {
  return value === '' ? undefined : value;
}
