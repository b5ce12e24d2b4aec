import { dosPages } from '@draftshelf/csv/encoding/dos-pages';
import { withoutHidden } from '@draftshelf/domain/base/file-name';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes an entry's name: UTF-8 with or without its flag, else code page 437 as of old tools. */
export const nameText = (bytes: Uint8Array): string => withoutHidden(decoded(bytes));

function decoded(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    const letterOf = (byte: number) => (byte < 128 ? String.fromCharCode(byte) : dosPages.cp437[byte - 128]);
    return Array.from(bytes, letterOf).join('');
  }
}

/** Normalizes case and slashes, which Excel ignores. */
export const comparedName = (name: string): string =>
  name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();
