const longestText = 256;
const longestTotal = 4096;

/**
 * The values of the `Warning` headers for texts (RFC 7234 section 5.5), each once, empty ones never. When all together
 * are longer than 4096 characters, each is cut to 256, and further ones are dropped once 4096 are reached.
 */
export function warningHeaders(warnings: readonly string[]): string[] {
  const texts = [...new Set(warnings)].map(printable).filter(text => text !== '');
  const total = texts.reduce((sum, text) => sum + text.length, 0);
  const kept = total > longestTotal ? shortened(texts) : texts;
  return kept.map(text => `299 - "${headerBytes(text.replace(/["\\]/g, '\\$&'))}"`);
}

function shortened(texts: readonly string[]): string[] {
  const kept: string[] = [];
  let total = 0;
  for (const text of texts) {
    if (total >= longestTotal) break;
    const characters = [...text].slice(0, longestText);
    total += characters.length;
    kept.push(characters.join(''));
  }
  return kept;
}

function printable(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim();
}

/** Node writes header values byte for byte; this makes those bytes UTF-8. */
function headerBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
