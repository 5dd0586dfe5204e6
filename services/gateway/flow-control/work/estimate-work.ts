import type { RequestTarget, ResourceTarget } from '../../request/request-target.ts';
import { oneSeat, type WorkEstimate } from '../fair-queuing/work-estimate.ts';

/** The sources of estimates. */
export interface WorkSources {
  /** The number of objects of a resource; undefined when there is no such resource. */
  objectsOf(target: ResourceTarget): number | undefined;
  /** The number of open watches that a write concerns. */
  watchesOf(target: ResourceTarget): number;
}

const mostSeats = 10;
const objectsPerSeat = 100;
const watchesPerSeat = 10;
/** The time in which the watches of one seat are served, in ms. */
const eventMs = 5;

const writingVerbs = new Set(['create', 'update', 'patch', 'delete']);

/** Estimates the work of a request as kube-apiserver 1.26 does: lists by the objects they go through, writes by their watches. */
export function estimateWork(
  target: RequestTarget,
  query: URLSearchParams,
  sources: WorkSources,
): WorkEstimate {
  if (target.kind === 'path') return oneSeat;
  if (target.verb === 'list') return listWork(target, query, sources.objectsOf(target));
  if (writingVerbs.has(target.verb)) return writeWork(sources.watchesOf(target));
  return oneSeat;
}

function listWork(target: ResourceTarget, query: URLSearchParams, objects: number | undefined): WorkEstimate {
  if (target.requestedName !== '' || objects === undefined || objects <= objectsPerSeat / 2) return oneSeat;
  const limit = Number(query.get('limit') ?? 0);
  const shown = limit > 0 && limit < objects ? limit : objects;
  const hasSelector = !!query.get('labelSelector') || !!query.get('fieldSelector');
  const processed = isFromStorage(query, limit) ? (hasSelector ? objects + shown : 2 * shown) : objects;
  const initialSeats = Math.max(1, Math.min(mostSeats, Math.ceil(processed / objectsPerSeat)));
  return initialSeats === 1 ? oneSeat : { ...oneSeat, initialSeats };
}

/** Whether kube-apiserver reads a list from etcd; the estimate follows it although most of them are read from the cache here. */
function isFromStorage(query: URLSearchParams, limit: number): boolean {
  const version = query.get('resourceVersion') ?? '';
  return (
    version === '' ||
    !!query.get('continue') ||
    (limit > 0 && version !== '0') ||
    query.get('resourceVersionMatch') === 'Exact'
  );
}

function writeWork(watches: number): WorkEstimate {
  if (watches < watchesPerSeat) return oneSeat;
  const seats = Math.ceil(watches / watchesPerSeat);
  const finalSeats = Math.min(seats, mostSeats);
  return { initialSeats: 1, finalSeats, finalMs: (seats * eventMs) / finalSeats };
}
