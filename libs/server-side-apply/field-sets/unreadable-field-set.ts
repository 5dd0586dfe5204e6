/** Error of the field set decoders for invalid input; any other error that they throw is a bug. */
export class UnreadableFieldSet extends Error {}
