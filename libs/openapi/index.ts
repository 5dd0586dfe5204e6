export type { OpenApiDocument } from './context/openapi-document.ts';
export { createLiveOpenApiDocuments } from './live-documents.ts';
export type { OpenApiDocuments } from './openapi-documents.ts';
