/** Why a backup cannot be made or restored, as a sentence for operators with a remedy. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
