import { refusalOfUrl } from '@draftshelf/domain/base/web-address';

/**
 * Null: the picture is loaded. An address that may be inside the operator's network is loaded only after the server's
 * check, or if it is of `origin`, the app's own.
 */
export function pictureRefusal(src: string, options: { isChecked: boolean; origin: string }): string | null {
  const url = URL.parse(src, options.origin);
  if (url === null) return 'The address is not a valid URL.';
  // The address contains the picture.
  if (url.protocol === 'data:') return null;
  return options.isChecked || url.origin === options.origin ? null : refusalOfUrl(url);
}
