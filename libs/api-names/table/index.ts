export { groupTable } from './groups.ts';
export { annotationTable, auditTable, finalizerTable, labelTable, taintTable } from './metadata.ts';
export type { NameRow, NameTable } from './name-table.ts';
export {
  componentTable,
  namespaceTable,
  objectTable,
  roleTable,
  serviceUserTable,
  tokenTable,
  userExtraTable,
  userTable,
  variableTable,
} from './places.ts';
export { domainTable, secretTypeTable, signerTable, wordTable } from './values.ts';
export {
  documentExtensionTable,
  extensionTable,
  mediaTypeTable,
  protocolTable,
  schemaTable,
} from './wire.ts';
