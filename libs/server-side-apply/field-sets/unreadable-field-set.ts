/** Thrown by the readers of field sets for text and values that are none; anything else that they throw is a fault of theirs. */
export class UnreadableFieldSet extends Error {}
