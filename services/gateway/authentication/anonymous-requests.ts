/** What decides whether requests without credentials go on. */
interface AnonymousSettings {
  /** Undefined: by the authorization modes. */
  readonly anonymousAuth: boolean | undefined;
  /** One mode, or several in their order. */
  readonly authorizationMode: string | readonly string[];
}

/**
 * Whether requests without credentials go on as `system:anonymous`: by default unless AlwaysAllow is the only mode (spec 2,
 * "Anonymous requests").
 */
export function allowsAnonymous({ anonymousAuth, authorizationMode }: AnonymousSettings): boolean {
  return anonymousAuth ?? [authorizationMode].flat().some(mode => mode !== 'AlwaysAllow');
}
