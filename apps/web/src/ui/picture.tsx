import { type ReactNode, useState } from 'react';
import { pictureRefusal } from '../lib/picture-refusal.ts';

type PictureProps = {
  src: string;
  alt?: string;
  className?: string | undefined;
  /** The server's check of this address was ok. */
  isChecked?: boolean;
  /** Loaded at once, not only when it is near the screen. */
  isEager?: boolean;
  /** Shown in place of a picture that does not load, or that the browser must not load. */
  fallback: ReactNode;
  onFailed?: () => void;
};

/** A picture of a file, of a source or of the store: the only one that loads an address which is not ours. */
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
