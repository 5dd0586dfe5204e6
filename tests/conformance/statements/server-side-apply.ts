import type { Statement } from '../drivers/conformance-server.ts';

/** The statements of spec 1, "Server-side apply". */
export const serverSideApplyStatements: readonly Statement[] = [
  {
    place: '1/Server-side apply/1a',
    says: 'Apply is a PATCH of type application/apply-patch+yaml with a partial object.',
  },
  { place: '1/Server-side apply/1b', says: 'It creates the object when there is none.' },
  { place: '1/Server-side apply/1c', says: 'Otherwise it merges into the object that there is.' },
  { place: '1/Server-side apply/2a', says: 'Apply requires fieldManager.' },
  {
    place: '1/Server-side apply/2b',
    says: 'In other writes fieldManager is optional; without it the user agent names the manager.',
  },
  { place: '1/Server-side apply/3', says: 'What is applied must not contain managedFields.' },
  { place: '1/Server-side apply/4a', says: 'The creator of an object manages the fields that it set.' },
  { place: '1/Server-side apply/4b', says: 'A manager that sets a field by an update manages it.' },
  { place: '1/Server-side apply/4c', says: 'A manager that sets a field by a patch manages it.' },
  {
    place: '1/Server-side apply/4d',
    says: 'A manager that has a field in an applied configuration manages it.',
  },
  { place: '1/Server-side apply/4e', says: 'A manager that applies the same value shares the field.' },
  { place: '1/Server-side apply/4f', says: 'A later change of a shared field by any manager conflicts.' },
  {
    place: '1/Server-side apply/5a',
    says: 'An apply that gives a field of another manager another value fails.',
  },
  { place: '1/Server-side apply/5b', says: 'A write other than apply does not fail; it takes the field.' },
  { place: '1/Server-side apply/6a', says: 'force=true takes the field from the other managers.' },
  {
    place: '1/Server-side apply/6b',
    says: 'Applying without the field keeps its value, and the manager gives the field up.',
  },
  { place: '1/Server-side apply/6c', says: 'Applying the live value shares the field.' },
  { place: '1/Server-side apply/7a', says: 'Where values overlap the applied one wins.' },
  {
    place: '1/Server-side apply/7b',
    says: 'A field that the manager applied earlier and now omits is removed unless another manager has it.',
  },
  { place: '1/Server-side apply/7c', says: 'A removed field that has a default is reset to it.' },
  { place: '1/Server-side apply/8a', says: 'An atomic list is replaced whole.' },
  { place: '1/Server-side apply/8b', says: 'A list that is a set has unique scalars, which are merged.' },
  {
    place: '1/Server-side apply/8c',
    says: 'A list that is a map has items that are merged by their keys.',
  },
  { place: '1/Server-side apply/8d', says: 'The keys of an item are the fields that listMapKey names.' },
  { place: '1/Server-side apply/8e', says: 'A map is granular or atomic.' },
  { place: '1/Server-side apply/8f', says: 'A struct is granular or atomic.' },
  { place: '1/Server-side apply/8g', says: 'Schemas give the same markers as x-cluster extensions.' },
  {
    place: '1/Server-side apply/9a',
    says: 'Without a list type the patch merge key makes a list a map.',
  },
  { place: '1/Server-side apply/9b', says: 'The content of an atomic list is atomic.' },
  { place: '1/Server-side apply/10a', says: 'Keys of custom resources act as fields of a struct.' },
  {
    place: '1/Server-side apply/10b',
    says: 'Lists of custom resources are atomic unless their schema says otherwise.',
  },
  {
    place: '1/Server-side apply/11a',
    says: 'When a field becomes atomic its manager manages the whole value.',
  },
  {
    place: '1/Server-side apply/11b',
    says: 'When an atomic field becomes granular its content has no manager.',
  },
  { place: '1/Server-side apply/12a', says: 'A controller must include all the fields that it cares about.' },
  { place: '1/Server-side apply/12b', says: 'It need neither read the object nor pass a resourceVersion.' },
  { place: '1/Server-side apply/12c', says: 'It cannot remove fields that it never applied.' },
  { place: '1/Server-side apply/12d', says: 'It should force conflicts.' },
  { place: '1/Server-side apply/13a', says: 'Apply to an object that there is needs the verb patch.' },
  { place: '1/Server-side apply/13b', says: 'To create by apply also needs the verb create.' },
  {
    place: '1/Server-side apply/14a',
    says: 'A merge patch or JSON patch that sets managedFields to one empty entry strips them.',
  },
  { place: '1/Server-side apply/14b', says: 'An empty list does not strip them.' },
  {
    place: '1/Server-side apply/14c',
    says: 'Together with other changes the reset comes first, and the requester manages the fields that it changed.',
  },
];
