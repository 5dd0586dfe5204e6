export type { OpenApiDocument } from './openapi-document.ts';
export {
  createOpenApiDocuments,
  type OpenApiDocuments,
  type OpenApiOptions,
  type PartDocument,
} from './openapi-documents.ts';
