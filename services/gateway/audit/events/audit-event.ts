import { microTimestampFrom } from '@binnacle/api-objects';
import type { Status } from '@binnacle/status-errors';
import type { User } from '../../request/api-request.ts';
import type { AuditLevel } from '../../request/exchange.ts';
import { userInfoOf } from '../../request/user-info.ts';
import type { AuditStage } from '../policy/audit-policy.ts';

/** The API version of events. */
export const auditApiVersion = 'audit.cluster.io/v1';

/** What all events of a request say of it. */
export interface EventHead {
  readonly level: AuditLevel;
  readonly auditId: string;
  readonly requestURI: string;
  readonly verb: string;
  /** Undefined: it is not known who makes the request. */
  readonly user: User | undefined;
  readonly sourceIPs: readonly string[];
  readonly userAgent: string;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
}

/** Which object a request is about; what is not known, or does not apply, is "". */
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

/** What an event says of one stage. */
export interface EventStage {
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

const truncatedAnnotation = { 'audit.cluster.io/truncated': 'true' };

/** Writes an event; `isCut` says that a body was too long to be in it. */
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

/** Bodies go in as the JSON that they are: nothing is parsed to be written again. */
function eventText(head: EventHead, stage: EventStage): string {
  const { requestObject, responseObject, annotations } = stage;
  const start = JSON.stringify({
    kind: 'Event',
    apiVersion: auditApiVersion,
    level: head.level,
    auditID: head.auditId,
    stage: stage.stage,
    requestURI: head.requestURI,
    verb: head.verb,
    user: head.user === undefined ? {} : userInfoOf(head.user),
    impersonatedUser: stage.impersonatedUser && userInfoOf(stage.impersonatedUser),
    sourceIPs: head.sourceIPs.length === 0 ? undefined : head.sourceIPs,
    userAgent: head.userAgent === '' ? undefined : head.userAgent,
    objectRef: stage.object && withoutEmpty(stage.object),
    responseStatus: stage.status,
  });
  const end = JSON.stringify({
    requestReceivedTimestamp: microTimestampFrom(head.receivedAt),
    stageTimestamp: microTimestampFrom(stage.at),
    annotations: Object.keys(annotations).length === 0 ? undefined : annotations,
  });
  const request = requestObject === undefined ? '' : `,"requestObject":${requestObject}`;
  const response = responseObject === undefined ? '' : `,"responseObject":${responseObject}`;
  return `${start.slice(0, -1)}${request}${response},${end.slice(1)}`;
}

function withoutEmpty(object: EventObject): Partial<EventObject> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== ''));
}
