/** The sentence below the key: the error's message, or the specification's if there is nothing after the status. */
export function loginFailure({ message }: Error): string {
  return /^(\d+:)?\s*$/.test(message) ? 'Authentication failed' : message;
}
