import { Anchor } from '@mantine/core';
import { rememberStore } from '../../lib/storage.ts';

export function StoreLink({ url, name }: { url: string; name: string }) {
  return (
    <Anchor
      href={url}
      target="_blank"
      rel="noreferrer"
      size="sm"
      aria-label={`View ${name} in the store`}
      onClick={rememberStore}
    >
      View
    </Anchor>
  );
}
