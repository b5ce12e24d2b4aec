import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { MoreButton } from './read.tsx';

test('a page that could not be read is named by what is listed', () => {
  const pages = {
    ...{ hasNextPage: true, isFetchingNextPage: false, isFetchNextPageError: true },
    ...{ error: new Error('503: Try again.'), fetchNextPage: () => undefined },
  };
  const shown = renderToStaticMarkup(
    <MantineProvider>
      <MoreButton pages={pages} what="the pictures" />
    </MantineProvider>,
  );
  expect(shown).toContain('The rest of the pictures couldn’t be loaded: 503: Try again.');
});
