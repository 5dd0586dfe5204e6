const longestText = 256;
const longestTotal = 4096;

/**
 * The values of the `Warning` headers for texts (RFC 7234 section 5.5), each once. When all together are longer than
 * 4096 characters each is cut to 256.
 */
export function warningHeaders(warnings: readonly string[]): string[] {
  const texts = [...new Set(warnings)].map(printable);
  const total = texts.reduce((sum, text) => sum + text.length, 0);
  const kept = total > longestTotal ? texts.map(text => [...text].slice(0, longestText).join('')) : texts;
  return kept.map(text => `299 - "${headerBytes(text.replace(/["\\]/g, '\\$&'))}"`);
}

function printable(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim();
}

/** Node writes header values byte for byte; this makes those bytes UTF-8. */
function headerBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
