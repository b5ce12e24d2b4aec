import { fileBytesMaxDefault } from '@draftshelf/csv/limits';
import { fileSize } from '@draftshelf/domain/format';

/** The limit of one file in words: the specification's at the default (decision C8). */
export function limitWords(fileBytesMax: number): string {
  return fileBytesMax === fileBytesMaxDefault ? '50MB' : fileSize(fileBytesMax);
}

/** What stands beside the specification's '50MB' where this server's limit is another; null where it is not. */
export function limitNote(fileBytesMax: number): string | null {
  if (fileBytesMax === fileBytesMaxDefault) return null;
  return `This server accepts files up to ${fileSize(fileBytesMax)}.`;
}
