/** The shells that have a script here, which completes command lines by asking the program. */
export const completedShells: readonly string[] = ['bash', 'zsh', 'fish'];
