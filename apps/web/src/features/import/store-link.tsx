import { Anchor } from '@mantine/core';
import { rememberStore } from '../../lib/storage.ts';

export const StoreLink = ({ url, name }: { url: string; name: string }) => (
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
