import { refusalOfUrl } from '@draftshelf/domain/base/web-address';
import { type ReactNode, useState } from 'react';

type PictureProps = {
  /** Null or undefined: there is none. */
  src: string | null | undefined;
  alt?: string;
  className?: string | undefined;
  /** The server's check of this address was ok. */
  isChecked?: boolean;
  /** Loads at once, not only near the screen. */
  isEager?: boolean;
  /** Replaces a picture that does not load, or that the browser must not load. */
  fallback: ReactNode;
  onFailed?: () => void;
};

/** The only component that loads addresses which are not ours. */
export function Picture({
  src,
  alt = '',
  className,
  isChecked = false,
  isEager = false,
  ...rest
}: PictureProps) {
  const [failed, setFailed] = useState(false);
  if (!src || failed || pictureRefusal(src, { isChecked, origin: location.origin }) !== null)
    return rest.fallback;
  return (
    <img
      className={className}
      src={src}
      alt={alt}
      loading={isEager ? 'eager' : 'lazy'}
      referrerPolicy="no-referrer"
      onError={() => {
        setFailed(true);
        rest.onFailed?.();
      }}
    />
  );
}

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
