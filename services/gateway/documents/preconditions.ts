import type { IncomingHttpHeaders } from 'node:http';

/** The validators of a document, for preconditions. */
interface Validators {
  /** With its quotes. */
  readonly entityTag: string;
  /** Milliseconds since 1970, a whole second. */
  readonly lastModified: number;
}

/**
 * Evaluates the preconditions of a GET (RFC 9110, section 13.2.2): the document is wanted, the client's copy is still
 * good (304), or the client wants another document (412). Entity tags go before times.
 */
export function preconditionVerdict(
  headers: IncomingHttpHeaders,
  { entityTag, lastModified }: Validators,
): 'wanted' | 'not-modified' | 'failed' {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers;
  const unmodifiedSince = httpDate(headers['if-unmodified-since']);
  if (match !== undefined) {
    if (!tagsIn(match).some(tag => tag === '*' || tag === entityTag)) return 'failed';
  } else if (unmodifiedSince !== undefined && lastModified > unmodifiedSince) return 'failed';
  if (noneMatch !== undefined) {
    const isKnown = tagsIn(noneMatch).some(tag => tag === '*' || tag.replace(/^W\//, '') === entityTag);
    return isKnown ? 'not-modified' : 'wanted';
  }
  const modifiedSince = httpDate(headers['if-modified-since']);
  return modifiedSince !== undefined && lastModified <= modifiedSince ? 'not-modified' : 'wanted';
}

/** The `Range` header of a request, unless `If-Range` says that it is about another document. */
export function rangeFor(
  { range, 'if-range': condition }: IncomingHttpHeaders,
  { entityTag, lastModified }: Validators,
): string | undefined {
  if (typeof condition !== 'string' || condition === '') return range;
  return condition === entityTag || httpDate(condition) === lastModified ? range : undefined;
}

function tagsIn(header: string): string[] {
  return header.split(',').map(tag => tag.trim());
}

/** The forms of a date that RFC 9110 (section 5.6.7) has servers read; the last one names no zone. */
const dateForms = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/** Milliseconds since 1970; undefined for no date, which is no precondition. */
function httpDate(text: string | undefined): number | undefined {
  if (text === undefined || !dateForms.some(form => form.test(text))) return undefined;
  const time = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(time) ? undefined : time;
}
