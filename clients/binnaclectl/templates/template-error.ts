/** A template that cannot be read, or that does not fit its object; the message is in the words of kubectl. */
export class TemplateError extends Error {}
