/** A path of keys and indexes as findings name it: `spec.ports[0].name`. */
export function pathOf(path: readonly (string | number)[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += text === '' ? part : `.${part}`;
  }
  return text;
}
