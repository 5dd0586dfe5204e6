/** Creates a complete pod template with additional spec fields. */
export function podTemplate(
  spec: Record<string, unknown> = {},
  labels: Record<string, string> = { app: 'x' },
) {
  return { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i:1' }], ...spec } };
}

/** Returns a selector of the labels of `podTemplate`, and such a template. */
export function selectorAndTemplate(spec: Record<string, unknown> = {}) {
  return { selector: { matchLabels: { app: 'x' } }, template: podTemplate(spec) };
}
