import type { Statement } from '../drivers/conformance-server.ts';

/** 1, "Query parameters used across resource types". */
export const queryParameterStatements: readonly Statement[] = [
  { place: '1/Query parameters/watch', says: 'watch turns a list into a watch.' },
  {
    place: '1/Query parameters/resourceVersion',
    says: 'resourceVersion is understood by get, list and watch.',
  },
  {
    place: '1/Query parameters/resourceVersionMatch',
    says: 'resourceVersionMatch is Exact or NotOlderThan, on lists, with resourceVersion.',
  },
  {
    place: '1/Query parameters/allowWatchBookmarks',
    says: 'allowWatchBookmarks asks a watch for bookmarks.',
  },
  { place: '1/Query parameters/limit', says: 'limit is the largest number of items in a chunk.' },
  { place: '1/Query parameters/continue', says: 'continue is the token of the chunk before.' },
  {
    place: '1/Query parameters/labelSelector',
    says: 'labelSelector chooses by labels in list and deletecollection.',
  },
  {
    place: '1/Query parameters/fieldSelector',
    says: 'fieldSelector chooses by fields in list and deletecollection.',
  },
  { place: '1/Query parameters/timeoutSeconds', says: 'timeoutSeconds bounds lists and watches.' },
  { place: '1/Query parameters/pretty', says: 'pretty indents the answer.' },
  { place: '1/Query parameters/dryRun', says: 'dryRun is empty or All on create, update, patch and delete.' },
  {
    place: '1/Query parameters/fieldManager',
    says: 'fieldManager names the manager on create, update and patch.',
  },
  {
    place: '1/Query parameters/fieldValidation',
    says: 'fieldValidation is Ignore, Warn or Strict on create, update and patch.',
  },
  {
    place: '1/Query parameters/force',
    says: 'force takes fields in conflict from their managers, on apply patches only.',
  },
  {
    place: '1/Query parameters/gracePeriodSeconds',
    says: 'gracePeriodSeconds is understood by delete and deletecollection.',
  },
  {
    place: '1/Query parameters/propagationPolicy',
    says: 'propagationPolicy is Orphan, Background or Foreground on delete and deletecollection.',
  },
  { place: '1/Query parameters/a', says: 'delete verbs take an optional DeleteOptions body.' },
];
