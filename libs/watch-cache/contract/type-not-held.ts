/** The watch cache does not hold a type, and was not made to. */
export class TypeNotHeld extends Error {
  override readonly name = 'TypeNotHeld';
}
