// Written by `make generate` from the proto files. Change those.

/** TypeMeta says of what type an object is. */
export type TypeMeta = {
  /** The group and version of the type. */
  apiVersion?: string;
  /** The kind of the object. */
  kind?: string;
};

/** Unknown is the envelope of every object in the wire format: its type, and its bytes. */
export type Unknown = {
  /** The group and version of the type. */
  apiVersion?: string;
  /** The kind of the object. */
  kind?: string;
  /** The encoded object. Base64. */
  raw?: string | null;
  /** How the bytes are compressed; nothing when they are not. */
  contentEncoding?: string;
  /** The media type of the bytes; nothing for that of the envelope. */
  contentType?: string;
};
