import { type ReactNode, useState } from 'react';
import { pictureRefusal } from '../lib/picture-refusal.ts';

type PictureProps = {
  src: string;
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
  if (failed || pictureRefusal(src, { isChecked, origin: location.origin }) !== null) return rest.fallback;
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
