import type { Statement } from '../drivers/conformance-server.ts';

/** 1, "Verbs". */
export const verbStatements: readonly Statement[] = [
  { place: '1/Verbs/get', says: 'get is GET on an item.' },
  { place: '1/Verbs/list', says: 'list is GET on a collection.' },
  { place: '1/Verbs/watch', says: 'watch is GET with watch set.' },
  { place: '1/Verbs/create', says: 'create is POST on a collection.' },
  { place: '1/Verbs/update', says: 'update is PUT on an item; it creates the object when there is none.' },
  { place: '1/Verbs/patch', says: 'patch is PATCH on an item.' },
  { place: '1/Verbs/apply', says: 'apply is PATCH with application/apply-patch+yaml.' },
  { place: '1/Verbs/delete', says: 'delete is DELETE on an item.' },
  { place: '1/Verbs/deletecollection', says: 'deletecollection is DELETE on a collection.' },
  { place: '1/Verbs/proxy', says: 'proxy passes a request on to a single resource.' },
  {
    place: '1/Verbs/a',
    says: 'get, create, apply, update, patch, delete and proxy act on one resource only.',
  },
  { place: '1/Verbs/b', says: 'list, watch and deletecollection act on many.' },
  {
    place: '1/Verbs/c',
    says: 'Patches are merge patches, JSON patches and apply patches, strategic merge patches besides; nothing else.',
  },
];
