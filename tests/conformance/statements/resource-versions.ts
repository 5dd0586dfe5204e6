import type { Statement } from '../conformance-server.ts';

/** 1, "Resource version semantics". */
export const resourceVersionStatements: readonly Statement[] = [
  { place: '1/get/unset', says: 'a get without a version is the most recent state' },
  { place: '1/get/0', says: 'a get at version 0 is any state' },
  { place: '1/get/non-zero', says: 'a get at a version is not older than it' },
  { place: '1/list/unset,none,unset', says: 'a list without a version is the most recent state' },
  { place: '1/list/unset,none,0', says: 'a list at version 0 is any state' },
  { place: '1/list/unset,none,non-zero', says: 'a list at a version is not older than it' },
  { place: '1/list/unset,limit,unset', says: 'a first chunk without a version is the most recent state' },
  { place: '1/list/unset,limit,0', says: 'a first chunk at version 0 is any state' },
  { place: '1/list/unset,limit,non-zero', says: 'a first chunk at a version is exactly that version' },
  { place: '1/list/unset,continue,unset', says: 'a further chunk is at the version of its token' },
  { place: '1/list/unset,continue,0', says: 'a further chunk at version 0 is at the version of its token' },
  { place: '1/list/unset,continue,non-zero', says: 'a further chunk at a version is refused with 400' },
  { place: '1/list/Exact,none,unset', says: 'Exact without a version is invalid' },
  { place: '1/list/Exact,none,0', says: 'Exact at version 0 is invalid' },
  { place: '1/list/Exact,none,non-zero', says: 'Exact at a version is exactly that version' },
  { place: '1/list/Exact,limit,unset', says: 'Exact with a limit and without a version is invalid' },
  { place: '1/list/Exact,limit,0', says: 'Exact with a limit at version 0 is invalid' },
  { place: '1/list/Exact,limit,non-zero', says: 'Exact with a limit at a version is exactly that version' },
  { place: '1/list/NotOlderThan,none,unset', says: 'NotOlderThan without a version is invalid' },
  { place: '1/list/NotOlderThan,none,0', says: 'NotOlderThan at version 0 is any state' },
  { place: '1/list/NotOlderThan,none,non-zero', says: 'NotOlderThan at a version is not older than it' },
  {
    place: '1/list/NotOlderThan,limit,unset',
    says: 'NotOlderThan with a limit and without a version is invalid',
  },
  { place: '1/list/NotOlderThan,limit,0', says: 'NotOlderThan with a limit at version 0 is any state' },
  {
    place: '1/list/NotOlderThan,limit,non-zero',
    says: 'NotOlderThan with a limit at a version is not older than it',
  },
  {
    place: '1/Resource version semantics/a',
    says: 'resourceVersionMatch without resourceVersion is invalid',
  },
  {
    place: '1/Resource version semantics/b',
    says: 'resourceVersion on a list goes with resourceVersionMatch, but need not',
  },
  { place: '1/Resource version semantics/Any', says: 'Any: data of any version, the freshest preferred' },
  {
    place: '1/Resource version semantics/Most Recent',
    says: 'Most Recent: the latest data, whichever gateway answers',
  },
  {
    place: '1/Resource version semantics/Not Older Than',
    says: 'Not Older Than: the version of the collection is at least the given one',
  },
  {
    place: '1/Resource version semantics/Exact',
    says: 'Exact: the version of the collection is exactly the given one, otherwise 410',
  },
  {
    place: '1/Resource version semantics/Continue Token, Exact',
    says: 'Continue Token, Exact: the version of the first chunk, which the token carries',
  },
  {
    place: '1/Resource version semantics/c',
    says: 'a list with NotOlderThan and a limit can be answered with 410 further on',
  },
  {
    place: '1/Resource version semantics/d',
    says: 'with Exact and no limit the version of the collection tells whether the request was understood',
  },
  {
    place: '1/watch/unset',
    says: 'a watch without a version begins with ADDED events for all there is at the most recent state, then changes',
  },
  {
    place: '1/watch/0',
    says: 'a watch from version 0 begins with ADDED events for all there is at any state, then changes',
  },
  {
    place: '1/watch/non-zero',
    says: 'a watch from a version reports changes after it and no synthetic events',
  },
  { place: '1/Resource version semantics/e', says: 'old versions need not be kept: 410' },
  {
    place: '1/Resource version semantics/f',
    says: 'a get or list at a version too large waits and is answered 504, with Retry-After and "Too large resource version"',
  },
  {
    place: '1/Resource version semantics/g',
    says: 'a watch from a version too large may wait until it times out',
  },
];
