import { expect, test } from 'vitest';
import { createQueryClient } from '../../api/query-client.ts';
import { entersStage } from './stages-of-rows-api.ts';

test('an import that reached another stage while its page was closed has its rows read again', () => {
  const client = createQueryClient();
  expect(entersStage(client, 'a', 'uploading')).toBe(false);
  expect(entersStage(client, 'b', 'processed')).toBe(false);
  // The page is closed, the push ends, and the page is opened again.
  expect(entersStage(client, 'a', 'completed')).toBe(true);
  expect(entersStage(client, 'a', 'completed')).toBe(false);
  expect(entersStage(createQueryClient(), 'a', 'queued')).toBe(false);
});
