export { createLiveOpenApiDocuments } from './live-documents.ts';
export type { OpenApiDocument } from './openapi-document.ts';
export {
  createOpenApiDocuments,
  type OpenApiDocuments,
  type PartDocument,
} from './openapi-documents.ts';
export type { OpenApiOptions } from './openapi-options.ts';
