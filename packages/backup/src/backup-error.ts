/** Why a backup cannot be made or restored, as a sentence for operators that says what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
