/**
 * Maximum number of values (members of objects and elements of lists) of a body in any encoding, small enough that decoding does
 * not delay other requests. It exceeds `objectValueLimit`, because clients send objects back with their managed fields, which may
 * have as many members as the rest.
 */
export const bodyValueLimit = 100_000;
