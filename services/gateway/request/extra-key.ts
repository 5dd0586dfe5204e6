/**
 * The key of an extra value, from the end of a header's name: lower case, then percent-decoded, since the name of a header
 * cannot hold every character. A key with an invalid escape stays as it is (behaviour of kube-apiserver).
 */
export function parseExtraKey(text: string): string {
  const lower = text.toLowerCase();
  try {
    return decodeURIComponent(lower);
  } catch {
    return lower;
  }
}
