import { fileBytesMaxDefault } from '@draftshelf/csv/limits';
import { fileSize } from '@draftshelf/domain/base/format';

/** The size limit of a file. The default is written as in the specification. */
export function limitWords(fileBytesMax: number): string {
  return fileBytesMax === fileBytesMaxDefault ? '50MB' : fileSize(fileBytesMax);
}

/** A note next to the specification's '50MB' if this server has another limit; else null. */
export function limitNote(fileBytesMax: number): string | null {
  if (fileBytesMax === fileBytesMaxDefault) return null;
  return `This server accepts files up to ${fileSize(fileBytesMax)}.`;
}
