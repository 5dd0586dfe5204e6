import type { Statement } from '../drivers/conformance-server.ts';

/** 1, "Resource version semantics". */
export const resourceVersionStatements: readonly Statement[] = [
  { place: '1/get/unset', says: 'A get without a version is the most recent state.' },
  { place: '1/get/0', says: 'A get at version 0 is any state.' },
  { place: '1/get/non-zero', says: 'A get at a version is not older than it.' },
  { place: '1/list/unset,none,unset', says: 'A list without a version is the most recent state.' },
  { place: '1/list/unset,none,0', says: 'A list at version 0 is any state.' },
  { place: '1/list/unset,none,non-zero', says: 'A list at a version is not older than it.' },
  { place: '1/list/unset,limit,unset', says: 'A first chunk without a version is the most recent state.' },
  { place: '1/list/unset,limit,0', says: 'A first chunk at version 0 is any state.' },
  { place: '1/list/unset,limit,non-zero', says: 'A first chunk at a version is exactly that version.' },
  { place: '1/list/unset,continue,unset', says: 'A further chunk is at the version of its token.' },
  { place: '1/list/unset,continue,0', says: 'A further chunk at version 0 is at the version of its token.' },
  { place: '1/list/unset,continue,non-zero', says: 'A further chunk at a version is refused with 400.' },
  { place: '1/list/Exact,none,unset', says: 'Exact without a version is invalid.' },
  { place: '1/list/Exact,none,0', says: 'Exact at version 0 is invalid.' },
  { place: '1/list/Exact,none,non-zero', says: 'Exact at a version is exactly that version.' },
  { place: '1/list/Exact,limit,unset', says: 'Exact with a limit and without a version is invalid.' },
  { place: '1/list/Exact,limit,0', says: 'Exact with a limit at version 0 is invalid.' },
  { place: '1/list/Exact,limit,non-zero', says: 'Exact with a limit at a version is exactly that version.' },
  { place: '1/list/NotOlderThan,none,unset', says: 'NotOlderThan without a version is invalid.' },
  { place: '1/list/NotOlderThan,none,0', says: 'NotOlderThan at version 0 is any state.' },
  { place: '1/list/NotOlderThan,none,non-zero', says: 'NotOlderThan at a version is not older than it.' },
  {
    place: '1/list/NotOlderThan,limit,unset',
    says: 'NotOlderThan with a limit and without a version is invalid.',
  },
  { place: '1/list/NotOlderThan,limit,0', says: 'NotOlderThan with a limit at version 0 is any state.' },
  {
    place: '1/list/NotOlderThan,limit,non-zero',
    says: 'NotOlderThan with a limit at a version is not older than it.',
  },
  {
    place: '1/Resource version semantics/a',
    says: 'resourceVersionMatch without resourceVersion is invalid.',
  },
  {
    place: '1/Resource version semantics/b',
    says: 'resourceVersion on a list goes with resourceVersionMatch, but need not.',
  },
  { place: '1/Resource version semantics/Any', says: 'Any: data of any version, the freshest preferred.' },
  {
    place: '1/Resource version semantics/Most Recent',
    says: 'Most Recent: the latest data, whichever gateway answers.',
  },
  {
    place: '1/Resource version semantics/Not Older Than',
    says: 'Not Older Than: the version of the collection is at least the given one.',
  },
  {
    place: '1/Resource version semantics/Exact',
    says: 'Exact: the version of the collection is exactly the given one, otherwise 410.',
  },
  {
    place: '1/Resource version semantics/Continue Token, Exact',
    says: 'Continue Token, Exact: the version of the first chunk, which the token carries.',
  },
  {
    place: '1/Resource version semantics/c',
    says: 'A list with NotOlderThan and a limit can be answered with 410 further on.',
  },
  {
    place: '1/Resource version semantics/d',
    says: 'With Exact and no limit the version of the collection tells whether the request was understood.',
  },
  {
    place: '1/watch/unset',
    says: 'A watch without a version begins with ADDED events for all objects at the most recent state, then changes.',
  },
  {
    place: '1/watch/0',
    says: 'A watch from version 0 begins with ADDED events for all objects at any state, then changes.',
  },
  {
    place: '1/watch/non-zero',
    says: 'A watch from a version reports changes after it and no synthetic events.',
  },
  { place: '1/Resource version semantics/e', says: 'Old versions need not be kept: 410.' },
  {
    place: '1/Resource version semantics/f',
    says: 'A get or list at a version too large waits and is answered 504, with Retry-After and "Too large resource version".',
  },
  {
    place: '1/Resource version semantics/g',
    says: 'A watch from a version too large may wait until it times out.',
  },
];
