import { refusalOfUrl } from '@draftshelf/domain/base/web-address';

/**
 * Reason for not loading a picture of a file, of a source or of the store; null if it is loaded. An address that may
 * be inside the operator's network is loaded only if the server's check was ok, or if it is of `origin`, the app's own.
 */
export function pictureRefusal(src: string, options: { isChecked: boolean; origin: string }): string | null {
  const url = URL.parse(src, options.origin);
  if (url === null) return 'The address is not a valid URL.';
  // It has its picture inside.
  if (url.protocol === 'data:') return null;
  return options.isChecked || url.origin === options.origin ? null : refusalOfUrl(url);
}
