export type { OpenApiDocument } from './context/openapi-document.ts';
export type { OpenApiOptions } from './context/openapi-options.ts';
export { createLiveOpenApiDocuments } from './live-documents.ts';
export {
  createOpenApiDocuments,
  type OpenApiDocuments,
  type PartDocument,
} from './openapi-documents.ts';
