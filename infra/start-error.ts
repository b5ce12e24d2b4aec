/** The machine prevents the start; the message is for the operator. */
export class StartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartError';
  }
}

/** Explains the system's errors about the data directory. */
export function explained(error: unknown, directory: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new StartError(`The disk of ${directory} is full.`, { cause: error });
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    const user = process.getuid?.();
    const mend =
      user === undefined ? '' : `Make it that of this user (chown -R ${user} ${directory}), or set`;
    return new StartError(`${directory} is not writable. ${mend || 'Set'} DATA_DIR to a directory that is.`, {
      cause: error,
    });
  }
  if (code === 'EEXIST' || code === 'ENOTDIR') {
    return new StartError(`${directory} is not a directory. Set DATA_DIR to one.`, { cause: error });
  }
  return error;
}
