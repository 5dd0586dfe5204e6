import { TemplateError } from '../template-error.ts';

const htmlEscapes: Readonly<Record<string, string>> = {
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\0': '\ufffd',
};

/** A text for HTML, as Go's `html` escapes it. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/["'&<>\0]/g, character => htmlEscapes[character] ?? character);
}

/** A text for JavaScript, as Go's `js` escapes it. */
export function escapeJavaScript(text: string): string {
  return text.replaceAll(/[\\'"]|[<>&=]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, character => {
    if (/[\\'"]/.test(character)) return `\\${character}`;
    return `\\u${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  });
}

/** A text for the query of a URL, as Go's `urlquery` escapes it. */
export function escapeQuery(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replaceAll('%20', '+')
    .replaceAll(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** The text that standard base64 stands for, as kubectl's `base64decode` reads it; bytes that are no UTF-8 are replaced. */
export function decodeBase64(encoded: string): string {
  const text = encoded.replaceAll(/[\r\n]/g, '');
  const whole = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?/.exec(text)?.[0] ?? '';
  if (whole.length < text.length) {
    const wrong = text.slice(whole.length, whole.length + 4).search(/[^A-Za-z0-9+/]/);
    throw new TemplateError(
      `base64 decode failed: illegal base64 data at input byte ${whole.length + Math.max(0, wrong)}`,
    );
  }
  return Buffer.from(whole, 'base64').toString('utf8');
}
