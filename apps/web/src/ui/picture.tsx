import { checkUrl } from '@draftshelf/domain/base/web-address';
import { type ReactNode, useState } from 'react';

type PictureProps = {
  /** Null or undefined if there is no picture. */
  src: string | null | undefined;
  alt?: string;
  className?: string | undefined;
  /** Whether the server has checked the address successfully. */
  isChecked?: boolean;
  /** Loads at once instead of waiting until the picture is near the visible part of the page. */
  isEager?: boolean;
  /** Shown if the picture does not load, or must not be loaded by the browser. */
  fallback: ReactNode;
  onFailed?: () => void;
};

/** A picture. No other component loads addresses of other origins. */
export function Picture({
  src,
  alt = '',
  className,
  isChecked = false,
  isEager = false,
  ...rest
}: PictureProps) {
  const [failed, setFailed] = useState(false);
  if (!src || failed || findPictureRefusal(src, { isChecked, origin: location.origin }) !== null)
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
 * Returns the reason why a picture is not loaded; null if it may be. An address that may be in the operator's network
 * is loaded only if the server has checked it, or if its origin is `origin`, the app's own.
 */
export function findPictureRefusal(
  src: string,
  options: { isChecked: boolean; origin: string },
): string | null {
  const url = URL.parse(src, options.origin);
  if (url === null) return 'The address is not a valid URL.';
  // The address itself contains the picture.
  if (url.protocol === 'data:') return null;
  return options.isChecked || url.origin === options.origin ? null : checkUrl(url);
}
